"""The ranked list as a table: all objects, all their columns, and what made it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar._version import __version__
from peculiar.estimators.verdict_columns import FEATURE, VERDICT

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report.candidates import Candidates


def ranked_table(table: Any, candidates: Candidates, about: Mapping[str, str]) -> Any:
    """What was found, then the columns of the catalogue, then what was found about each feature.

    Parameters
    ----------
    table : astropy.table.Table
        The catalogue.
    candidates : Candidates
    about : dict of str
        Goes into the metadata.

    Returns
    -------
    astropy.table.Table
        In the order of the ranking. A new column whose name the catalogue has already begins with ``peculiar_``; a
        feature that is a column of the catalogue is not repeated.
    """
    from peculiar.catalogue.as_columns import column_of_results
    from peculiar.catalogue.formats.fits import ascii_line
    from peculiar.catalogue.ranked_table import RankedTable

    rows, taken = table[candidates.order], set(table.colnames)
    verdict = {
        free_name(name, taken): column_of_results(cells, *VERDICT[name])
        for name, cells in candidates.verdict.items()
    }
    ranked = RankedTable(verdict)
    taken |= set(ranked.colnames)
    for name in rows.colnames:
        ranked[name] = rows[name]
    for name, column in _feature_columns(rows, candidates):
        new = free_name(name, taken)
        taken.add(new)
        ranked[new] = column
    ranked.meta.update(rows.meta)
    ranked.meta.update({key: ascii_line(text) for key, text in about.items()})
    return ranked


def _feature_columns(rows: Any, candidates: Candidates) -> Iterator[tuple[str, Any]]:
    """Those of each feature, with plain names; what is a column of the catalogue already is left out."""
    from peculiar.catalogue.as_columns import column_of_results, in_words
    from peculiar.catalogue.columns.plain_names import plain_names

    measured = candidates.measured
    described = zip(
        measured.names, plain_names(measured.names), in_words(measured), measured.units, strict=True
    )
    for label, plain, what, unit in described:
        for end, cells in candidates.features[label].items():
            if any(_is_same(rows, name + end, cells) for name in (label, plain)):
                continue
            words, ucd = FEATURE[end]
            of_feature = "" if end == "_surprise" else unit
            yield plain + end, column_of_results(cells, words.format(what), ucd, of_feature)


def _is_same(rows: Any, name: str, feature: Any) -> bool:
    """Whether a feature is just a column; values that were made missing may differ."""
    if name not in rows.colnames:
        return False
    try:
        given: Any = np.ma.filled(np.ma.asarray(rows[name], dtype=float), np.nan)
    except (TypeError, ValueError):
        return False
    known = ~np.isnan(feature)
    return bool(known.any() and np.array_equal(given[known], feature[known]))


def free_name(name: str, taken: set[str]) -> str:
    """The name of a new column; it begins with ``peculiar_`` if the catalogue has one of that name."""
    lower = {other.lower() for other in taken}  # FITS does not tell U from u
    while name.lower() in lower:
        name = f"peculiar_{name}"
    return name


def describe_run(
    command: str,
    catalogue: str,
    model: str,
    candidates: Candidates,
    recipe: Recipe,
    *,
    fdr: float,
    method: str,
) -> dict[str, str]:
    """What made a list: version, command, model. The names are short, for FITS.

    Parameters
    ----------
    command : str
        The command, or the call in Python.
    catalogue : str
        Where the objects are from.
    model : str
        The model in words.
    candidates : Candidates
    recipe : Recipe
        How the features were made: who has the list can make their covariances again.
    fdr : float
    method : str
    """
    measured = candidates.measured
    about = {
        "MADE_BY": f"peculiar {__version__}",
        "COMMAND": command,
        "MODEL": model,
        "CATALOG": catalogue,
        "FEATURES": ", ".join(measured.names),
        "FDR": f"{fdr:g} ({method}): {candidates.n_discoveries} discoveries",
        "RECIPE": json.dumps(recipe.plain()),
    }
    return about | _notes(measured.notes)


def _notes(notes: Sequence[str]) -> dict[str, str]:
    return {"NOTES": "; ".join(notes)} if notes else {}


def model_in_words(model: PlainMixture) -> str:
    """Number of components, wild fraction, seed."""
    wild = f"wild fraction {model.wild_fraction_:.3g}"
    return f"{model.n_components_} components, {wild}, seed {model.random_state}"
