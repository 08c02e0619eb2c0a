"""How an object is known from one day to the next: by its row in the catalogue, and by its name."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from peculiar.errors import MarksError

NAMES = (
    "name",
    "main_id",
    "designation",
    "source_id",
    "object",
    "objname",
    "objid",
    "obj_id",
    "id",
    "star",
    "source_name",
)
"""Columns that are taken for names, in this order, in capitals or not."""

_OURS = "peculiar_"  # before our columns whose names the catalogue has already


def object_keys(table: Any, name: str | None = None) -> list[str]:
    """A key for each object of a ranked list: its row in the catalogue and, if it has one, its name.

    Keys do not depend on the order of the list, so that marks outlive a new ranking of the same catalogue.

    Parameters
    ----------
    table : astropy.table.Table or dict of columns
        A ranked list, with its column ``row``.
    name : str, optional
        The column with the names. Otherwise the first of ``NAMES`` that is there, if any.

    Returns
    -------
    list of str

    Raises
    ------
    MarksError
        The table is no ranked list, a column is not there, or two objects have the same key.

    Examples
    --------
    >>> object_keys({"row": [7, 0], "Name": ["M 31", "M 33"]})
    ['7:M 31', '0:M 33']
    """
    columns = list(getattr(table, "colnames", table))
    rows = [str(int(row)) for row in np.asarray(table[_row_column(columns)])]
    column = name_column(columns, name)
    if column is None:
        keys = rows
    else:
        keys = [f"{row}:{text}" for row, text in zip(rows, _texts(table[column]), strict=True)]
    return _unlike(keys)


def fingerprint(keys: Collection[str]) -> str:
    """A digest of the objects of a list, whatever their order.

    Examples
    --------
    >>> fingerprint(["1:a", "0:b"]) == fingerprint(["0:b", "1:a"]) != fingerprint(["0:b"])
    True
    """
    digest = hashlib.sha256()
    for key in sorted(keys):
        digest.update(key.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:32]


def _row_column(columns: Sequence[str]) -> str:
    """The last of row, peculiar_row, ...: those before it are of the catalogue."""
    ours = [name for name in columns if name.removeprefix(_OURS * name.count(_OURS)) == "row"]
    if not ours:
        raise MarksError(
            "the table has no column 'row', so it is no ranked list; write one with `peculiar rank --out`"
        )
    return max(ours, key=len)


def name_column(columns: Sequence[str], given: str | None = None) -> str | None:
    """The column with the names of the objects: the given one, or the first of ``NAMES`` that is there."""
    if given is not None:
        if given not in columns:
            raise MarksError(f"there is no column {given!r} to take the names of the objects from")
        return given
    by_lower = {column.lower(): column for column in reversed(columns)}
    return next((by_lower[name] for name in NAMES if name in by_lower), None)


def _texts(column: Any) -> list[str]:
    """Cells as text; a column of text at once, since lists have millions of rows."""
    cells = np.ma.asarray(column)
    if cells.dtype.kind != "U":
        return [_text(cell) for cell in column]
    mask = np.ma.getmaskarray(cells)
    return list((np.where(mask, "", cells.data) if mask.any() else cells.data).tolist())


def _text(cell: Any) -> str:
    if np.ma.is_masked(cell):
        return ""
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)


def _unlike(keys: list[str]) -> list[str]:
    if len(set(keys)) == len(keys):
        return keys
    seen: set[str] = set()
    twice = next(key for key in keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    raise MarksError(
        f"two objects of the list are {twice!r} (row and name), so that a mark could be of either; rank the catalogue "
        "in one go, so that each row has its own number"
    )
