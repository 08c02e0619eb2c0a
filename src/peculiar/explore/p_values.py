"""The histogram of p-values, with the level that ordinary objects alone would have."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import Span

from peculiar.explore import names
from peculiar.explore.colours import CLEAN, SELECTED
from peculiar.explore.figures import make_figure
from peculiar.report.scene import Trust


def p_values(trust: Trust) -> Any:
    """All p-values, and where the discoveries end.

    Parameters
    ----------
    trust : Trust
    """
    counts = trust.histogram
    edges = np.linspace(0.0, 1.0, len(counts) + 1)
    level = trust.n / len(counts)
    top = 1.12 * max(float(counts.max(initial=1)), level)
    plot = make_figure(names.P_VALUES, ("p-value", "objects"), (-0.01, 1.0), (0.0, top))
    plot.quad(
        left=edges[:-1], right=edges[1:], bottom=0, top=counts, fill_color="#b8c4d0",
        line_color="white",
    )  # fmt: skip
    plot.add_layout(
        Span(location=level, dimension="width", line_color=CLEAN, line_width=2, line_dash="dashed")
    )
    line = Span(location=0.0, dimension="height", line_color=SELECTED, line_width=2.5)
    line.name = names.LINE
    plot.add_layout(line)
    plot.xgrid.grid_line_color = None
    return plot
