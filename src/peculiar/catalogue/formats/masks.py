"""Masks: what a format has no way to say, and what columns made of plain arrays look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from astropy.table import Table


def column_of(values: NDArray[Any], missing: NDArray[np.bool_] | None = None, **about: Any) -> Any:
    """A column; a masked one only if something is missing.

    Parameters
    ----------
    values : ndarray
    missing : ndarray of bool, optional
    **about
        unit, description, meta.
    """
    from astropy.table import Column, MaskedColumn

    if values.dtype == np.float16:  # too short for the usual number behind a mask
        values = values.astype(np.float32)
    if missing is None or not missing.any():
        return Column(values, **about)
    return MaskedColumn(values, mask=missing, **about)


def decoded(cells: NDArray[np.bytes_]) -> NDArray[np.str_]:
    r"""Bytes as text, in UTF-8; a byte that is none stays to be seen.

    Examples
    --------
    >>> print(decoded(np.array([b"Sm\xc3\xa5", b"Sm\xe5"])))
    ['Små' 'Sm\\xe5']
    """
    return np.char.decode(cells, "utf-8", "backslashreplace")


def decode_text(table: Table) -> Table:
    """Bytes as text, in UTF-8. astropy's own way stops at columns that are no arrays, such as times."""
    for name in table.colnames:
        column = table[name]
        if getattr(getattr(column, "dtype", None), "kind", "") == "S":
            about = {"unit": column.unit, "description": column.description, "meta": column.meta}
            cells = decoded(np.asarray(column))
            table[name] = column_of(cells, np.asarray(getattr(column, "mask", False)), **about)
    return table


def mask_empty_text(table: Table) -> Table:
    """Empty text as missing text: formats without a mask for text write it so."""
    from astropy.table import MaskedColumn

    for name in table.colnames:
        column = table[name]
        if getattr(getattr(column, "dtype", None), "kind", "") != "U":
            continue
        empty = np.asarray(column) == ""
        if empty.any():
            mask = empty | np.asarray(getattr(column, "mask", False))
            table[name] = MaskedColumn(column, mask=mask)
    return table
