"""``peculiar rank``: from a catalogue to a ranked list, in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen, refuse_silence
from peculiar.cli.kinds import FILE
from peculiar.cli.recipes import make_recipe

EPILOG = """\
\b
Examples (after `peculiar demo --out demo`):
  peculiar rank demo/catalogue.csv --features "u - r, g - r, i - r, z - r" -k 3
  peculiar rank demo/catalogue.csv --features "u - r, g - r" -k 2 --show name,planted --out ranked.fits
  peculiar rank demo/catalogue.csv --features "u - r, g - r" -k 2 --error r=0.1 --top 5 --json
"""


@click.command(epilog=EPILOG, short_help="From a catalogue to a ranked list, all in one.")
@click.argument("catalogue", type=FILE)
@option.features_option(required=True)
@option.error_options
@option.fit_options
@option.rarity_option
@option.checkpoint_option
@option.list_options
@click.option(
    "--save-model",
    type=FILE,
    help="Write the fitted model, for `peculiar score`.",
)
@option.overwrite_option
@option.large_options
@option.show_options
@click.pass_context
def command(ctx: click.Context, /, catalogue: Path, **options: Any) -> None:
    """Fit CATALOGUE and rank its objects, strangest first.

    The errors of all columns are found by convention (u_err or e_u for u, ...), and shown before anything runs. The
    table that --out writes has all objects with all their columns. It adds rank, p-value, q-value, outlier
    probability, robust weight, component, strange group, error tolerance, and for each feature its surprise and clean
    value.
    """
    from peculiar.cli.about_catalogue import ask_for_features
    from peculiar.cli.clusters import Workers
    from peculiar.cli.dry_run import dry_run
    from peculiar.cli.fitting import name_model, show_fit
    from peculiar.cli.judging import judge_and_list
    from peculiar.cli.loading import load
    from peculiar.cli.plan import make_plan
    from peculiar.cli.targets import check_columns, check_parts, check_targets
    from peculiar.ranking import FIT_SETTINGS
    from peculiar.report import check_discoveries

    wanted, overwrite = option.ListWanted.of(options), options["overwrite"]
    saved, kept = options["save_model"], options["checkpoint"]
    writes = wanted.out is not None or saved is not None
    screen = Screen(as_json=options["as_json"], quiet=options["quiet"], writes=writes)
    refuse_silence(quiet=screen.quiet, as_json=screen.as_json, writes=writes)
    files = {"--out": wanted.out}, {"--save-model": saved}
    check_targets(*files, overwrite=overwrite, sources=[catalogue], checkpoint=kept)
    check_discoveries(wanted.fdr, wanted.method, has_wild=options["wild_fraction"] != 0)
    recipe = make_recipe(options)
    if recipe is None:
        ask_for_features(catalogue, options["table"], options["format_"])
    given = {name: options[name] for name in ("format_", "table", "where")}
    settings = {name: options[name] for name in FIT_SETTINGS}
    plan = make_plan(
        catalogue,
        recipe,
        **given,
        memory=options["memory"],
        workers=Workers.of(options),
        ranks=True,
        **wanted.reads,
    )
    check_parts(plan, wanted.out)
    if options["dry_run"]:
        dry_run(
            screen,
            plan,
            recipe,
            n_jobs=options["n_jobs"],
            fit=settings,
            wanted=wanted,
            written=saved,
        )
        return
    loaded = load(screen, plan, recipe, given, show=wanted.show, out=wanted.out)
    check_columns(loaded.first_rows, wanted.out)
    lasting = {name: settings[name] for name in settings if name != "n_jobs"}
    what = {"fit": lasting, "rarity": options["rarity"]}
    with loaded.running(screen, wanted.out, what) as run:
        model = loaded.fit(screen, settings, options["rarity"], run, kept)
        show_fit(screen, model)
        if saved is not None:
            model.save(saved)
            screen.lines(f"Written: {saved} (the model, for `peculiar score`)\n")
        which, arguments = name_model(model, saved), ctx.obj.arguments
        judge_and_list(screen, arguments, loaded, model, which, wanted, run, overwrite=overwrite)
