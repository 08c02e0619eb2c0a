"""``peculiar score``: the objects of a catalogue, judged by a model that was fitted before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen, refuse_silence
from peculiar.cli.recipes import make_recipe

EPILOG = """\
\b
Examples (after `peculiar demo --out demo`, which also writes a model):
  peculiar score demo/model.peculiar demo/catalogue.csv --out scored.parquet
  peculiar score demo/model.peculiar demo/catalogue.csv --show name,planted --top 10
"""


@click.command(epilog=EPILOG, short_help="Judge the objects of a catalogue by a model.")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("catalogue", type=click.Path(path_type=Path))
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
@option.show_options
@click.pass_context
def command(ctx: click.Context, /, model: Path, catalogue: Path, **options: Any) -> None:
    """Judge the objects of CATALOGUE by MODEL, and rank them, strangest first.

    The model file remembers how its features were made. --features replaces all of that; the other options on errors
    change it in part.
    """
    from peculiar.cli.listing import finish
    from peculiar.cli.ranked import model_in_words
    from peculiar.cli.steps import check_target, load_model, read_sky

    screen = Screen(as_json=options["as_json"], quiet=options["quiet"])
    wanted, overwrite = option.ListWanted.of(options), options["overwrite"]
    refuse_silence(quiet=screen.quiet, as_json=screen.as_json, writes=wanted.out is not None)
    for source in (catalogue, model):
        check_target(wanted.out, overwrite=overwrite, is_table=True, source=source)
    fitted = load_model(model)
    fitted.n_jobs = options["n_jobs"]
    recipe = check_recipe(model, fitted, make_recipe(options, getattr(fitted, "recipe_", None)))
    whole = wanted.out is not None
    form = options["format_"]
    sky = read_sky(screen, catalogue, recipe, format_=form, show=wanted.show, whole=whole)
    which = model_in_words(fitted, model)
    finish(screen, ctx.obj.arguments, sky, fitted, which, wanted, overwrite=overwrite)


def check_recipe(path: Path, model: Any, recipe: Any) -> Any:
    """The recipe, if it makes what the model was fitted to."""
    from peculiar.errors import ModelFileError, SettingError

    if recipe is None:
        raise ModelFileError(
            f"{path} does not say how its {model.n_features_in_} features are made of a catalogue (it was not written "
            "by `peculiar fit`); say it with --features"
        )
    if len(recipe.names) != model.n_features_in_:
        raise SettingError(
            f"--features makes {len(recipe.names)} features, and {path} was fitted to {model.n_features_in_}"
        )
    return recipe
