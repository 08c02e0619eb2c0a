"""A server for the live page: on this computer, for this computer, and with no file but its own page.

It answers a few questions in JSON (:class:`peculiar.explore.desk.Desk`) and keeps nothing in memory that an open page
needs: when it is stopped and started again, the page goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError

from peculiar.errors import PeculiarError, SettingError
from peculiar.explore.desk import FORMATS, Desk
from peculiar.explore.guard import Guarded, Nothing

ADDRESS, PORT = "127.0.0.1", 5007

LARGEST = 1_000_000
"""Bytes of a question."""

QUESTIONS: dict[str, Callable[[Desk], Callable[..., dict[str, Any]]]] = {
    "image": lambda desk: desk.image,
    "marks": lambda desk: desk.keep,
    "order": lambda desk: desk.order,
    "send": lambda desk: desk.send,
}
"""What can be asked by POST, with the arguments as a JSON object."""


class _Page(Guarded):
    def get(self) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.write(self.application.settings["html"])


class _Question(Guarded):
    async def post(self, name: str) -> None:
        if name not in QUESTIONS:
            raise HTTPError(404)
        try:
            asked = dict(json.loads(self.request.body))
            method = QUESTIONS[name](self.application.settings["desk"])
            # In a thread: what takes long must not keep other windows waiting.
            found = await asyncio.to_thread(method, **asked)
        except (PeculiarError, ValueError, TypeError, RecursionError) as error:
            self.answer({"error": str(error)}, 400)
        else:
            self.answer(found)


class _Export(Guarded):
    async def get(self, extension: str) -> None:
        if extension not in FORMATS:
            raise HTTPError(404)
        made = await asyncio.to_thread(self.application.settings["desk"].export, extension)
        self.set_header("Content-Type", FORMATS[extension])
        self.set_header("Content-Disposition", f'attachment; filename="marks.{extension}"')
        self.write(made)


@contextlib.asynccontextmanager
async def listening(desk: Desk, html: str, port: int | None = None) -> AsyncIterator[int]:
    """Serve the page while the block runs.

    Parameters
    ----------
    desk : Desk
    html : str
        The page.
    port : int, optional
        The one to use; otherwise ``PORT``, or a free one if that is taken.

    Yields
    ------
    int
        The port.
    """
    here = _bind(port)
    settings = {"desk": desk, "html": html.encode(), "port": here.getsockname()[1]}
    routes: list[Any] = [
        (r"/", _Page),
        (r"/ask/([a-z]+)", _Question),
        (r"/marks\.([a-z]+)", _Export),
        (r".*", Nothing),
    ]
    app = Application(routes, log_function=lambda _: None, **settings)
    server = HTTPServer(app, max_body_size=LARGEST)
    server.add_socket(here)
    try:
        yield int(settings["port"])
    finally:
        server.stop()
        await server.close_all_connections()


def _bind(port: int | None) -> socket.socket:
    try:
        return _socket(PORT if port is None else port)
    except OSError as error:
        if port is None:
            return _socket(0)
        raise SettingError(
            f"port {port} cannot be used ({error.strerror}); choose another one, or none: then a free one is found"
        ) from None


def _socket(port: int) -> socket.socket:
    made = socket.create_server((ADDRESS, port), backlog=128)
    made.setblocking(False)
    return made
