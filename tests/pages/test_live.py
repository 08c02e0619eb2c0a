"""The live page in a real browser: marks that survive, zoom, likeness, several windows, and a hub."""

import contextlib
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest

from peculiar.catalogue import read, write
from peculiar.explore.colours import as_levels
from peculiar.triage import Marks, object_keys
from tests.pages.conftest import Heard
from tests.scene.made import make_catalogue, make_ranked

NAME = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    columns = make_catalogue()
    columns["name"][8] = NAME
    made = make_ranked(columns)
    folder = tmp_path_factory.mktemp("live")
    write(made.ranked, folder / "ranked.fits")
    made.model.save(folder / "ranked.model")
    return folder / "ranked.fits"


class Patient(Heard):
    """A browser complains about each question that nobody answers."""

    def _console(self, message):
        if "net::ERR_CONNECTION_" not in message.text:
            super()._console(message)


class Server:
    """`peculiar explore` in a process of its own, always at the same port."""

    def __init__(self, ranked):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.ranked, self.address = ranked, f"http://127.0.0.1:{self.port}/"
        self.process = None

    def start(self):
        options = [
            "--model",
            self.ranked.with_suffix(".model"),
            "--port",
            str(self.port),
            "--no-browser",
        ]
        command = [sys.executable, "-m", "peculiar.cli", "explore", self.ranked, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.address in self.process.stdout.readline()
        return self

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.communicate(timeout=30)
        return self.process.returncode

    def marks(self):
        return Marks(self.ranked, object_keys(read(self.ranked))).load()


@pytest.fixture
def no_marks(ranked):
    """The list as if nobody had marked anything."""
    ranked.with_name("ranked.fits.marks.jsonl").unlink(missing_ok=True)


@pytest.fixture
def server(ranked, browser, no_marks):
    running = Server(ranked).start()
    yield running
    if running.process.poll() is None:
        running.kill()


@pytest.fixture
def visit(browser, server):
    """Open the page in a window; what it has asked for, and complained about, is looked at in the end."""
    opened = []

    def go(width=1440, height=900, *, is_down=False):
        context = browser.new_context(viewport={"width": width, "height": height})
        heard, page = Patient() if is_down else Heard(), context.new_page()
        opened.append((context, heard))
        heard.listen(page)
        page.goto(server.address)
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        return page

    yield go
    for context, heard in opened:
        context.close()
        assert heard.errors == []
        assert all(url.startswith(server.address) for url in heard.requests)


def wait_until(happened, seconds=15):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_a_mark_survives_the_death_of_the_server(server, visit):
    page = visit(is_down=True)
    key = page.evaluate("peculiar.content.objects.key[peculiar.state.selected]")
    page.keyboard.press("i")
    wait_until(lambda: key in server.marks())
    page.locator("#note").fill("look <b>again</b>")
    page.keyboard.press("Enter")
    wait_until(lambda: server.marks()[key].note == "look <b>again</b>")
    server.kill()
    server.start()
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    page.wait_for_function("() => peculiar.state.marks.size === 1")
    assert page.locator("#triage [aria-pressed=true]").inner_text().endswith("interesting")
    assert page.locator("#note").input_value() == "look <b>again</b>"
    assert page.locator("#history li").count() == 2


def test_what_is_marked_while_the_server_is_down_is_saved_when_it_is_back(server, visit):
    page = visit(is_down=True)
    server.kill()
    page.keyboard.press("a")
    page.wait_for_function(
        "() => document.getElementById('marks-where').textContent.includes('NOT SAVED')"
    )
    assert server.marks() == {}
    server.start()
    wait_until(lambda: [mark.mark for mark in server.marks().values()] == ["artefact"])
    page.wait_for_function(
        "() => document.getElementById('marks-where').textContent.includes('saved at once')"
    )


def test_windows_that_were_closed_while_the_server_was_down_lose_nothing(browser, server):
    context = browser.new_context()
    windows = [context.new_page() for _ in range(2)]
    for page in windows:
        page.goto(server.address)
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
    server.kill()
    for at, page in enumerate(windows):
        page.evaluate("at => peculiar.set({selected: at})", at)
        page.keyboard.press("i")
        page.wait_for_function(
            "() => document.getElementById('marks-where').textContent.includes('NOT SAVED')"
        )
    for page in windows:
        page.close()
    server.start()
    context.new_page().goto(server.address)
    wait_until(lambda: len(server.marks()) == 2)
    context.close()


def test_two_windows_do_not_lose_each_others_marks(server, visit):
    one, two = visit(), visit(width=390, height=844)
    one.keyboard.press("i")
    two.evaluate("peculiar.set({selected: 3})")
    two.evaluate("document.activeElement.blur()")
    two.keyboard.press("u")
    for page in (one, two):
        page.wait_for_function("() => peculiar.state.marks.size === 2", timeout=15_000)
    one.keyboard.press("z")  # its own mark, not that of the other window
    wait_until(lambda: [mark.mark for mark in server.marks().values()] == ["unsure"])
    two.wait_for_function("() => peculiar.state.marks.size === 1", timeout=15_000)


def test_zoom_bins_what_is_in_sight_again(server, visit, ranked):
    page = visit()
    page.evaluate(
        """() => { const plot = peculiar.model("scatter"); peculiar.set({x: 0, y: 1});
                   plot.x_range.setv({start: 0.5, end: 1.5}); plot.y_range.setv({start: 0.0, end: 1.0}); }"""
    )
    page.wait_for_function("() => peculiar.model('bulk').data.x[0] === 0.5", timeout=15_000)
    table = read(ranked)
    x, y = (np.ma.filled(table[name].astype(float), np.nan) for name in ("u_r", "g_r"))
    known = np.isfinite(x) & np.isfinite(y)
    counts, _, _ = np.histogram2d(y[known], x[known], bins=160, range=((0.0, 1.0), (0.5, 1.5)))
    said = page.evaluate("document.documentElement.dataset.binned")
    assert said.split()[0] == str(int(counts.sum()))
    image = page.evaluate("Array.from(peculiar.model('bulk').data.image[0])")
    np.testing.assert_array_equal(image, as_levels(counts.astype(int)).ravel())


def test_an_answer_about_other_features_is_dropped(server, visit):
    page, held = visit(), []
    page.route("**/ask/image", lambda route: held.append(route) if not held else route.continue_())
    page.evaluate(
        """() => { peculiar.set({x: 0, y: 1}); peculiar.model("scatter").x_range.setv({start: 0.5, end: 1.5}); }"""
    )
    page.wait_for_timeout(500)
    assert len(held) == 1
    page.evaluate(
        """() => { const bulk = peculiar.model("bulk"); window.drawn = [];
                   bulk.change.connect(() => window.drawn.push(bulk.data.x[0]));
                   peculiar.set({x: 1, y: 0}); }"""
    )
    held[0].continue_()
    page.wait_for_timeout(1000)
    drawn = page.evaluate("window.drawn")
    assert drawn
    assert 0.5 not in drawn


def test_marks_put_the_rest_in_another_order(server, visit):
    page = visit()
    ranks, p = (
        page.evaluate(f"Array.from(peculiar.content.objects.{name})") for name in ("row", "p")
    )
    clump = [at for at, row in enumerate(ranks) if row < 8]
    page.evaluate("at => peculiar.set({selected: at})", clump[0])
    page.locator("#more-like").click()
    page.wait_for_function(
        "() => document.getElementById('order-said').textContent.includes('Nearest')"
    )
    shown = page.evaluate(
        "Array.from(document.querySelectorAll('#rows tr[data-at]'), (row) => Number(row.dataset.at))"
    )
    assert set(shown[: len(clump)]) == set(clump)
    page.locator("#search").fill("star")
    again = page.evaluate(
        "Array.from(document.querySelectorAll('#rows tr[data-at]'), (row) => Number(row.dataset.at))"
    )
    assert again[: len(clump)] == shown[: len(clump)]
    page.locator("#search").fill("")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("a")
    page.wait_for_function("() => peculiar.state.marks.size === 1")
    page.locator("#hide-artefacts").click()
    page.wait_for_function(
        "() => document.getElementById('order-said').textContent.includes('hidden')"
    )
    shown = page.evaluate(
        "Array.from(document.querySelectorAll('#rows tr[data-at]'), (row) => Number(row.dataset.at))"
    )
    assert not set(shown) & set(clump)
    hidden = int(page.locator("#order-said").inner_text().split("; ")[1].split()[0])
    assert page.locator("#matches").inner_text() == f"{400 - hidden} of 400"
    page.locator("#rows th button", has_text="name").click()
    assert (
        page.locator("#order-said").inner_text() == f"What looks like artefacts: {hidden} hidden."
    )
    assert page.locator("#matches").inner_text() == f"{400 - hidden} of 400"
    page.locator("#by-rank").click()
    assert page.locator("#matches").inner_text() == "400 listed"
    assert page.evaluate("Array.from(peculiar.content.objects.p)") == p


def test_names_are_text_on_the_page_and_in_exports(server, visit):
    page = visit()
    at = page.evaluate("name => peculiar.content.objects.name.indexOf(name)", NAME)
    page.evaluate("at => peculiar.set({selected: at})", at)
    assert page.locator("#chosen-name").inner_text() == NAME
    page.keyboard.press("i")
    wait_until(lambda: len(server.marks()) == 1)
    text = urllib.request.urlopen(server.address + "marks.csv").read().decode()
    assert NAME in text


@pytest.mark.usefixtures("no_marks")
def test_marked_objects_are_sent_to_a_program(programs, browser, ranked):
    topcat, server = programs("topcat"), Server(ranked).start()  # at the hub of this test
    try:
        page = browser.new_page()
        page.goto(server.address)
        page.wait_for_selector("html[data-ready=true]")
        page.keyboard.press("i")
        wait_until(server.marks)
        page.locator("#send-marked").click()
        page.wait_for_function(
            "() => document.getElementById('send-said').textContent.includes('sent to topcat')"
        )
        marked = page.evaluate("peculiar.content.objects.name[peculiar.state.selected]")
        assert [str(name) for name in topcat.tables[0]["name"]] == [marked]
        page.close()
    finally:
        assert server.kill(signal.SIGINT) in (0, 130)
