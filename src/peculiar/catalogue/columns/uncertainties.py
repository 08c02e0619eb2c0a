"""Columns of a table as numbers and one-sigma errors.

Values of which nothing is known become missing, and are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from peculiar.arrays import Floats
from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.correlations import covariances_of
from peculiar.catalogue.columns.limits import Limits
from peculiar.catalogue.columns.meaning import ErrorMeaning, rounding_step
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import counted
from peculiar.catalogue.columns.numeric import Reader, numbers
from peculiar.catalogue.columns.pairing import ErrorColumns, Pairing
from peculiar.catalogue.columns.sentinels import suspects
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


def measured_columns(
    table: Table,
    pairing: Pairing,
    meaning: ErrorMeaning | None = None,
    limits: Mapping[str, Limits] | None = None,
) -> tuple[MeasuredColumns, list[str]]:
    """Values, errors and covariances of the columns that a pairing names.

    Parameters
    ----------
    table : astropy.table.Table
    pairing : Pairing
    meaning : ErrorMeaning, optional
        How the columns of errors are to be read.
    limits : dict, optional
        Which rows of which columns are limits.

    Returns
    -------
    columns : MeasuredColumns
    notes : list of str
        What became missing, and why.
    """
    reader = Reader(table, meaning or ErrorMeaning())
    reader.meaning.check([pair.column for pair in pairing.columns])
    values, std = {}, {}
    for pair in pairing.columns:
        values[pair.column] = _values(reader, pair.column)
        if limits and pair.column in limits:
            _hide_limits(reader, pairing, pair.column, values[pair.column], limits[pair.column])
        if pair.kind != "none":
            std[pair.column] = _errors(reader, pair, values[pair.column])
    known_units = {pair.column: units.unit_of(table[pair.column]) for pair in pairing.columns}
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
    std = _standard(pair.kind, given) * _scale(reader, pair, values)
    _hide_unknown(reader, pair, values, std)
    std = _raise_to_floor(reader, pair, values, std)
    _hide_zeros(reader, pair, values, std, rounding_step(np.abs(np.concatenate(given))))
    return std


def _scale(reader: Reader, pair: ErrorColumns, values: Floats) -> Floats | float:
    """What standard deviations are multiplied by: units, several sigma, per cent."""
    meaning = reader.meaning
    if pair.kind in {"ivar", "variance"}:  # these are what they say
        return _factor(reader.table, pair)
    if meaning.percent or pair.kind == "percent":
        relative: Floats = np.abs(values) / (100.0 * meaning.sigma)
        return relative
    return _factor(reader.table, pair) / meaning.sigma


def _hide_limits(
    reader: Reader, pairing: Pairing, name: str, values: Floats, limits: Limits
) -> None:
    """What is only known to be above or below a value is no measurement of it."""
    hidden = limits.rows & ~np.isnan(values)
    values[hidden] = np.nan
    marks = ", ".join(f"{mark!r} {n} times" for mark, n in list(limits.marks.items())[:4])
    reader.note(
        hidden.sum(),
        f"{name}: {{values}} missing because {pairing.limits[name].column} flags limits ({marks}); "
        f"--limit {name}=none takes them as measured",
    )


def _raise_to_floor(reader: Reader, pair: ErrorColumns, values: Floats, std: Floats) -> Floats:
    floor = reader.meaning.floor_of(pair.column)
    low = (std < floor) & ~np.isnan(values)
    n, n_zero = int(low.sum()), int((std[low] == 0).sum())
    if n:
        source = ", ".join(pair.names)
        errors = f"1 error ({source}) is" if n == 1 else f"{n:,} errors ({source}) are"
        start = " from 0" if n_zero == n else ""
        rest = f", {n_zero:,} of them from 0" if 0 < n_zero < n else ""
        reader.notes.append(f"{pair.column}: {errors} raised{start} to the floor {floor:g}{rest}")
    return np.where(low, floor, std)


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
    target, unit = (units.unit_of(table[name]) for name in (pair.column, pair.names[0]))
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


def _hide_zeros(
    reader: Reader, pair: ErrorColumns, values: Floats, std: Floats, step: float
) -> None:
    """An error of 0 among positive ones means 'not known', or was rounded to a multiple of ``step``.

    Taken literally, it would be the best measurement of all.
    """
    seen = ~np.isnan(values)
    zero = seen & (std == 0)
    if not zero.any() or not (std[seen] > 0).any():
        return
    source = ", ".join(pair.names)
    rounded = (
        f" The errors are multiples of {step:g}, so that 0 looks rounded: --error-floor {pair.column}={step / 2:g} "
        "keeps the values, with that error"
        if step
        else ""
    )
    if reader.meaning.zero_errors == "refuse":
        row = int(np.argmax(zero))
        raise CatalogueError(
            f"row {row}, column {source}: the error is exactly 0 (in {int(zero.sum()):,} rows in all), unlike "
            f"others; say zero_errors='missing' or 'exact' (--zero-errors).{rounded}"
        )
    if reader.meaning.zero_errors == "missing":
        values[zero] = np.nan
        reader.note(
            zero.sum(),
            f"{pair.column}: {{values}} missing because the error is exactly 0 ({source}), unlike others; "
            f"--zero-errors exact {'takes them literally.' if step else 'keeps them'}{rounded}",
        )
    else:
        reader.note(
            zero.sum(),
            f"{pair.column}: {{values}} taken as exact, with an error of 0 ({source})",
        )
