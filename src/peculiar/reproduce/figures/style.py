"""How all figures look."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

DPI = 200

COLOURS = {
    "idealised": "#9a9a9a",
    "base": "#b5302c",
    "structured": "#e08a1e",
    "factorized": "#b5302c",
    "monte_carlo": "#4c9f70",
    "map": "#7a5195",
    "exact": "#1b6ca8",
    "tail": "#0b3c5d",
    "outlier": "#2a9d8f",
    "oracle": "#111111",
}
"""One colour for each method and engine, the same in all figures."""

GROUPS = ("#1b6ca8", "#e08a1e", "#4c9f70")

_SETTINGS: dict[str, Any] = {
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "savefig.dpi": DPI,
    "lines.linewidth": 1.5,
}


def styled(draw: Callable[[Mapping[str, Any]], Figure]) -> Callable[[Mapping[str, Any]], Figure]:
    """Draw with these settings, and leave those of the user alone."""

    @functools.wraps(draw)
    def drawn(numbers: Mapping[str, Any]) -> Figure:
        with rc_context(_SETTINGS):
            return draw(numbers)

    return drawn


def panels(
    width: float, height: float, n_rows: int = 1, n_columns: int = 1, **options: Any
) -> tuple[Figure, Any]:
    """A figure and its axes; sizes in inches.

    Figures are made without pyplot: they need no screen, and nothing is left behind.
    """
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    return figure, figure.subplots(n_rows, n_columns, squeeze=False, **options)


def legend_below(figure: Figure, axis: Axes, n_columns: int) -> None:
    """One legend for all panels, taken from one of them."""
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncol=n_columns)
