"""The page: every text is escaped, and nobody else's files are replaced."""

import json
import re
from html.parser import HTMLParser

import pytest

from peculiar.errors import PeculiarError
from peculiar.reproduce.documents import read_documents, refuse_strangers
from peculiar.reproduce.page import MARK, write_page

EVIL = "<script>alert('&')</script>"


def document(**changes):
    comparison = {
        "quantity": "what",
        "paper": "",
        "here": "1 < 2",
        "agrees": None,
        "sentence": "In words.",
    }
    return {
        "experiment": "quasars",
        "title": "Quasars & more",
        "in_the_paper": "figure 6",
        "about": "About.",
        "made_by": "peculiar 1",
        "settings": {"seed": 0, "levels": [0.1, 1.0]},
        "is_full": True,
        "warnings_of_fits": {},
        "numbers": {},
        "comparisons": [comparison, comparison | {"agrees": True}, comparison | {"agrees": False}],
    } | changes


class Balance(HTMLParser):
    """Every tag that is opened is closed."""

    EMPTY = ("meta", "img")

    def __init__(self):
        super().__init__()
        self.open, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in {"src", "href"}]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing_from_elsewhere():
    page = write_page([document()])
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert set(balance.links) == {"#quasars", "quasars.png", "quasars.json", "quasars.csv"}
    assert "Quasars &amp; more" in page
    assert "levels 0.1 1.0" in page
    assert re.findall(r'class="chip (\w+)"', page) == ["open", "holds", "fails"]


@pytest.mark.parametrize("field", ["experiment", "title", "in_the_paper", "about", "made_by"])
def test_every_text_is_escaped(field):
    assert "<script" not in write_page([document(**{field: EVIL})])


@pytest.mark.parametrize("field", ["quantity", "paper", "here", "sentence"])
def test_every_cell_is_escaped(field):
    cells = document()["comparisons"][0] | {field: EVIL}
    page = write_page([document(comparisons=[cells], settings={EVIL: EVIL})])
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_what_to_beware_of_is_said():
    page = write_page([document()])
    assert "Not the full run" not in page
    assert "Warnings" not in page
    page = write_page([document(is_full=False, warnings_of_fits={"ConvergenceWarning": 3})])
    assert "Not the full run" in page
    assert "Warnings of fits: ConvergenceWarning 3." in page


def test_files_of_others_are_not_replaced(tmp_path):
    refuse_strangers(tmp_path, ("quasars",))
    (tmp_path / "quasars.csv").write_text("my own quasars")
    refuse_strangers(tmp_path, ("illustration",))
    with pytest.raises(
        PeculiarError,
        match=r"already has quasars\.csv, and not from an earlier run; choose another",
    ):
        refuse_strangers(tmp_path, ("illustration", "quasars"))
    (tmp_path / "index.html").write_text("<html>my own page</html>")
    with pytest.raises(PeculiarError, match=r"already has index\.html"):
        refuse_strangers(tmp_path, ("illustration",))


def test_files_of_an_earlier_run_are_replaced(tmp_path):
    # Also if it was stopped before it had written all.
    (tmp_path / "quasars.json").write_text(json.dumps(document()))
    (tmp_path / "quasars.csv").write_text("ours")
    refuse_strangers(tmp_path, ("quasars",))
    (tmp_path / "index.html").write_text(write_page([document()]))
    assert MARK in (tmp_path / "index.html").read_text()[:200]
    refuse_strangers(tmp_path, ("quasars",))


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"experiment": "quasars"}), "\xff"])
def test_a_file_that_is_none_of_ours(tmp_path, text):
    (tmp_path / "quasars.json").write_bytes(text.encode("latin1"))
    message = r"quasars\.json was not written by an experiment; move it, or choose another folder"
    with pytest.raises(PeculiarError, match=message):
        read_documents(tmp_path)
    with pytest.raises(PeculiarError, match=message):
        refuse_strangers(tmp_path, ("illustration",))  # the page would be about both
