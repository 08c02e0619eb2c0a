"""Columns in types that a format has: a wider number where it has no such number, else text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.formats.masks import column_of, decoded

if TYPE_CHECKING:
    from astropy.table import Table

_WIDER: dict[str, dict[str, str]] = {
    # What FITS has for a signed byte, astropy takes for truths.
    "fits": {"int8": "int16"},
    "votable": {"int8": "int16", "uint16": "int32", "uint32": "int64"},
}
_EVERYWHERE = {"float16": "float32", "float128": "float64", "complex256": "complex128"}

_WITHOUT_COMPLEX = {"csv", "parquet"}
_WITH_LISTS = {"ecsv", "parquet"}
_WITH_ARRAYS_OF_TEXT = {"fits", "ecsv", "hdf5", "parquet", "csv"}  # CSV refuses them by itself
_EXACT = 2**53  # float64 has all integers up to here


def writable(table: Table, form: str) -> Table:
    """The same table, with every column in a type that can be written and read again.

    Bytes are text. Dates are text in ISO 8601, durations are seconds. Integers that a format has not are wider ones; an
    unsigned one that is too large for that is its digits as text. Objects (lists, records) are JSON where a format has
    no place for them.

    Parameters
    ----------
    table : astropy.table.Table
        It stays as it is.
    form : str
        Name of the format.

    Returns
    -------
    astropy.table.Table
    """
    from astropy.table import Column, Table

    changed = Table(table, copy=False)
    for name in table.colnames:
        column = changed[name]
        if not isinstance(column, Column):  # times, positions: astropy knows how
            continue
        made = _writable(column, form)
        if made is not column:
            changed.replace_column(name, made)
    return changed


def _writable(column: Any, form: str) -> Any:
    column = _with_plain_cells(column)
    wider = {**_EVERYWHERE, **_WIDER.get(form, {})}.get(column.dtype.name)
    if wider is not None:
        return _like(column, np.asarray(column).astype(wider))
    kind = column.dtype.kind
    if kind == "O" and form not in _WITH_LISTS:
        return _as_json(column)
    if kind == "c" and form in _WITHOUT_COMPLEX:
        return _like(column, np.asarray(column).astype(np.str_))
    return _for_votable(column) if form == "votable" else column


def _with_plain_cells(column: Any) -> Any:
    """Bytes and dates as text, durations in seconds, objects as what they are."""
    kind, cells = column.dtype.kind, np.asarray(column)
    if kind == "S":
        return _like(column, decoded(cells))
    if kind == "M":
        text = np.where(np.isnat(cells), "", np.datetime_as_string(cells))
        return _like(column, text, np.isnat(cells))
    if kind == "m":
        return _in_seconds(column)
    return _of_one_kind(column) if kind == "O" and column.ndim == 1 else column


def _in_seconds(column: Any) -> Any:
    cells = np.asarray(column)
    made = _like(column, cells / np.timedelta64(1, "s"), np.isnat(cells))
    made.unit = "s"
    return made


def _of_one_kind(column: Any) -> Any:
    """Objects that are all text, or all numbers, or missing, as that."""
    import pyarrow as pa

    from peculiar.catalogue.formats.arrow import column_from

    cells = [
        "" if gone else cell for cell, gone in zip(column.tolist(), _mask(column), strict=True)
    ]
    try:
        found = column_from(pa.array(cells, mask=_mask(column)))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return column
    if found.dtype.kind == "O":
        return column
    return _like(column, np.asarray(found), _mask(found))


def _as_json(column: Any) -> Any:
    """Text: as it is, or in the way of JSON if it is no text."""
    cells, missing = np.asarray(column).tolist(), _mask(column)
    texts = [
        cell if isinstance(cell, str) else json.dumps(cell, default=_plain, ensure_ascii=False)
        for cell in cells
    ]
    gone = missing | np.array([cell is None for cell in cells], dtype=bool)
    return _like(column, np.where(gone, "", np.array(texts, dtype=np.str_)), gone)


def _plain(cell: Any) -> Any:
    if isinstance(cell, np.ndarray | np.generic):
        return cell.tolist()
    return str(cell)


def _for_votable(column: Any) -> Any:
    """astropy writes neither unsigned long integers, nor several words in a row, nor masks among several integers."""
    cells, missing = np.asarray(column), _mask(column)
    kind = column.dtype.kind
    if kind == "u" and cells.itemsize == 8:
        return _like(column, _signed(np.where(missing, 0, cells)))
    if kind == "U" and column.ndim > 1:
        return _as_json(_as_objects(column))
    if kind in "iu" and column.ndim > 1 and missing.any():
        known = np.where(missing, 0, cells)
        if np.abs(known.astype(float)).max() <= _EXACT:
            return _like(column, np.where(missing, np.nan, known))
        return _as_json(_as_objects(column))
    return column


def _signed(cells: NDArray[Any]) -> NDArray[Any]:
    """As long integers; as text if one is too large for that."""
    fits = cells.size == 0 or int(cells.max()) <= np.iinfo(np.int64).max
    return cells.astype(np.int64) if fits else cells.astype(np.str_)


def _as_objects(column: Any) -> Any:
    """The rows of a column of arrays as lists; None where something is missing."""
    cells = np.empty(len(column), dtype=object)
    cells[:] = [row.tolist() for row in np.ma.MaskedArray(np.asarray(column), mask=_mask(column))]
    about = {"unit": column.unit, "description": column.description, "meta": column.meta}
    return column_of(cells, **about)


def _mask(column: Any) -> NDArray[np.bool_]:
    return np.broadcast_to(np.asarray(getattr(column, "mask", False)), column.shape)


def _like(column: Any, cells: NDArray[Any], missing: Any = None) -> Any:
    """A column of the same name, unit and description; masked where the first one was, and where a cell is missing."""
    gone = _mask(column) if missing is None else _mask(column) | missing
    about = {"unit": column.unit, "description": column.description, "meta": column.meta}
    return column_of(cells, gone, name=column.name, **about)
