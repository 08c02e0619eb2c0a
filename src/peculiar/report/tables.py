"""Tables (columns by name) as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Table = Mapping[str, Sequence[Any] | np.ndarray[Any, Any]]


def to_csv(table: Table) -> str:
    """Comma separated values with a header row; floats with every digit, missing ones empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.keys())
    for row in zip(*table.values(), strict=True):
        writer.writerow([_exact(cell) for cell in row])
    return out.getvalue()


def _exact(cell: Any) -> Any:
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, float):
        return "" if np.isnan(cell) else repr(cell)
    return cell


def to_text(table: Table, n_rows: int | None = None) -> str:
    """Aligned columns for people to read; floats with three digits."""
    rows = [list(table)] + [
        [_short(cell) for cell in row] for row in list(zip(*table.values(), strict=True))[:n_rows]
    ]
    widths = [max(len(row[j]) for row in rows) for j in range(len(table))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def _short(cell: Any) -> str:
    if isinstance(cell, float | np.floating):
        return "-" if np.isnan(cell) else f"{cell:.3g}"
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else ""
    return str(cell)
