"""Calibration by noise: whether well and badly measured objects are judged alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import Span

from peculiar.explore import names
from peculiar.explore.colours import CLEAN, INK
from peculiar.explore.figures import make_figure
from peculiar.report.scene.trust import LEVEL, NoiseClasses


def noise(classes: NoiseClasses) -> Any:
    """The share of small p-values in each class of noise: a tenth, whatever the noise.

    Parameters
    ----------
    classes : NoiseClasses
    """
    share = classes.seen / classes.n
    doubt = np.sqrt(LEVEL * (1.0 - LEVEL) / classes.n)  # of a tenth, in a class of this size
    top = 1.15 * max(float((share + 2 * doubt).max()), 2 * LEVEL)
    at = np.arange(1, len(share) + 1)
    plot = make_figure(
        names.NOISE, ("fifths of the objects, by their errors", f"share with p < {LEVEL:g}"),
        (0.5, len(share) + 0.5), (0.0, top),
    )  # fmt: skip
    plot.xaxis.ticker = list(at)
    plot.xaxis.major_label_overrides = {1: "smallest", 5: "largest"} | dict.fromkeys((2, 3, 4), "")
    plot.xgrid.grid_line_color = None
    level = {"dimension": "width", "line_color": CLEAN, "line_width": 2, "line_dash": "dashed"}
    plot.add_layout(Span(location=LEVEL, **level))
    plot.segment(at, share - 2 * doubt, at, share + 2 * doubt, line_color=INK, line_width=1.5)
    plot.scatter(at, share, size=10, fill_color=INK, line_color="white")
    return plot
