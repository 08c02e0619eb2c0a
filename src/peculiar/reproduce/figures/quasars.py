"""Areas under the ROC curve, and average precision, against the redshift that counts as high."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from peculiar.reproduce.claims.quasars import HIGH
from peculiar.reproduce.figures.style import legend_below, panels, styled
from peculiar.reproduce.quasars import BASELINES, NOISES, SCORES

ROWS = (("auc", "diagonal"), ("auc", "full"), ("ap", "full"))
LABELS = {"auc": "AUC", "ap": "average precision"}
LINES = {"u-r": (0, (4, 2)), "u_err": (0, (1, 1.5)), "neighbour": (0, (5, 1.5, 1, 1.5))}


@styled
def draw(numbers: Mapping[str, Any]) -> Figure:
    """A row for each kind of errors and measure, a column for each score; the band is the range of several starts."""
    figure, axes = panels(12.0, 8.5, len(ROWS), len(SCORES), sharex=True, sharey=True)
    x = np.asarray(numbers["thresholds"])
    for row, (measure, noise) in zip(axes, ROWS, strict=True):
        row[0].set_ylabel(f"{LABELS[measure]}\n{NOISES[noise]}")
        for axis, by_k in zip(row, numbers[measure][noise].values(), strict=True):
            colours = colormaps["viridis"](np.linspace(0.0, 0.9, len(by_k)))
            for (k, starts), colour in zip(by_k.items(), colours, strict=True):
                areas = np.asarray(starts)
                axis.fill_between(
                    x, areas.min(axis=0), areas.max(axis=0), color=colour, alpha=0.18, lw=0
                )
                axis.plot(x, areas[0], color=colour, label=f"K = {k}")
            for name, areas in numbers["baselines"][measure].items():
                axis.plot(x, areas, color="#333333", lw=1.0, ls=LINES[name], label=BASELINES[name])
            axis.axvline(HIGH, color="#bbbbbb", lw=0.8)
            if measure == "auc":
                axis.axhline(0.5, color="#bbbbbb", lw=0.8)
    for row in axes:
        for axis, score in zip(row, SCORES.values(), strict=True):
            axis.set_title(score)
    for axis in axes[-1]:
        axis.set_xlabel("redshift above")
    axes[0, 0].set(xlim=(x[0], x[-1]), ylim=(0.0, 1.01))
    legend_below(figure, axes[0, 0], 5)
    return figure
