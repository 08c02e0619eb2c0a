"""A browser for each module, and what it reports while a page is open."""

import os
import shutil
from importlib.util import find_spec

import pytest

from tests.triage.hub import hub, no_hub, programs

__all__ = ["hub", "no_hub", "programs"]

REQUIRED = os.environ.get("PECULIAR_CHROMIUM") == "required"
PATHS = ("chromium", "chromium-browser", "google-chrome")


def find_chromium():
    return next((path for name in PATHS if (path := shutil.which(name))), None)


def missing():
    """Why these tests cannot run here; None if they can."""
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return None if find_chromium() else "there is no chromium on this computer"


@pytest.fixture(scope="module")
def browser():
    reason = missing()
    if reason:
        if REQUIRED:
            pytest.fail(f"PECULIAR_CHROMIUM=required, but {reason}")
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=["--no-sandbox", "--use-angle=swiftshader"],
        )
        yield chromium
        chromium.close()


class Heard:
    """What a page has complained about, and what it has asked for."""

    def __init__(self):
        self.errors, self.requests = [], []

    def listen(self, page):
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def open_page(browser, heard):
    """Open a file; the page is checked for complaints when the test ends."""
    contexts = []

    def go(path, width=1440, height=900, context=None):
        if context is None:
            context = browser.new_context(viewport={"width": width, "height": height})
            contexts.append(context)
        page = context.new_page()
        heard.listen(page)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        return page

    yield go
    for context in contexts:
        context.close()
    assert heard.errors == []
