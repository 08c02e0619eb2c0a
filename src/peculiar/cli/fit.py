"""``peculiar fit``: from a catalogue to a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen
from peculiar.cli.kinds import FILE
from peculiar.cli.recipes import make_recipe

EPILOG = """\
\b
Example (after `peculiar demo --out demo`):
  peculiar fit demo/catalogue.csv --features "u - r, g - r" -k 2 --out colours.peculiar
"""


@click.command(epilog=EPILOG, short_help="Fit a mixture to a catalogue; write a model file.")
@click.argument("catalogue", type=FILE)
@option.features_option(required=True)
@option.error_options
@option.fit_options
@option.rarity_option
@option.checkpoint_option
@click.option("--out", required=True, type=FILE, help="The model file to write.")
@option.overwrite_option
@option.large_options
@option.show_options
def command(catalogue: Path, **options: Any) -> None:
    """Fit a mixture to CATALOGUE, and write it to a model file.

    The file remembers how the features were made, so that `peculiar score` needs nothing but the file and a catalogue.
    It is text (JSON) with a checksum; nothing in it is ever executed.
    """
    from peculiar.cli.about_catalogue import ask_for_features
    from peculiar.cli.clusters import Workers
    from peculiar.cli.dry_run import dry_run
    from peculiar.cli.info import show_model
    from peculiar.cli.loading import load
    from peculiar.cli.plan import make_plan
    from peculiar.cli.targets import check_targets
    from peculiar.ranking import FIT_SETTINGS
    from peculiar.report import describe_model

    screen = Screen(as_json=options["as_json"], quiet=options["quiet"], writes=True)
    out, kept = options["out"], options["checkpoint"]
    check_targets(
        {},
        {"--out": out},
        overwrite=options["overwrite"],
        sources=[catalogue],
        checkpoint=kept,
    )
    recipe = make_recipe(options)
    if recipe is None:
        ask_for_features(catalogue, options["table"], options["format_"])
    given = {name: options[name] for name in ("format_", "table", "where")}
    plan = make_plan(
        catalogue, recipe, **given, memory=options["memory"], workers=Workers.of(options)
    )
    settings = {name: options[name] for name in FIT_SETTINGS}
    if options["dry_run"]:
        dry_run(screen, plan, recipe, n_jobs=options["n_jobs"], fit=settings, written=out)
        return
    loaded = load(screen, plan, recipe, given)
    model = loaded.fit(screen, settings, options["rarity"], checkpoint=kept)
    model.save(out)
    show_model(screen, model)
    screen.lines(f"\nWritten: {out}")
    screen.json(
        {
            "out": str(out),
            "errors": loaded.errors,
            "notes": loaded.notes,
            "warnings": screen.warnings,
            "model": describe_model(model),
        }
    )
