"""Columns of a table as numbers and one-sigma errors.

Values of which nothing is known become missing, and are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from peculiar.arrays import Floats
from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.correlations import covariances_of
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import counted
from peculiar.catalogue.columns.numeric import Reader, numbers
from peculiar.catalogue.columns.pairing import ErrorColumns, Pairing
from peculiar.catalogue.columns.sentinels import suspects
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

ZERO_ERRORS = ("missing", "exact", "refuse")


def measured_columns(
    table: Table, pairing: Pairing, *, zero_errors: str = "missing"
) -> tuple[MeasuredColumns, list[str]]:
    """Values, errors and covariances of the columns that a pairing names.

    Parameters
    ----------
    table : astropy.table.Table
    pairing : Pairing
    zero_errors : {'missing', 'exact', 'refuse'}
        What an error of exactly 0 means in a column in which others are positive.

    Returns
    -------
    columns : MeasuredColumns
    notes : list of str
        What became missing, and why.
    """
    if zero_errors not in ZERO_ERRORS:
        raise CatalogueError(
            f"zero_errors={zero_errors!r}: must be one of {', '.join(ZERO_ERRORS)}"
        )
    reader = Reader(table, zero_errors)
    values, std = {}, {}
    for pair in pairing.columns:
        values[pair.column] = _values(reader, pair.column)
        if pair.kind != "none":
            std[pair.column] = _errors(reader, pair, values[pair.column])
    known_units = {pair.column: table[pair.column].info.unit for pair in pairing.columns}
    shared = covariances_of(reader, pairing, values, std)
    return MeasuredColumns(values, std, shared, known_units), reader.notes


def _values(reader: Reader, name: str) -> Floats:
    values = numbers(reader.table, name)
    infinite = np.isinf(values)
    values[infinite] = np.nan
    reader.note(infinite.sum(), f"{name}: {{values}} infinite, and taken as missing")
    if not len(values) or np.isnan(values).all():
        raise CatalogueError(
            f"column {name!r} has no value in any of its {len(values):,} rows; leave it out"
        )
    for value, count in suspects(values):
        reader.note(
            count,
            f"{name}: {{values}} {value:g}; if that means 'missing', say --missing {value:g}",
        )
    return values


def _errors(reader: Reader, pair: ErrorColumns, values: Floats) -> Floats:
    """One-sigma errors in the unit of the values; where they say nothing, the value becomes missing."""
    if pair.kind == "constant":
        return np.full(len(values), pair.constant)
    given = [numbers(reader.table, name) for name in pair.names]
    for number, name in enumerate(pair.names):
        if not (pair.kind == "upper/lower" and number == 1):
            _refuse_negative(given[number], values, name)
    std = _standard(pair.kind, given) * _factor(reader.table, pair)
    _hide_unknown(reader, pair, values, std)
    _hide_zeros(reader, pair, values, std)
    return std


def _standard(kind: str, given: list[Floats]) -> Floats:
    if kind == "ivar":
        with np.errstate(divide="ignore"):
            return 1.0 / np.sqrt(given[0])  # 0 becomes infinite: nothing is known
    if kind == "variance":
        return np.sqrt(given[0])
    if kind == "upper/lower":
        # With half of the probability on each side of the quoted value, this is the second moment about it. The lower
        # error is signed in some catalogues and not in others.
        upper, lower = given
        return np.sqrt((np.square(upper) + np.square(lower)) / 2)
    return given[0]


def _factor(table: Table, pair: ErrorColumns) -> float:
    """From the unit of the errors to that of the values: Gaia has positions in deg, their errors in mas."""
    target, unit = table[pair.column].info.unit, table[pair.names[0]].info.unit
    if target is None or unit is None:
        return 1.0
    exponent = {"ivar": -0.5, "variance": 0.5}.get(pair.kind, 1.0)
    own = unit if exponent == 1.0 else units.power(unit, exponent)
    return units.conversion(own, target, f"column {pair.names[0]!r}")


def _refuse_negative(errors: Floats, values: Floats, name: str) -> None:
    wrong = (errors < 0) & ~np.isnan(values)
    if wrong.any():
        row, n_others = int(np.argmax(wrong)), int(wrong.sum()) - 1
        others = f" ({counted(n_others, 'other')} negative, too)" if n_others else ""
        raise CatalogueError(
            f"row {row}, column {name!r}: an error cannot be negative, and this is {errors[row]:g}{others}; if that "
            f"means 'missing', say missing=[{errors[row]:g}] (--missing {errors[row]:g})"
        )


def _hide_unknown(reader: Reader, pair: ErrorColumns, values: Floats, std: Floats) -> None:
    unknown = ~np.isfinite(std) & ~np.isnan(values)
    values[unknown] = np.nan
    why = "inverse variance is 0 or missing" if pair.kind == "ivar" else "error is missing"
    reader.note(
        unknown.sum(),
        f"{pair.column}: {{values}} missing because the {why} ({', '.join(pair.names)})",
    )


def _hide_zeros(reader: Reader, pair: ErrorColumns, values: Floats, std: Floats) -> None:
    """An error of 0 among positive ones means 'not known'.

    Taken literally, it would be the best measurement of all.
    """
    seen = ~np.isnan(values)
    zero = seen & (std == 0)
    if not zero.any() or not (std[seen] > 0).any():
        return
    source = ", ".join(pair.names)
    if reader.zero_errors == "refuse":
        row = int(np.argmax(zero))
        raise CatalogueError(
            f"row {row}, column {source}: the error is exactly 0 (in {int(zero.sum()):,} rows in all), unlike "
            "others; say zero_errors='missing' or 'exact' (--zero-errors)"
        )
    if reader.zero_errors == "missing":
        values[zero] = np.nan
        reader.note(
            zero.sum(),
            f"{pair.column}: {{values}} missing because the error is exactly 0 ({source}), unlike others; "
            "--zero-errors exact keeps them",
        )
    else:
        reader.note(
            zero.sum(),
            f"{pair.column}: {{values}} taken as exact, with an error of 0 ({source})",
        )
