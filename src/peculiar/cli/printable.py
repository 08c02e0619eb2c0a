"""Text from files, made harmless for a terminal."""

from __future__ import annotations


def printable(text: str, *, one_line: bool = False) -> str:
    """The text with a mark in the place of control characters, which could move the cursor or set the title.

    Parameters
    ----------
    text : str
    one_line : bool, default=False
        Whether the ends of lines are replaced, too.

    Returns
    -------
    str
    """
    if text.isprintable():
        return text
    kept = "" if one_line else "\n"
    return "".join(c if c.isprintable() or c in kept else "\N{REPLACEMENT CHARACTER}" for c in text)
