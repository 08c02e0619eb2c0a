"""Clean data, data with errors, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from peculiar.report.outlines import outline
from peculiar.reproduce.figures.style import GROUPS, panels, styled

OUTLIER = "#111111"
MISSED = "#b5302c"
MARKERS = ("o", "s", "^")


@styled
def draw(numbers: Mapping[str, Any]) -> Figure:
    """Three panels, side by side."""
    data = {
        name: np.asarray(numbers[name]) for name in ("clean", "X", "X_std", "population", "group")
    }
    is_discovery = np.asarray(numbers["is_discovery"])
    figure, axes = panels(10.5, 3.9, 1, 3, sharex=True, sharey=True)
    left, centre, right = axes[0]
    _clean(left, data, numbers)
    _measured(centre, data)
    _found(right, data, is_discovery, numbers)
    reach = np.abs(np.concatenate([data["clean"], data["X"]]) - 6.0).max(axis=0) + 1.0
    for axis in axes[0]:
        axis.set(xlim=(6.0 - reach[0], 6.0 + reach[0]), ylim=(6.0 - reach[1], 6.0 + 1.3 * reach[1]))
        axis.set_aspect("equal")
        axis.grid(visible=False)
    return figure


def _clean(axis: Axes, data: Mapping[str, Any], numbers: Mapping[str, Any]) -> None:
    for k, (colour, marker) in enumerate(zip(GROUPS, MARKERS, strict=True)):
        points = data["clean"][data["population"] == k]
        axis.plot(*points.T, marker, ms=3, color=colour, mec="none", alpha=0.7)
        edge = outline(numbers["centres"][k], numbers["covariances"][k], radius=2.0)
        axis.plot(*edge.T, color=colour, lw=1)
    outliers = data["clean"][data["population"] < 0]
    axis.plot(*outliers.T, "*", ms=7, color=OUTLIER, mec="white", mew=0.4, label="outlier")
    axis.set_title("Clean, and never seen")
    axis.legend(loc="upper left")


def _measured(axis: Axes, data: Mapping[str, Any]) -> None:
    sizes = 4.0 + 14.0 * np.square(data["X_std"]).mean(axis=1)
    for k, (colour, marker) in enumerate(zip((*GROUPS, OUTLIER), (*MARKERS, "*"), strict=True)):
        chosen = data["population"] == (k if k < len(GROUPS) else -1)
        scale = 1.0 if k < len(GROUPS) else 1.8
        x, y = data["X"][chosen].T
        axis.scatter(
            x,
            y,
            s=scale * sizes[chosen],
            marker=marker,
            color=colour,
            alpha=0.55,
            lw=0,
        )
    axis.set_title("Measured (large marker: large error)")


def _found(
    axis: Axes, data: Mapping[str, Any], is_discovery: Any, numbers: Mapping[str, Any]
) -> None:
    planted = data["population"] < 0
    for k, (colour, marker) in enumerate(zip(GROUPS, MARKERS, strict=True)):
        chosen = (data["group"] == k) & ~is_discovery
        axis.plot(*data["X"][chosen].T, marker, ms=3, color=colour, mec="none", alpha=0.5)
        edge = outline(numbers["found_centres"][k], numbers["found_covariances"][k], radius=2.0)
        axis.plot(*edge.T, color=colour, lw=1)
    styles: dict[str, tuple[Any, dict[str, Any]]] = {
        "outlier, discovered": (
            is_discovery & planted,
            {"color": OUTLIER, "mec": "white", "mew": 0.4},
        ),
        "outlier, not discovered": (
            ~is_discovery & planted,
            {"color": "none", "mec": OUTLIER, "mew": 0.7},
        ),
        "ordinary, taken for one": (
            is_discovery & ~planted,
            {"color": MISSED, "mec": "white", "mew": 0.4},
        ),
    }
    for label, (chosen, style) in styles.items():
        text = f"{label}: {int(chosen.sum())}"
        axis.plot(*data["X"][chosen].T, "*", ms=8, ls="none", label=text, **style)
    axis.set_title("Estimated groups, detected outliers")
    axis.legend(loc="upper left")
