"""``peculiar score``: the objects of a catalogue, judged by a model that was fitted before."""

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
Examples (after `peculiar demo --out demo`, which also writes a model):
  peculiar score demo/model.peculiar demo/catalogue.csv --out scored.parquet
  peculiar score demo/model.peculiar demo/catalogue.csv --show name,planted --top 10
"""


@click.command(epilog=EPILOG, short_help="Rank the objects of a catalogue with a fitted model.")
@click.argument("model", type=FILE)
@click.argument("catalogue", type=FILE)
@option.features_option(required=False)
@option.error_options
@option.list_options
@click.option(
    "--jobs",
    "n_jobs",
    type=int,
    default=-1,
    metavar="N",
    help="Number of threads.  [default: all cores]",
)
@option.overwrite_option
@option.large_options
@option.show_options
@click.pass_context
def command(ctx: click.Context, /, model: Path, catalogue: Path, **options: Any) -> None:
    """Rank the objects of CATALOGUE with a fitted MODEL, strangest first.

    The model file remembers how its features were made. --features replaces all of that; the options about
    errors change parts of it.
    """
    from peculiar.cli.clusters import Workers
    from peculiar.cli.dry_run import dry_run
    from peculiar.cli.fitting import digest_of, load_model, name_model
    from peculiar.cli.judging import judge_and_list
    from peculiar.cli.loading import load
    from peculiar.cli.plan import make_plan
    from peculiar.cli.targets import check_columns, check_parts, check_targets

    wanted, overwrite = option.ListWanted.of(options), options["overwrite"]
    writes = wanted.out is not None
    screen = Screen(as_json=options["as_json"], quiet=options["quiet"], writes=writes)
    refuse_silence(quiet=screen.quiet, as_json=screen.as_json, writes=writes)
    check_targets({"--out": wanted.out}, {}, overwrite=overwrite, sources=[catalogue, model])
    fitted = load_model(model)
    fitted.n_jobs = options["n_jobs"]
    recipe = check_recipe(model, fitted, make_recipe(options, getattr(fitted, "recipe_", None)))
    given = {name: options[name] for name in ("format_", "table", "where")}
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
            n_components=fitted.n_components_,
            wanted=wanted,
        )
        return
    loaded = load(screen, plan, recipe, given, show=wanted.show, out=wanted.out)
    check_columns(loaded.first_rows, wanted.out)
    which, arguments = name_model(fitted, model), ctx.obj.arguments
    with loaded.running(screen, wanted.out, {"model": digest_of(model)}) as run:
        judge_and_list(screen, arguments, loaded, fitted, which, wanted, run, overwrite=overwrite)


def check_recipe(path: Path, model: Any, recipe: Any) -> Any:
    """The recipe, if it makes what the model was fitted to."""
    from peculiar.errors import ModelFileError, SettingError

    if recipe is None:
        raise ModelFileError(
            f"{path} does not say how its {model.n_features_in_} features are made from a catalogue (it was not "
            "written by `peculiar fit`); give them with --features"
        )
    if len(recipe.names) != model.n_features_in_:
        raise SettingError(
            f"--features makes {len(recipe.names)} features, but {path} was fitted to {model.n_features_in_}"
        )
    return recipe
