"""Areas under the ROC curve against the size of the errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from peculiar.reproduce.contenders import LABELS
from peculiar.reproduce.figures.style import COLOURS, legend_below, panels, styled

MARKERS = {
    "idealised": "D",
    "base": "v",
    "structured": "s",
    "exact": "o",
    "tail": "P",
    "outlier": "X",
}


@styled
def draw(numbers: Mapping[str, Any]) -> Figure:
    """Above, areas in and out of sample; below, how far they are from base."""
    figure, axes = panels(9.0, 6.4, 2, 2, sharex=True, sharey="row")
    x = np.arange(len(numbers["levels"]))
    methods = {**LABELS, "oracle": "oracle (knows the truth)"}
    offsets = dict(zip(methods, np.linspace(-0.24, 0.24, len(methods)), strict=True))
    for column, (sample, results) in zip(axes.T, numbers["samples"].items(), strict=True):
        upper, lower = column
        for method, label in methods.items():
            result, place = results[method], x + offsets[method]
            style = {
                "color": COLOURS[method],
                "ms": 4.5,
                "lw": 1.2,
                "capsize": 1.5,
                "elinewidth": 0.7,
            }
            marker = MARKERS.get(method, "_")
            upper.errorbar(
                place,
                result["mean"],
                np.array(result["sd"], dtype=np.float64),
                fmt=marker,
                label=label,
                **style,
            )
            if method not in {"base", "idealised"}:
                error = np.array(result["above_base_error"], dtype=np.float64)
                lower.errorbar(place, result["above_base"], error, fmt=marker, **style)
        lower.axhline(0.0, color=COLOURS["base"], lw=1.0)
        lower.set(xticks=x, xticklabels=[f"[0, {level:g}]" for level in numbers["levels"]])
        lower.set_yscale("symlog", linthresh=0.01, linscale=1.2)
        ticks = [-0.03, -0.01, 0, 0.01, 0.03, 0.1]
        lower.set(
            yticks=ticks, yticklabels=[f"{tick:g}" for tick in ticks], xlabel="error variances"
        )
        upper.set_title(sample)
    axes[0, 0].set_ylabel("AUC, mean and standard deviation")
    axes[1, 0].set_ylabel("AUC less base, mean and its error")
    legend_below(figure, axes[0, 0], 4)
    return figure
