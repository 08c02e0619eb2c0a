"""Average ROC curves, and how much depends on the split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from peculiar.reproduce.claims.lymphography import PAPER
from peculiar.reproduce.contenders import LABELS
from peculiar.reproduce.figures.style import COLOURS, legend_below, panels, styled

CURVES = ("idealised", "base", "structured", "tail")


@styled
def draw(numbers: Mapping[str, Any]) -> Figure:
    """Two panels with curves, one with the areas of all splits, and one with areas by shrinkage."""
    figure, axes = panels(14.0, 3.9, 1, 4, width_ratios=(1, 1, 1.1, 1.2))
    for axis, (name, sample) in zip(axes[0], numbers["samples"].items(), strict=False):
        _curves(axis, np.asarray(numbers["false_positive_rate"]), sample)
        axis.set(title=f"Average ROC, {name}", xlabel="false positive rate")
    axes[0, 0].set_ylabel("true positive rate")
    _areas(axes[0, 2], numbers["samples"]["in-sample"])
    _shrinkage(axes[0, 3], numbers["shrinkage"]["curve"])
    legend_below(figure, axes[0, 0], 4)
    return figure


def _curves(axis: Axes, x: Any, sample: Mapping[str, Any]) -> None:
    for shift, method in enumerate(CURVES):
        mean, sd = (
            np.array(sample[method][key], dtype=np.float64)
            for key in ("true_positive_rate", "true_positive_rate_sd")
        )
        colour = COLOURS[method]
        axis.plot(x, mean, color=colour, label=LABELS[method])
        bars = slice(2 + 3 * shift, None, 12)  # apart from each other, to be seen
        reach = [sd[bars], np.minimum(sd, 1.0 - mean)[bars]]  # nobody finds more than all
        style: dict[str, Any] = {"fmt": "none", "ecolor": colour, "elinewidth": 0.8, "capsize": 1.5}
        axis.errorbar(x[bars], mean[bars], reach, **style)
    axis.plot([0, 1], [0, 1], color="#bbbbbb", lw=0.8, ls=":")
    axis.set(xlim=(-0.01, 1.0), ylim=(0.0, 1.05))


def _areas(axis: Axes, sample: Mapping[str, Any]) -> None:
    for i, method in enumerate(LABELS):
        areas = np.asarray(sample[method]["by_split"])
        jitter = np.linspace(-0.18, 0.18, len(areas)) if len(areas) > 1 else np.zeros(1)
        axis.plot(i + jitter, areas, "o", ms=3.5, mec="none", color=COLOURS[method], alpha=0.6)
        axis.plot([i - 0.28, i + 0.28], [sample[method]["mean"]] * 2, color=COLOURS[method], lw=2)
        if method in PAPER:
            label = "paper" if method == "base" else None
            axis.plot(
                i, PAPER[method], "*", ms=10, color="#111111", mec="white", mew=0.6, label=label
            )
    axis.set_xticks(range(len(LABELS)), list(LABELS), rotation=30, ha="right")
    axis.set(title="In-sample AUC: each split, and the mean")
    axis.legend(loc="lower right")


def _shrinkage(axis: Axes, curve: Mapping[str, Any]) -> None:
    """Areas, and how likely new data are, from a full scatter to a diagonal one."""
    places = range(len(curve))
    for method in ("exact", "tail", "outlier"):
        areas = [found[method] for found in curve.values()]
        axis.plot(places, areas, "o-", ms=3.5, color=COLOURS[method], label=LABELS[method])
    likelihood = axis.twinx()
    likelihood.grid(visible=False)
    held_out = [found["held_out"] for found in curve.values()]
    likelihood.plot(places, held_out, "s--", ms=3.5, color="#777777")
    likelihood.set_ylabel("log-likelihood of new data per row (dashed)", color="#555555")
    axis.set_xticks(places, list(curve))
    axis.set(title="In-sample AUC by shrinkage", xlabel="pseudo-rows")
    axis.legend(loc="lower center")
