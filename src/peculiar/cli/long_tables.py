"""Tables of hundreds of rows: rich takes two seconds for the columns of a catalogue that has five thousand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LONG = 200
"""Rows."""


def long_table(
    columns: Mapping[str, Sequence[str]], to_the_left: Sequence[str], width: int
) -> list[str]:
    """The lines of a long table, as rich would show it; none if it is short, or wider than the screen."""
    from rich.cells import cell_len

    if len(next(iter(columns.values()), ())) < LONG:
        return []
    shown = [[name, *cells] for name, cells in columns.items()]
    lengths = [[cell_len(cell) for cell in cells] for cells in shown]
    widths = [max(each) for each in lengths]
    if sum(widths) + 2 * (len(widths) - 1) > width:
        return []
    padded = [
        _padded(cells, each, wide, is_left=name in to_the_left)
        for name, cells, each, wide in zip(columns, shown, lengths, widths, strict=True)
    ]
    head, *rows = ("  ".join(row) for row in zip(*padded, strict=True))
    return [head, "-" * (sum(widths) + 2 * (len(widths) - 1)), *rows]


def _padded(
    cells: Sequence[str], lengths: Sequence[int], width: int, *, is_left: bool
) -> list[str]:
    """Counted in places of the screen: some letters take two."""
    blanks = [" " * (width - length) for length in lengths]
    if is_left:
        return [cell + blank for cell, blank in zip(cells, blanks, strict=True)]
    return [blank + cell for cell, blank in zip(cells, blanks, strict=True)]
