"""The page in one file, which needs no network."""

from __future__ import annotations

import base64
import hashlib
import os
import re

from peculiar.explore.page import Page, make_page
from peculiar.files import write_whole
from peculiar.report.scene import Scene

_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
_POLICY = "POLICY-OF-THIS-PAGE"


def write_report(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write the page about a ranked list into one file: it works from disk, and asks no other computer for anything.

    Parameters
    ----------
    scene : Scene
        As :func:`peculiar.report.scene.read_scene` gives it.
    path : path-like
    """
    write_whole(path, as_html(make_page(scene)))


def as_html(page: Page) -> str:
    """The whole page, with Bokeh in it and a policy that permits no request and no script but these."""
    from bokeh.document import Document
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    document = Document()
    for plot in page.roots:
        document.add_root(plot)
    variables = page.variables | {"policy": _POLICY}
    html: str = file_html(
        document,
        INLINE,
        title=page.title,
        template=page.template,
        template_variables=variables,
    )
    return html.replace(_POLICY, policy(html), 1)


def policy(html: str) -> str:
    """A Content-Security-Policy for a page: its own scripts may run, by their digests, and nothing may be fetched.

    Examples
    --------
    >>> policy("<script>go()</script>")[:41]
    "default-src 'none'; script-src 'sha256-5K"
    """
    scripts = [
        found["code"] for found in _SCRIPT.finditer(html) if "json" not in found["attributes"]
    ]
    digests = [
        base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in scripts
    ]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
