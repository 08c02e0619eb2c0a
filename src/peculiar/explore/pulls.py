"""Pulls: whether the stated errors are as large as the scatter about the clean values."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import PlainText, Span

from peculiar.explore import names
from peculiar.explore.colours import CLEAN, INK
from peculiar.explore.figures import make_figure
from peculiar.report.scene.trust import Pulls

_NORMAL = (-1.0, 0.0, 1.0)


def pulls(found: Pulls, labels: tuple[str, ...]) -> Any:
    """Median, middle 68 % and middle 95 % of the pulls of each feature.

    Parameters
    ----------
    found : Pulls
    labels : tuple of str
        Of the features.
    """
    d = len(labels)
    at = np.arange(d, 0, -1)  # the first at the top
    far = float(np.nanmax(np.abs(found.percentiles), initial=2.0)) * 1.15
    reach = min(max(far, 2.4), 8.0)
    plot = make_figure(names.PULLS, ("pull", ""), (-reach, reach), (0.4, d + 0.6))
    plot.yaxis.ticker = list(at)
    plot.yaxis.major_label_overrides = {
        int(place): PlainText(shorten(label)) for place, label in zip(at, labels, strict=True)
    }
    plot.ygrid.grid_line_color = None
    for place in _NORMAL:
        dash = "solid" if place == 0.0 else "dashed"
        plot.add_layout(
            Span(
                location=place, dimension="height", line_color=CLEAN, line_width=1.5, line_dash=dash
            )
        )
    low, left, middle, right, high = found.percentiles.T
    plot.segment(low, at, high, at, line_color=INK, line_width=1.5)
    plot.segment(left, at, right, at, line_color=INK, line_width=6)
    plot.scatter(middle, at, size=9, fill_color="white", line_color=INK, line_width=2)
    return plot


def shorten(label: str, longest: int = 18) -> str:
    """The beginning of a long label.

    Examples
    --------
    >>> shorten("a_rather_long_name_of_a_feature")
    'a_rather_long_nam…'
    """
    return label if len(label) <= longest else label[: longest - 1] + "…"
