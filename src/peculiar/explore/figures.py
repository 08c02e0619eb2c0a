"""How all figures look."""

from __future__ import annotations

from typing import Any

from bokeh.models import PlainText, Range1d, Toolbar
from bokeh.plotting import figure

from peculiar.explore.colours import INK, MUTED, PAPER, RULE

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def make_figure(
    name: str, labels: tuple[str, str], x: tuple[float, float], y: tuple[float, float], **more: Any
) -> Any:
    """A figure with labels and ranges.

    Parameters
    ----------
    name : str
        By which scripts and servers find it.
    labels : (str, str)
        Below the x axis, beside the y axis.
    x, y : (float, float)
    **more
        As for :class:`bokeh.plotting.figure`.
    """
    plot = figure(
        name=name,
        x_range=Range1d(*x),
        y_range=Range1d(*y),
        # Of a string Bokeh would make a formula if it has $$, or \( and \), in it.
        x_axis_label=PlainText(labels[0]),
        y_axis_label=PlainText(labels[1]),
        sizing_mode="stretch_both",
        min_border=6,
        **{"tools": "", "toolbar_location": None, **more},
    )
    plot.outline_line_color = RULE
    plot.background_fill_color = plot.border_fill_color = PAPER
    plot.grid.grid_line_color = RULE
    plot.grid.grid_line_alpha = 0.5
    for axis in plot.axis:
        axis.axis_label_text_font = axis.major_label_text_font = FONT
        axis.axis_label_text_font_size, axis.major_label_text_font_size = "14px", "12px"
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_color, axis.major_label_text_color = INK, MUTED
        axis.axis_line_color = axis.major_tick_line_color = MUTED
        axis.minor_tick_line_color = None
    assert isinstance(plot.toolbar, Toolbar)
    plot.toolbar.logo = None
    return plot
