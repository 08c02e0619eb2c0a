"""``peculiar info``: what is in a model file, or in a catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen
from peculiar.cli.kinds import FILE

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture

EPILOG = """\
\b
Examples (after `peculiar demo --out demo`):
  peculiar info demo/catalogue.csv
  peculiar info demo/model.peculiar
"""


@click.command(epilog=EPILOG, short_help="Show what is in a model or a catalogue.")
@click.argument("file", type=FILE)
@option.hdu_option
@option.format_option
@option.json_option
@option.debug_option
def command(file: Path, table: str | None, format_: str | None, *, as_json: bool) -> None:
    """Show what is in FILE, a model or a catalogue.

    For a model: its settings, features, components and wild fraction. For a catalogue: its format, its tables if there
    are several, the number of rows, and the columns with their types, shapes, units and errors (those that naming
    conventions can find).
    """
    from peculiar.cli.about_catalogue import about_catalogue

    screen = Screen(as_json=as_json)
    if format_ is None and table is None and is_model(file):
        _about_model(screen, file)
    else:
        about_catalogue(screen, file, table, format_)


def is_model(path: Path) -> bool:
    """Whether a file is a model, or means to be one: by its ending, or by how it begins."""
    if path.suffix == ".peculiar":
        return True
    try:
        with path.open("rb") as file:
            return b'"peculiar model"' in file.read(200)
    except OSError:
        return False  # whoever reads it as a catalogue says what is wrong


def _about_model(screen: Screen, path: Path) -> None:
    from peculiar.cli.fitting import load_model
    from peculiar.report import describe_model
    from peculiar.sealed import writer_of

    model = load_model(path)
    writer = writer_of(path)
    screen.lines(f"{path}: a model, written by {writer}")
    show_recipe(screen, model)
    screen.say()
    show_model(screen, model)
    recipe = model.recipe_.plain() if hasattr(model, "recipe_") else None
    screen.json(
        {"file": str(path), "kind": "model", "written_by": writer, "recipe": recipe}
        | {"model": describe_model(model)}
    )


def show_recipe(screen: Screen, model: PlainMixture) -> None:
    """How the features were made."""
    if not hasattr(model, "recipe_"):
        screen.say(f"features: {model.n_features_in_}; the file does not say how they were made")
        return
    recipe = model.recipe_
    screen.say(f"features: {recipe.features}")
    errors = [f"{name}={_where(where)}" for name, where in recipe.errors.items()]
    lines = {
        "errors given": errors,
        "exact": recipe.no_error,
        "covariances": [f"{a},{b}={name or 'none'}" for (a, b), name in recipe.covariances.items()],
        "limit flags": [f"{name}={flag or 'none'}" for name, flag in recipe.limits.items()],
        "errors are": _units_of_errors(recipe),
        "missing values": [str(value) for value in recipe.missing],
        "zero errors": [] if recipe.zero_errors == "missing" else [recipe.zero_errors],
    }
    for what, words in lines.items():
        if words:
            screen.say(f"{what}: {', '.join(words)}")


def _units_of_errors(recipe: Recipe) -> list[str]:
    """What is special about the numbers in columns of errors, in words."""
    words = [f"{recipe.sigma:g} sigma"] if recipe.sigma != 1 else []
    words += ["in per cent"] if recipe.percent else []
    floor = recipe.error_floor
    floors = floor.items() if isinstance(floor, Mapping) else [("", floor)]
    return words + [f"{name} at least {least:g}".strip() for name, least in floors if least]


def _where(where: Any) -> str:
    return ",".join(where) if isinstance(where, tuple) else str(where)


def show_model(screen: Screen, model: PlainMixture) -> None:
    """Components and how they were found."""
    from peculiar.notebook import short
    from peculiar.report import describe_model

    about = describe_model(model)
    settings = ", ".join(
        f"{name} {value}" for name, value in about["settings"].items() if value is not None
    )
    for part in _pieces(_components(model)):
        screen.table(part)
        screen.say()
    screen.say(
        "In parentheses: the standard deviation within a component, without the errors and the tails."
    )
    wild = about["wild_fraction"]
    screen.say(
        f"wild fraction: {short(wild)} of the objects belong to no component"
        if wild
        else "no wild tail"
    )
    if "n_iterations" in about:
        state = "converged" if about["has_converged"] else "not converged"
        screen.say(
            f"fit: {about['n_iterations']} iterations, {state}; log-likelihood {about['mean_log_likelihood']:.6f} "
            "per object"
        )
    screen.say(f"settings: {settings}")
    if "selection" in about:
        chosen = {
            name.replace("_", " "): [short(cell) for cell in column]
            for name, column in about["selection"].items()
        }
        screen.say(
            "\nNumbers of components that were met (lower is better, except for the log-likelihood):"
        )
        screen.table(chosen)


def _components(model: PlainMixture) -> dict[str, list[str]]:
    """Shares, dofs, and of each feature the centre with the spread in parentheses."""
    from peculiar.notebook import short
    from peculiar.report import describe_components, feature_names

    table = {
        name: [short(cell) for cell in column]
        for name, column in describe_components(model).items()
    }
    shown = {name: table[name] for name in ("component", "share", "dof")}
    for name in feature_names(model):
        pairs = zip(table[name], table[f"{name} spread"], strict=True)
        shown[name] = [f"{centre} ({spread})" for centre, spread in pairs]
    return shown


def _pieces(
    table: dict[str, list[str]], n: int = 3, longest: int = 90
) -> list[dict[str, list[str]]]:
    """A wide table as several, each with the first n columns."""
    fixed = dict(list(table.items())[:n])
    pieces: list[dict[str, list[str]]] = [dict(fixed)]
    for name, column in list(table.items())[n:]:
        width = sum(max(map(len, [key, *cells])) + 2 for key, cells in pieces[-1].items())
        if width + max(map(len, [name, *column])) > longest:
            pieces.append(dict(fixed))
        pieces[-1][name] = column
    return pieces
