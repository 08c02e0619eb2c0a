"""Values that mean 'missing': -9999, 99, ... They count as missing only when the user says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.light import in_full
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

Sentinel: TypeAlias = float | str


def mask_sentinels(table: Table, missing: Sequence[Sentinel]) -> tuple[Table, dict[str, int]]:
    """The table with these values masked, and how many they were in each column.

    Parameters
    ----------
    table : astropy.table.Table
        Not changed.
    missing : sequence of float or str
        Numbers, also in columns of text; words in columns of text only.

    Returns
    -------
    table : astropy.table.Table
    counts : dict
    """
    values = _as_sequence(missing)
    counts: dict[str, int] = {}
    if not values:
        return table, counts
    from astropy.table import MaskedColumn

    changed = in_full(table)
    for name in table.colnames:
        column = table[name]
        found = _find(column, values)
        if found.any():
            counts[name] = int(found.sum())
            before = np.asarray(getattr(column, "mask", False))
            changed[name] = MaskedColumn(changed[name], mask=found | before)
    return changed, counts


def _as_sequence(missing: Sequence[Sentinel] | Sentinel) -> list[Sentinel]:
    if isinstance(missing, str):
        return [word.strip() for word in missing.split(",") if word.strip()]
    if isinstance(missing, int | float | np.number):
        return [float(missing)]
    for value in missing:
        if not isinstance(value, str | int | float | np.number):
            raise CatalogueError(
                f"missing={value!r}: give numbers or words that stand for missing values"
            )
    return list(missing)


def _find(column: Any, values: Sequence[Sentinel]) -> NDArray[np.bool_]:
    """Where a column has one of the values, and is not masked yet."""
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    cells = np.asarray(column) if kind in "fiuUO" else np.empty(len(column), dtype=object)
    if kind in "fiu":
        wanted = [number for value in values if (number := _number(value)) is not None]
        # In the column's own precision: 99.99 in a column of float32 is not the float64 of that name.
        found = [cells == (cells.dtype.type(w) if kind == "f" else w) for w in wanted]
    else:
        words = {f"{value:g}" if not isinstance(value, str) else value for value in values}
        found = [_words_in(cells, words | {str(value) for value in values})] if kind in "UO" else []
    shown = ~np.broadcast_to(np.asarray(getattr(column, "mask", False)), cells.shape)
    return np.any(np.array(found), axis=0) & shown if found else np.zeros(cells.shape, dtype=bool)


def _words_in(cells: NDArray[Any], words: set[str]) -> NDArray[np.bool_]:
    flat = [str(cell).strip() in words for cell in cells.ravel()]
    return np.array(flat, dtype=bool).reshape(cells.shape)


def _number(value: Sentinel) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None
