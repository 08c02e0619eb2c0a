"""From options to a recipe: how features and their errors are made of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe


def make_recipe(given: dict[str, Any], stored: Recipe | None = None) -> Recipe | None:
    """How features are made, from the options; what these do not say, as it is stored.

    None if neither says which features.
    """
    from peculiar.catalogue.recipe import Recipe

    if given["features"] is not None:
        stored = Recipe(given["features"])
    if stored is None:
        return None
    errors, exact = dict(_error(text) for text in given["errors"]), given["no_error"]
    covariances = dict(_covariance(text) for text in given["covariances"])
    new_pairs = {frozenset(pair) for pair in covariances}
    kept = {pair: c for pair, c in stored.covariances.items() if frozenset(pair) not in new_pairs}
    return Recipe(
        features=stored.features,
        errors={**{x: e for x, e in stored.errors.items() if x not in exact}, **errors},
        no_error=tuple(dict.fromkeys([*(x for x in stored.no_error if x not in errors), *exact])),
        covariances={**kept, **covariances},
        missing=stored.missing if given["missing"] is None else given["missing"],
        zero_errors=given["zero_errors"] or stored.zero_errors,
        limits={**stored.limits, **dict(_limit(text) for text in given["limits"])},
        sigma=stored.sigma if given["sigma"] is None else given["sigma"],
        percent=stored.percent if given["percent"] is None else given["percent"],
        error_floor=_floor(given["error_floor"]) if given["error_floor"] else stored.error_floor,
    )


def _error(text: str) -> tuple[str, str | float | tuple[str, ...]]:
    name, is_there, where = (part.strip() for part in text.partition("="))
    if not (name and is_there and where):
        raise click.UsageError(f"--error {text}: say which column, and where its error is: X=X_ERR")
    try:
        return name, float(where)
    except ValueError:
        pass
    names = tuple(part.strip() for part in where.split(","))
    return name, names if len(names) > 1 else where


def _limit(text: str) -> tuple[str, str | None]:
    name, is_there, column = (part.strip() for part in text.partition("="))
    if not (name and is_there and column):
        raise click.UsageError(
            f"--limit {text}: say which column, and which flags its limits: X=FLAG, or X=none"
        )
    return name, None if column.lower() == "none" else column


def _floor(texts: tuple[str, ...]) -> float | dict[str, float]:
    """One number for all columns, or one for each that is named."""
    floors = {}
    for text in texts:
        name, _, number = (part.strip() for part in text.rpartition("="))
        try:
            floors[name] = float(number)
        except ValueError:
            raise click.UsageError(f"--error-floor {text}: give a number, or X=NUMBER") from None
    if "" not in floors:
        return floors
    if len(floors) > 1:
        raise click.UsageError(
            "--error-floor: give one number for all columns, or X=NUMBER for some"
        )
    return floors[""]


def _covariance(text: str) -> tuple[tuple[str, str], str | None]:
    pair, _, column = (part.strip() for part in text.partition("="))
    names = tuple(name.strip() for name in pair.split(","))
    if len(names) != 2 or not all(names) or not column:
        raise click.UsageError(
            f"--cov {text}: say which two columns, and where their covariance is: X,Y=COLUMN"
        )
    return (names[0], names[1]), None if column.lower() == "none" else column
