"""Who may ask the server of the live page: the page itself, and nobody else."""

from __future__ import annotations

import json
from typing import Any

from tornado.web import HTTPError, RequestHandler

HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of every answer."""


class Guarded(RequestHandler):
    """Refuses requests by another name of this computer, and those of other pages that the browser has open.

    The first stops a site whose name is made to point here (DNS rebinding), the second any site that knows the port.
    """

    def prepare(self) -> None:
        """Look at the headers before anything is done."""
        port = self.application.settings["port"]
        host, origin = self.request.host, self.request.headers.get("Origin")
        if host not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            raise HTTPError(403, reason="this is not the name of the page")
        is_plain = origin is None and self.request.method in ("GET", "HEAD")
        if not is_plain and origin != f"http://{host}":
            raise HTTPError(403, reason="only the page itself may ask")

    def set_default_headers(self) -> None:
        """Nothing is kept, framed, or taken for something else."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """In JSON, without a traceback."""
        self.answer({"error": self._reason}, status_code)

    def answer(self, found: Any, status: int = 200) -> None:
        """Send an answer and end the request."""
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(found))


class Nothing(Guarded):
    """Whatever is not there, with any method."""

    def prepare(self) -> None:
        """Say so."""
        super().prepare()
        raise HTTPError(404)
