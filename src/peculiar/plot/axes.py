"""Axes to draw in, and how they look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from peculiar.errors import PeculiarError
from peculiar.install import how_to_install
from peculiar.report.palette import FAINT, INK

SETTINGS: dict[str, Any] = {
    "font.size": 12,  # read from the last row of a lecture room
    "axes.titlesize": 13,
    "axes.labelsize": 12.5,
    "legend.fontsize": 11.5,
    "xtick.labelsize": 11.5,
    "ytick.labelsize": 11.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "figure.facecolor": "white",  # ink on the dark page of a notebook is not read
    "axes.facecolor": "white",
}


@contextmanager
def drawing(ax: Any, width: float, height: float) -> Iterator[Any]:
    """Axes to draw in: those given, or those of a new figure. The settings of the user stay as they are.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
    width, height : float
        Of a new figure, in inches.

    Yields
    ------
    matplotlib.axes.Axes
    """
    if find_spec("matplotlib") is None:
        raise PeculiarError(f"pictures need matplotlib: {how_to_install('plot')}")
    from matplotlib import pyplot as plt
    from matplotlib import rc_context

    with rc_context(SETTINGS):
        if ax is None:
            _, ax = plt.subplots(figsize=(width, height), layout="constrained")
        yield ax


def legend_above(ax: Any, n_columns: int) -> Any:
    """The legend above the axes, where it covers nothing.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    n_columns : int

    Returns
    -------
    matplotlib.legend.Legend
    """
    n_entries = len(ax.get_legend_handles_labels()[0])
    return ax.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=min(n_columns, n_entries),
        borderaxespad=0.3,
        handletextpad=0.5,
        columnspacing=1.4,
    )
