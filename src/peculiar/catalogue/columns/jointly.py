"""Finds which columns have the correlation, or the covariance, of the errors of two others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from peculiar.catalogue.columns.conventions import (
    Lookup,
    candidates,
    correlation_names,
    is_lone_correlation,
)
from peculiar.catalogue.columns.names import refuse_unknown
from peculiar.errors import CatalogueError

Covariances: TypeAlias = Mapping[tuple[str, str], str | None]
Found: TypeAlias = dict[tuple[str, str], str]

_CORRELATION = "corr:"


def correlations_and_covariances(
    given: Covariances, uncertain: Sequence[str], lookup: Lookup
) -> tuple[Found, Found]:
    """For pairs of columns, the column with the correlation, or the covariance, of their errors.

    Parameters
    ----------
    given : dict
        What the user says, which goes before what names say.
    uncertain : sequence of str
        Columns with errors.
    lookup : Lookup

    Returns
    -------
    correlations, covariances : dict
    """
    order = {name: i for i, name in enumerate(uncertain)}
    correlations: Found = {}
    covariances: Found = {}
    known: set[tuple[str, str]] = set()
    for (a, b), name in given.items():
        is_correlation = str(name).startswith(_CORRELATION) and name not in lookup.exact
        column = str(name).removeprefix(_CORRELATION) if is_correlation else name
        if column is not None:
            refuse_unknown([column], lookup.available, "the table")
        _refuse_pair(a, b, name, given, uncertain)
        pair = (a, b) if order[a] < order[b] else (b, a)
        known.add(pair)
        if column is not None:
            (correlations if is_correlation else covariances)[pair] = column
    for pair in combinations(uncertain, 2):
        if pair not in known and (found := _by_name(pair, uncertain, lookup)):
            correlations[pair] = found
    return correlations, covariances


def _by_name(pair: tuple[str, str], uncertain: Sequence[str], lookup: Lookup) -> str:
    named = [name for name in correlation_names(*pair) if name in lookup.exact]
    if named:
        return named[0]
    if len(uncertain) != 2:
        return ""
    # A rho with an error of its own is something that was measured: a density.
    lone = [name for name in lookup.available if is_lone_correlation(name) and name not in pair]
    return lone[0] if len(lone) == 1 and not candidates(lone[0], lookup) else ""


def _refuse_pair(
    a: str, b: str, name: str | None, given: Covariances, uncertain: Sequence[str]
) -> None:
    if a == b:
        raise CatalogueError(
            f"{name!r} is said to be the covariance of {a!r} with itself; its error is given by "
            f"errors={{{a!r}: 'variance:{name}'}} (--error {a}=variance:{name})"
        )
    if given.get((b, a), name) != name:
        raise CatalogueError(
            f"{name!r} and {given[b, a]!r} are both said to be the covariance of {a!r} and {b!r}; choose one"
        )
    for one in (a, b):
        if one not in uncertain:
            raise CatalogueError(
                f"{name!r} is said to be the covariance of {a!r} and {b!r}, but {one!r} is not used, or is exact"
            )
