"""Colours and shapes, the same in every picture: told apart by colour-blind people, and on a projector.

The colours are Okabe and Ito's. No meaning is in a colour alone: strange groups have shapes and letters, sides have
arrows, lines have dashes.
"""

from __future__ import annotations

ORDINARY = "#6b7780"
"""Ordinary objects, and whatever is in the background."""

INK = "#22282d"
"""Text, and the outlines of ordinary components."""

FAINT = "#d9dee2"
"""Grids, and lines that only guide the eye."""

OUTLIER = "#d55e00"
"""Discoveries that belong to no strange group."""

CLEAN = "#009e73"
"""Clean values, without their measurement errors."""

HIGH, LOW = "#d55e00", "#0072b2"
"""A value that is too high, and one that is too low."""

GROUP_COLOURS = ("#0072b2", "#cc79a7", "#e69f00", "#56b4e9")
"""Strange groups, the largest first; then from the beginning."""

GROUP_MARKERS = ("s", "^", "D", "v")
"""Shapes of strange groups, by the names of matplotlib."""

OUTLIER_MARKER = "o"

LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#22282d")
"""Curves beside each other."""


def group_style(place: int) -> tuple[str, str]:
    """Colour and shape of a strange group.

    Parameters
    ----------
    place : int
        0 for the largest, and so on.

    Returns
    -------
    colour, marker : str

    Examples
    --------
    >>> group_style(0), group_style(5)
    (('#0072b2', 's'), ('#cc79a7', '^'))
    """
    cycle = place % len(GROUP_COLOURS)
    return GROUP_COLOURS[cycle], GROUP_MARKERS[cycle]
