"""The server of the live page: it answers its own page, on this computer, and nobody else."""

import asyncio
import http.client
import json
import signal
import sys
import threading
from contextlib import contextmanager

import pytest

from peculiar.cli.streams import StoppedError, hearing_signals
from peculiar.errors import SettingError
from peculiar.explore.live import serve
from peculiar.explore.server import ADDRESS, listening
from peculiar.triage import Marks


class Answers:
    """A desk that is quickly made."""

    def __init__(self, folder):
        self.marks = Marks(folder / "list.fits", ["0"])

    def keep(self, events):
        if events:
            self.marks.add(events)
        return {"events": self.marks.events()}

    def image(self, x):
        return {"x": 2 * x}

    def order(self):
        raise SettingError("<b>no</b>")

    def export(self, extension):
        return extension.encode()


@contextmanager
def serving(desk, port=None):
    found, loops, begun = [], [], threading.Event()

    async def main():
        loops.append((asyncio.get_running_loop(), end := asyncio.Event()))
        async with listening(desk, "<p>page</p>", port) as number:
            found.append(number)
            begun.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert begun.wait(10)
    try:
        yield found[0]
    finally:
        loops[0][0].call_soon_threadsafe(loops[0][1].set)
        thread.join()


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with serving(Answers(tmp_path_factory.mktemp("server"))) as found:
        yield found


def send(port, method, path, body=None, **headers):
    connection = http.client.HTTPConnection(ADDRESS, port, timeout=10)
    headers = {"Host": f"{ADDRESS}:{port}"} | headers
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer, text


def ask(port, name, asked, **headers):
    headers = {"Origin": f"http://{ADDRESS}:{port}"} | headers
    answer, text = send(port, "POST", f"/ask/{name}", json.dumps(asked), **headers)
    return answer.status, json.loads(text)


NOTHING = ("/../../etc/passwd", "//etc/passwd", "/marks.py", "/ask", "http://evil.example/")


def test_the_page_and_nothing_else_is_served(port):
    answer, text = send(port, "GET", "/")
    assert (answer.status, text) == (200, b"<p>page</p>")
    assert answer.getheader("Cache-Control") == "no-store"
    assert answer.getheader("X-Frame-Options") == "DENY"
    for path in ("/static/js/bokeh.js", *NOTHING):
        answer, text = send(port, "GET", path)
        assert answer.status == 404
        assert json.loads(text) == {"error": "Not Found"}
        assert answer.getheader("Server") is None


def test_the_page_is_answered(port):
    assert ask(port, "image", {"x": 21}) == (200, {"x": 42})
    assert ask(port, "marks", {"events": []}) == (200, {"events": []})
    assert send(port, "GET", "/marks.csv")[1] == b"csv"
    here = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert ask(port, "image", {"x": 1}, **here)[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.2:{port}"]
)
def test_other_names_of_this_computer_are_refused(port, host):
    assert send(port, "GET", "/", Host=host.format(port=port))[0].status == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
    ],
)
def test_other_pages_are_refused(port, origin):
    status, said = ask(port, "marks", {"events": []}, Origin=origin.format(port=port))
    assert (status, said) == (403, {"error": "only the page itself may ask"})
    assert send(port, "GET", "/marks.csv", Origin=origin.format(port=port))[0].status == 403


def test_a_question_without_an_origin_is_refused(port):
    assert send(port, "POST", "/ask/marks", '{"events": []}')[0].status == 403
    assert send(port, "OPTIONS", "/ask/marks")[0].status == 403


@pytest.mark.parametrize("body", ["", "[1]", "{", "3", '{"y": 1}', "[" * 100_000])
def test_a_question_that_makes_no_sense_is_answered_so(port, body):
    origin = {"Origin": f"http://{ADDRESS}:{port}"}
    answer, text = send(port, "POST", "/ask/image", body, **origin)
    assert answer.status == 400
    assert json.loads(text)["error"]


def test_errors_of_ours_come_as_text(port):
    assert ask(port, "order", {}) == (400, {"error": "<b>no</b>"})
    assert ask(port, "__class__", {})[0] == 404


def test_a_port_that_is_taken_is_named_and_otherwise_another_is_found(port, tmp_path):
    with pytest.raises(SettingError, match=f"port {port} cannot be used"):
        asyncio.run(_listen(port))
    with serving(Answers(tmp_path)) as other:
        assert other != port


async def _listen(port):
    async with listening(None, "", port):
        pass


def test_a_signal_ends_it_whatever_it_does_at_that_moment(tmp_path):
    """Asyncio swallows what happens in a callback, unless it is a SystemExit."""

    def begun(_address):
        loop = asyncio.get_running_loop()
        loop.call_soon(signal.raise_signal, signal.SIGTERM)
        loop.call_later(10, sys.exit, "the signal was not heard")

    with pytest.raises(StoppedError) as stopped, hearing_signals():
        serve(Answers(tmp_path), "<p>page</p>", None, begun)
    assert stopped.value.number == signal.SIGTERM
