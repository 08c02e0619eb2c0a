"""The course of the fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.explore import names
from peculiar.explore.colours import CLEAN
from peculiar.explore.figures import make_figure


def convergence(bounds: Floats) -> Any:
    """How much of the log-likelihood was still to be gained after each iteration.

    Parameters
    ----------
    bounds : ndarray
        Mean log-likelihood of an object after each iteration.
    """
    gap = bounds[-1] - bounds[:-1]
    known = gap > 0.0
    steps = np.flatnonzero(known) + 1
    low = float(gap[known].min()) if known.any() else 1e-6
    high = float(gap[known].max()) if known.any() else 1.0
    plot = make_figure(
        names.CONVERGENCE, ("iteration", "still to be gained"), (0, max(len(bounds), 2)),
        (low / 2, 2 * high), y_axis_type="log",
    )  # fmt: skip
    plot.line(steps, gap[known], line_color=CLEAN, line_width=2)
    return plot
