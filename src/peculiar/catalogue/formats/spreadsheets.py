"""Text that a spreadsheet would run: a cell that begins with = + - or @ is a formula there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from astropy.table import Table

FIRST = ("=", "+", "-", "@", "\t", "\r")
"""Characters that make a formula of what follows (a tab or a return is skipped before one)."""

MARK = "'"
"""Says that what follows is text; spreadsheets do not show it."""


def harmless(table: Table) -> Table:
    """The table with a mark before text that is a formula in a spreadsheet; numbers are never changed.

    Parameters
    ----------
    table : astropy.table.Table
        Not changed.

    Returns
    -------
    astropy.table.Table
    """
    from astropy.table import Table

    changed = Table(table, copy=False)
    for name in table.colnames:
        column = table[name]
        if getattr(getattr(column, "dtype", None), "kind", "") in {"U", "O"} and column.ndim == 1:
            changed[name] = _harmless_column(column)
    for name in table.colnames:
        if (safe := harmless_cell(name)) != name:
            changed.rename_column(name, safe)
    return changed


def harmless_cell(cell: Any) -> Any:
    """A cell, with a mark before it if it is text that would be run.

    Examples
    --------
    >>> [harmless_cell(cell) for cell in ("=1+1", "-12.5", "+45 1234", -3.0, "M 31")]
    ["'=1+1", '-12.5', "'+45 1234", -3.0, 'M 31']
    """
    if not isinstance(cell, str) or not cell.startswith(FIRST) or _is_number(cell):
        return cell
    return MARK + cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _harmless_column(column: Any) -> Any:
    cells = np.asarray(column).tolist()
    safe = [harmless_cell(cell) for cell in cells]
    if safe == cells:
        return column
    made = np.array(safe, dtype=object if column.dtype.kind == "O" else np.str_)
    mask = getattr(column, "mask", None)
    from astropy.table import Column, MaskedColumn

    return Column(made) if mask is None else MaskedColumn(made, mask=np.array(mask))
