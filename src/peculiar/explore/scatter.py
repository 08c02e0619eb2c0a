"""The scatter of two features: all objects as an image, the strangest as marks, the selected one with its errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import Arrow, ColumnDataSource, HoverTool, LinearColorMapper, NormalHead

from peculiar.explore import names
from peculiar.explore.axes import Axes
from peculiar.explore.colours import (
    CLEAN,
    INK,
    SELECTED,
    as_levels,
    bulk_palette,
    colours_of,
    shape_of,
)
from peculiar.explore.figures import make_figure
from peculiar.report.scene import Objects, Scene

TOOLS = "pan,wheel_zoom,box_zoom,tap,reset"


def scatter(scene: Scene, axes: Axes) -> Any:
    """The figure of two features, with everything drawn in it.

    Parameters
    ----------
    scene : Scene
    axes : Axes
        What is on them at first.
    """
    i, j = axes.first
    plot = make_figure(
        names.SCATTER,
        (axes.labels[i], axes.labels[j]),
        (axes.low[i], axes.high[i]),
        (axes.low[j], axes.high[j]),
        tools=TOOLS,
        active_scroll="wheel_zoom",
        toolbar_location="above",
    )
    _draw_bulk(plot, axes)
    marks = _draw_objects(plot, scene.objects, axes)
    _draw_outlines(plot)
    _draw_selected(plot)
    plot.add_tools(HoverTool(renderers=[marks], tooltips=[("", "@label"), ("p", "@p_text")]))
    return plot


def _draw_bulk(plot: Any, axes: Axes) -> None:
    i, j = axes.first
    source = ColumnDataSource(
        name=names.BULK,
        data={
            "image": [as_levels(axes.counts(i, j))],
            "x": [axes.low[i]],
            "y": [axes.low[j]],
            "dw": [axes.high[i] - axes.low[i]],
            "dh": [axes.high[j] - axes.low[j]],
        },
    )
    mapper = LinearColorMapper(palette=bulk_palette(), low=0, high=255)
    plot.image("image", "x", "y", "dw", "dh", source=source, color_mapper=mapper)


def _draw_outlines(plot: Any) -> None:
    """Those of components and groups; the scripts fill them in."""
    source = ColumnDataSource(
        name=names.ELLIPSES, data={"xs": [], "ys": [], "colour": [], "width": []}
    )
    plot.multi_line("xs", "ys", source=source, line_color="colour", line_width="width")


def _draw_objects(plot: Any, objects: Objects, axes: Axes) -> Any:
    i, j = axes.first
    place = axes.place(objects)
    source = ColumnDataSource(
        name=names.OBJECTS,
        data={
            "x": place[:, i],
            "y": place[:, j],
            "colour": colours_of(objects.p),
            "shape": [shape_of(letter) for letter in objects.group],
            "size": np.zeros(objects.n),  # the scripts know where the line is
            "alpha": np.zeros(objects.n),
            "label": [
                name or f"row {row}" for name, row in zip(objects.name, objects.row, strict=True)
            ],
            "p_text": [f"{p:.2g}" for p in objects.p],
        },
    )
    look = {"fill_color": "colour", "fill_alpha": "alpha", "line_alpha": "alpha"}
    marks = plot.scatter(
        "x",
        "y",
        source=source,
        size="size",
        marker="shape",
        line_color="white",
        line_width=0.5,
        **look,
    )
    # What is selected has a ring of its own; the others stay as they are.
    marks.nonselection_glyph = marks.selection_glyph = None
    return marks


def _draw_selected(plot: Any) -> None:
    """The selected object: the scripts fill it in."""
    for name, colour, dash in ((names.ERROR, SELECTED, "solid"), (names.CLEAN, CLEAN, "solid")):
        source = ColumnDataSource(name=name, data={"x": [], "y": []})
        plot.patch(
            "x", "y", source=source, fill_color=colour, fill_alpha=0.12, line_color=colour,
            line_width=2, line_dash=dash,
        )  # fmt: skip
    arrow = ColumnDataSource(
        name=names.ARROW, data={"x_start": [], "y_start": [], "x_end": [], "y_end": []}
    )
    head = NormalHead(size=7, fill_color=INK, line_color=INK)
    plot.add_layout(Arrow(source=arrow, end=head, line_color=INK, line_width=1.6))
    chosen = ColumnDataSource(name=names.CHOSEN, data={"x": [], "y": [], "colour": [], "size": []})
    plot.scatter(
        "x", "y", source=chosen, size="size", fill_alpha=0.0, line_color="colour", line_width=2.5
    )
