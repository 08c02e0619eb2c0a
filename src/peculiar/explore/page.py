"""The page: plots, template, scripts, and the content that the scripts read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from peculiar.explore.axes import Axes
from peculiar.explore.content import as_json, content_of
from peculiar.explore.convergence import convergence
from peculiar.explore.noise import noise
from peculiar.explore.p_values import p_values
from peculiar.explore.pulls import pulls
from peculiar.explore.scatter import scatter
from peculiar.report.scene import Scene
from peculiar.report.scene.card import dof_in_words

SCRIPTS = (
    "data.js",
    "state.js",
    "text.js",
    "ellipse.js",
    "scatter.js",
    "legend.js",
    "pairs.js",
    "trust.js",
    "table.js",
    "why.js",
    "groups.js",
    "marks_in_browser.js",
    "marks.js",
    "history.js",
    "keys.js",
    "start.js",
)
"""In the order in which they run; those of the report. The live page puts its own in the place of
``marks_in_browser.js``."""


@dataclass(frozen=True, eq=False)
class Page:
    """A page, to be written to a file or served.

    Attributes
    ----------
    roots : tuple of Bokeh models
        The plots, each by its name (:mod:`peculiar.explore.names`).
    template : jinja2.Template
        For :func:`bokeh.embed.file_html`, or as the template of a Bokeh document.
    variables : dict
        What it needs besides what Bokeh gives it.
    title : str
    """

    roots: tuple[Any, ...]
    template: Any
    variables: dict[str, Any]
    title: str


def make_page(scene: Scene, *, scripts: Sequence[str] = SCRIPTS, is_live: bool = False) -> Page:
    """The page about a ranked list.

    Parameters
    ----------
    scene : Scene
    scripts : sequence of str, optional
        Files in ``static``, in the order in which they run.
    is_live : bool, default=False
        Whether a server answers.

    Returns
    -------
    Page
    """
    axes = Axes.of(scene)
    plots = _plots(scene, axes)
    content = content_of(scene, axes) | {"is_live": is_live}
    variables = {
        "scene": scene,
        "is_live": is_live,
        "plots": [plot.name for plot in plots],
        "style": static("page.css"),
        "script": "\n".join(static(name) for name in scripts),
        "content": as_json(content),
        "dof_in_words": dof_in_words,
    }
    return Page(plots, _template(), variables, f"{scene.title} - peculiar")


def _plots(scene: Scene, axes: Axes) -> tuple[Any, ...]:
    trust = scene.trust
    plots = [scatter(scene, axes), p_values(trust)]
    if trust.noise is not None:
        plots.append(noise(trust.noise))
    if trust.pulls is not None:
        plots.append(pulls(trust.pulls, scene.features.names))
    if trust.bounds is not None and len(trust.bounds) > 1:
        plots.append(convergence(trust.bounds))
    return tuple(plots)


@cache
def static(name: str) -> str:
    """The text of a file in ``static``."""
    return (files("peculiar.explore") / "static" / name).read_text(encoding="utf-8")


def _template() -> Any:
    """Everything that is filled in is escaped, unless the template says that it is markup already."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(static("page.html"))
