"""Colours and shapes: told apart by those who see fewer colours, and on a projector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats

INK, MUTED, RULE, PAPER = "#1b1f24", "#57606a", "#d0d7de", "#ffffff"

SELECTED, CLEAN, ORDINARY = "#d55e00", "#0072b2", "#30363d"
"""The selected object as measured; its clean position; ordinary components."""

GROUPS = ("#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442", "#0072b2", "#d55e00")
"""Of the strange groups A, B, ...: those of Okabe and Ito."""

SHAPES = ("triangle", "square", "diamond", "inverted_triangle", "star", "hex", "plus")
"""Of the members of the strange groups A, B, ...; others are circles."""

STRANGENESS = ("#9ecae1", "#6baed6", "#4292c6", "#3b5aa6", "#40348c", "#440154")
"""From p = 0.1 on in steps of a factor of 100: light is ordinary, dark is strange."""

_STEP = 2.0  # in log10 p


def bulk_palette() -> list[str]:
    """256 greys: transparent where nothing is, then from light to dark."""
    levels = np.linspace(232, 105, 255).astype(int)
    return ["#ffffff00", *(f"#{level:02x}{level:02x}{level + 6:02x}" for level in levels)]


def colours_of(p: Floats) -> list[str]:
    """A colour for each p-value.

    Examples
    --------
    >>> colours_of(np.array([0.5, 1e-2, 1e-30, 0.0]))
    ['#9ecae1', '#9ecae1', '#440154', '#440154']
    """
    depth = -np.log10(np.maximum(p, 1e-300)) - 1.0
    steps = np.clip(depth / _STEP, 0, len(STRANGENESS) - 1).astype(int)
    return [STRANGENESS[step] for step in steps]


def place_of(letter: str) -> int:
    """0 for A, 1 for B, ..., 26 for A2.

    Examples
    --------
    >>> place_of("B"), place_of("A2")
    (1, 26)
    """
    cycle = int(letter[1:]) - 1 if letter[1:].isdigit() else 0
    return ord(letter[0]) - ord("A") + 26 * cycle


def shape_of(letter: str) -> str:
    """The shape of the members of a group."""
    return SHAPES[place_of(letter) % len(SHAPES)] if letter else "circle"


def group_colour(letter: str) -> str:
    """The colour of a group, or of ordinary components."""
    return GROUPS[place_of(letter) % len(GROUPS)] if letter else ORDINARY


def as_levels(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Counts as numbers from 0 (none) to 255 (most), by their logarithm.

    Examples
    --------
    >>> as_levels(np.array([[0, 1], [30, 1000]]))
    array([[  0,  26],
           [127, 255]], dtype=uint8)
    """
    most = np.log1p(max(int(counts.max(initial=0)), 4))  # a few objects are not yet dark
    levels = np.ceil(255.0 * np.log1p(counts) / most)
    return np.asarray(np.minimum(levels, 255.0), dtype=np.uint8)  # rounding may make it 256
