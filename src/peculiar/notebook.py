"""Tables as a notebook shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

MOST_ROWS = 20
"""More rows than this are not shown; their number is."""

_LONGEST = 60  # characters of a cell
_WHOLE = 1e15  # whole numbers below this are shown with all their digits


def html_table(columns: Mapping[str, Any], caption: str = "", n_rows: int | None = None) -> str:
    """A table in HTML: its first rows, and how many are left out. Every text is shown as it is, never run.

    Parameters
    ----------
    columns : dict of sequences
        Their first rows are enough.
    caption : str, optional
    n_rows : int, optional
        Number of rows in all; None if ``columns`` has them all.

    Returns
    -------
    str

    Examples
    --------
    >>> html_table({"name": ["<b>"]}).partition("<tbody>")[2]
    '<tr><td>&lt;b&gt;</td></tr></tbody></table></div>'
    """
    n_all = len(next(iter(columns.values()), ())) if n_rows is None else n_rows
    heads = "".join(f"<th>{escape(str(name))}</th>" for name in columns)
    shown = (column[:MOST_ROWS] for column in columns.values())
    lines = ["".join(_cell(cell) for cell in row) for row in zip(*shown, strict=True)]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    if n_all > len(lines):
        rest = f"... and {n_all - len(lines):,} more"
        body += f'<tr><td colspan="{len(columns)}">{rest}</td></tr>'
    above = f'<caption style="caption-side:top">{escape(caption)}</caption>' if caption else ""
    return (
        '<div style="max-width:100%;overflow-x:auto"><table>'
        f"{above}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Any) -> str:
    return f"<td>{escape(_cut(short(cell)))}</td>"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def short(cell: Any) -> str:
    """A cell for people: floats with three digits, true as 'yes', false as nothing, a dash for a missing value.

    Examples
    --------
    >>> [short(cell) for cell in (0.12345, 1.2e-30, float("nan"), True, "M 31", 12345.6)]
    ['0.123', '1.2e-30', '-', 'yes', 'M 31', '12346']
    """
    if isinstance(cell, float | np.floating):
        number = float(cell)
        if math.isnan(number):
            return "-"
        return f"{number:.0f}" if 1e3 <= abs(number) < 1e6 else f"{number:.3g}"
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else ""
    return "-" if np.ma.is_masked(cell) else str(cell)


def as_in_catalogue(cell: Any) -> str:
    """A cell of the user's own column: up to nine digits of a float, whole numbers whole, very long text cut.

    Examples
    --------
    >>> [as_in_catalogue(cell) for cell in (152.1234567891, np.float32(0.1), 12.50, 2e9, "M 31")]
    ['152.123457', '0.1', '12.5', '2000000000', 'M 31']
    """
    if not isinstance(cell, float | np.floating) or not math.isfinite(cell):
        return _cut(short(cell))
    number = float(str(cell))  # 0.1 of np.float32(0.1), too
    is_whole = number.is_integer() and abs(number) < _WHOLE
    return f"{number:.0f}" if is_whole else f"{number:.9g}"
