"""Log-likelihood against iteration, and what each engine climbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from peculiar.reproduce.figures.style import COLOURS, panels, styled

LABELS = {
    "exact": "exact",
    "structured": "structured (the paper's)",
    "factorized": "factorized",
    "monte_carlo": "monte_carlo",
    "map": "map",
}


@styled
def draw(numbers: Mapping[str, Any]) -> Figure:
    """Three panels: all engines, a closer look at the end, and the one objective that is not a likelihood."""
    figure, axes = panels(10.5, 3.7, 1, 3, width_ratios=(1.25, 1.25, 0.8))
    left, centre, right = axes[0]
    engines = numbers["engines"]
    for name, path in engines.items():
        style = {"color": COLOURS[name], "label": LABELS[name], "zorder": 2}
        if name == "monte_carlo":  # on top of exact, which it follows
            style |= {"ls": (0, (1, 1.2)), "lw": 2.4, "zorder": 3}
        for axis in (left, centre):
            axis.plot(path["log_likelihood"], **style)
            if path["objective_is"] == "bound":
                axis.plot(path["objective"], color=COLOURS[name], ls="--", lw=1.1)
    left.plot([], color="#777777", ls="--", lw=1.1, label="its own bound")
    left.set(
        xlabel="iteration",
        ylabel="log-likelihood per object",
        title="True log-likelihood of the parameters",
    )
    left.legend(loc="lower right", bbox_to_anchor=(1.0, 0.12))
    best = max(path["log_likelihood"][-1] for path in engines.values())
    lowest = min(
        path["objective"][-1] for path in engines.values() if path["objective_is"] == "bound"
    )
    centre.set(
        xlabel="iteration",
        title="The same, closer",
        ylim=(lowest - 0.15 * (best - lowest), best + 0.15 * (best - lowest)),
    )
    right.plot(engines["map"]["objective"], color=COLOURS["map"], ls="--", lw=1.1)
    right.set(xlabel="iteration", title="What map climbs")
    right.set_ylabel("log of a joint density, no likelihood")
    return figure
