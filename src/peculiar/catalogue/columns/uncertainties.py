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
from peculiar.catalogue.columns.meaning import ErrorMeaning
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import counted
from peculiar.catalogue.columns.notes import Note, Place, Suspects
from peculiar.catalogue.columns.numeric import Reader, numbers
from peculiar.catalogue.columns.pairing import ErrorColumns, Pairing
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.columns.zeros import Rounding, ZeroErrors
from peculiar.errors import CatalogueError, RowError

if TYPE_CHECKING:
    from astropy.table import Table


def measured_columns(
    table: Table,
    pairing: Pairing,
    meaning: ErrorMeaning | None = None,
    limits: Mapping[str, Limits] | None = None,
    whole: Whole | None = None,
) -> tuple[MeasuredColumns, Tally]:
    """Values, errors and covariances of the columns that a pairing names.

    Parameters
    ----------
    table : astropy.table.Table
    pairing : Pairing
    meaning : ErrorMeaning, optional
        How the columns of errors are to be read.
    limits : dict, optional
        Which rows of which columns are limits.
    whole : Whole, optional
        What is known of the table that this one is a part of.

    Returns
    -------
    columns : MeasuredColumns
    tally : Tally
        What became missing, and why; and what only the whole can decide.
    """
    reader = Reader(table, meaning or ErrorMeaning(), whole)
    reader.tally.n_rows = len(table)
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
    return MeasuredColumns(values, std, shared, known_units), reader.tally


def _values(reader: Reader, name: str) -> Floats:
    values = numbers(reader.table, name)
    infinite = np.isinf(values)
    values[infinite] = np.nan
    reader.note(infinite.sum(), f"{name}: {{values}} infinite, and taken as missing")
    reader.tally.saw("column", name, np.count_nonzero(~np.isnan(values)))
    if reader.whole is None:
        refuse_no_values(reader.tally, name)
    if reader.takes_notes:
        reader.tally.notes.append(Suspects.of(name, values))
    return values


def refuse_no_values(tally: Tally, name: str) -> None:
    """CatalogueError if a column has none."""
    if not tally.n_seen["column", name]:
        raise CatalogueError(
            f"column {name!r} has no value in any of its {tally.n_rows:,} rows; leave it out"
        )


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
    _hide_zeros(reader, pair, values, std, np.abs(np.concatenate(given)))
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
    flag = pairing.limits[name].column

    def say(note: Note) -> str:
        marks = [f"{mark!r} {n} times" for mark, n in note.counts.items() if mark]
        return (
            f"{name}: {counted(note.total)} missing because {flag} flags limits ({', '.join(marks[:4])}); "
            f"--limit {name}=none takes them as measured"
        )

    n_hidden = int(hidden.sum())
    counts = {"": n_hidden, **(limits.marks if n_hidden else {})}
    reader.tally.notes.append(Note(f"{name}: limits", say, counts))


def _raise_to_floor(reader: Reader, pair: ErrorColumns, values: Floats, std: Floats) -> Floats:
    floor = reader.meaning.floor_of(pair.column)
    low = (std < floor) & ~np.isnan(values)

    def say(note: Note) -> str:
        n, n_zero = note.total, note.counts["0"]
        source = ", ".join(pair.names)
        errors = f"1 error ({source}) is" if n == 1 else f"{n:,} errors ({source}) are"
        start = " from 0" if n_zero == n else ""
        rest = f", {n_zero:,} of them from 0" if 0 < n_zero < n else ""
        return f"{pair.column}: {errors} raised{start} to the floor {floor:g}{rest}"

    counts = {"": int(low.sum()), "0": int((std[low] == 0).sum())}
    reader.tally.notes.append(Note(f"{pair.column}: floor", say, counts))
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
        raise RowError(
            row,
            f", column {name!r}: an error cannot be negative, and this is {errors[row]:g}{others}; if that "
            f"means 'missing', say missing=[{errors[row]:g}] (--missing {errors[row]:g})",
        )


def _hide_unknown(reader: Reader, pair: ErrorColumns, values: Floats, std: Floats) -> None:
    unknown = ~np.isfinite(std) & ~np.isnan(values)
    values[unknown] = np.nan
    why = "inverse variance is 0 or missing" if pair.kind == "ivar" else "error is missing"
    reader.note(
        unknown.sum(),
        f"{pair.column}: {{values}} missing because the {why} ({', '.join(pair.names)})",
    )


def _all_zero(pair: ErrorColumns) -> str:
    """A column that was never filled looks like this, too."""
    return (
        f"{pair.column}: {{values}} taken as exact because all errors are 0 ({', '.join(pair.names)}); if they are "
        f"not known, --error {pair.column}=NUMBER gives one"
    )


def _hide_zeros(
    reader: Reader, pair: ErrorColumns, values: Floats, std: Floats, given: Floats
) -> None:
    """An error of 0 among positive ones means 'not known', or was rounded.

    Taken literally, it would be the best measurement of all.
    """
    seen, whole, treatment = ~np.isnan(values), reader.whole, reader.meaning.zero_errors
    zero, is_positive = seen & (std == 0), bool((std[seen] > 0).any())
    if is_positive:
        reader.tally.positive |= {pair.column}
    is_mixed = is_positive if whole is None else pair.column in whole.positive
    if not is_mixed:
        if reader.takes_notes and treatment != "exact":
            reader.note(zero.sum(), _all_zero(pair))
        return
    if whole is None and not zero.any():
        return
    if reader.takes_notes:
        place = Place(int(np.argmax(zero)), 0.0) if zero.any() else None
        note = ZeroErrors(pair, treatment, int(zero.sum()), place, Rounding.of(given))
        if whole is None:
            note.refuse()
        reader.tally.notes.append(note)
    if treatment == "missing":
        values[zero] = np.nan
