"""The live page: from a ranked list to a server that runs until it is stopped."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any

from peculiar.explore.desk import Desk
from peculiar.explore.page import SCRIPTS, make_page
from peculiar.explore.report import as_html
from peculiar.explore.server import ADDRESS, listening
from peculiar.report.scene import read_scene

_OURS = {
    "marks_in_browser.js": ("ask.js", "marks_on_server.js"),
    "start.js": ("zoom.js", "likeness.js", "onward.js", "start.js"),
}
LIVE_SCRIPTS = tuple(ours for name in SCRIPTS for ours in _OURS.get(name, (name,)))
"""Those of the live page, in the order in which they run."""


def prepare(
    ranked: str | os.PathLike[str],
    model: Any = None,
    *,
    top: int | None = None,
    show: Sequence[str] = (),
) -> tuple[Desk, str]:
    """What answers the live page about a ranked list, and the page itself.

    Parameters
    ----------
    ranked : path-like
        The file that ``peculiar rank --out`` wrote.
    model, top, show
        As for :func:`peculiar.report.scene.read_scene`.

    Returns
    -------
    desk : Desk
    html : str
    """
    scene = read_scene(ranked, model, top=top, show=show)
    return Desk(ranked, scene), as_html(make_page(scene, scripts=LIVE_SCRIPTS, is_live=True))


def serve(desk: Desk, html: str, port: int | None, begun: Callable[[str], None]) -> None:
    """Serve the page, on this computer only, until Ctrl-C.

    Parameters
    ----------
    desk, html
        As :func:`prepare` gives them.
    port : int or None
        If None, one that is free.
    begun : callable
        Called with the address of the page, once it is there.
    """

    async def forever() -> None:
        async with listening(desk, html, port) as found:
            begun(f"http://{ADDRESS}:{found}/")
            await asyncio.Event().wait()

    asyncio.run(forever())
