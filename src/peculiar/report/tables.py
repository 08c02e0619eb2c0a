"""Tables (columns by name) as text."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from peculiar.notebook import short

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


def to_json(value: Any) -> str:
    """JSON of dicts, sequences, arrays, text and numbers; null for numbers that are not finite.

    Examples
    --------
    >>> to_json({"tolerance": np.array([1.5, np.inf])})
    '{"tolerance": [1.5, null]}'
    """
    return json.dumps(_plain(value), allow_nan=False, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def to_text(table: Table, n_rows: int | None = None) -> str:
    """Aligned columns for people to read; floats with three digits."""
    rows = [list(table)] + [
        [short(cell) for cell in row] for row in list(zip(*table.values(), strict=True))[:n_rows]
    ]
    widths = [max(len(row[j]) for row in rows) for j in range(len(table))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
