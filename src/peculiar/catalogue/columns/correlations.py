"""Correlations and covariances between the errors of two columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.numeric import Reader, numbers
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.errors import CatalogueError, RowError


def covariances_of(
    reader: Reader, pairing: Pairing, values: Mapping[str, Floats], std: Mapping[str, Floats]
) -> dict[tuple[str, str], Floats]:
    """Covariances of the errors of two columns; 0 where one of them is missing.

    Parameters
    ----------
    reader : Reader
    pairing : Pairing
    values, std : dict of ndarray

    Returns
    -------
    dict of ndarray
    """
    shared = {}
    for (a, b), name in pairing.correlations.items():
        shared[a, b] = _correlation(reader, name, (a, b), values) * std[a] * std[b]
    for (a, b), name in pairing.covariances.items():
        covariance = _known(reader, name, (a, b), values) * _factor(reader, name, (a, b))
        limit = std[a] * std[b]
        wrong = (np.abs(covariance) > limit * (1 + 1e-6)) & ~np.isnan(values[a] + values[b])
        _refuse_correlation(
            wrong, covariance, name, (a, b), "{}, more than the product of their errors"
        )
        shared[a, b] = covariance
    for covariance in shared.values():
        covariance[~np.isfinite(covariance)] = 0.0  # of values that are missing anyway
    return shared


def _factor(reader: Reader, name: str, pair: tuple[str, str]) -> float:
    """From the unit of a covariance to that of the two columns, if all three are known."""
    given, *of_columns = (units.unit_of(reader.table[column]) for column in (name, *pair))
    if given is None or None in of_columns:
        return 1.0
    return units.conversion(given, units.product(*of_columns), f"column {name!r}")


def _correlation(
    reader: Reader, name: str, pair: tuple[str, str], values: Mapping[str, Floats]
) -> Floats:
    unit = units.unit_of(reader.table[name])
    if unit is not None and units.word(unit):
        raise CatalogueError(
            f"column {name!r} is in {unit}, and a correlation has no unit; if it is none, say covariances={{{pair!r}: "
            f"None}} (--cov {','.join(pair)}=none)"
        )
    correlation = _known(reader, name, pair, values)
    wrong = np.abs(correlation) > 1 + 1e-6
    _refuse_correlation(wrong, correlation, name, pair, "{}, outside of [-1, 1]")
    return np.clip(correlation, -1.0, 1.0)


def _known(
    reader: Reader, name: str, pair: tuple[str, str], values: Mapping[str, Floats]
) -> Floats:
    found = numbers(reader.table, name)
    absent = np.isnan(found)
    n_needed = (absent & ~np.isnan(values[pair[0]] + values[pair[1]])).sum()
    reader.note(
        n_needed,
        f"{name}: {{values}} missing where {pair[0]} and {pair[1]} are known; 0 is taken",
    )
    return np.where(absent, 0.0, found)


def _refuse_correlation(
    wrong: NDArray[np.bool_], numbers: Floats, name: str, pair: tuple[str, str], sentence: str
) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        said = sentence.format(f"{numbers[row]:g}")
        raise RowError(
            row,
            f", column {name!r}: the errors of {pair[0]} and {pair[1]} cannot have the correlation or "
            f"covariance {said}; are these the right columns? --cov {','.join(pair)}=none does without",
        )
