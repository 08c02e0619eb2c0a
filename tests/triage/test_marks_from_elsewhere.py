"""Marks that were made in a browser: added once, whatever the way they came."""

import json

import pytest

from peculiar.errors import MarksError
from peculiar.triage import Marks

KEYS = ["0:Vega", "1:Mira"]


def event(ident="a", key="1:Mira", mark="interesting", note="", **more):
    return {"id": ident, "time": "2026-11-18T10:00:00.000+00:00", "window": "w", "key": key} | {
        "mark": mark,
        "note": note,
        **more,
    }


def undo(ident):
    return {"undo": ident, "time": "2026-11-18T10:01:00.000+00:00", "window": "w"}


@pytest.fixture
def marks(tmp_path):
    return Marks(tmp_path / "stars.fits", KEYS)


def test_an_event_sent_twice_counts_once(marks):
    marks.add([event("a"), event("b", note="varies")])
    marks.add([event("a"), event("a"), event("c", mark="artefact")])
    assert [line["id"] for line in marks.events()] == ["a", "b", "c"]
    assert marks.load()["1:Mira"].mark == "artefact"


def test_what_was_taken_back_in_the_browser_is_taken_back(marks):
    marks.add([event("a"), undo("a")])
    marks.add([undo("a")])
    assert marks.load() == {}
    assert marks.history("1:Mira")[0].is_undone
    assert len(marks.events()) == 2


def test_events_of_one_file_can_be_added_to_another(marks, tmp_path):
    marks.set("0:Vega", "unsure", "too bright")
    other = Marks(tmp_path / "copy.fits", KEYS)
    other.add(marks.events())
    assert other.load() == marks.load()


def test_marks_of_both_kinds_stand_together(marks):
    marks.add([event("a")])
    marks.set("0:Vega", "unsure", window="mine")
    assert marks.undo(window="mine") == "0:Vega"
    assert list(marks.load()) == ["1:Mira"]


@pytest.mark.parametrize(
    "wrong",
    [
        event(key="2:Algol"),
        event(mark="lovely"),
        event(note=7),
        event(note="x" * 10_001),
        event(ident="x" * 65),
        event(ident=None),
        {"undo": 3, "time": "", "window": ""},
        {},
    ],
)
def test_what_is_no_mark_is_refused_and_nothing_is_written(marks, wrong):
    with pytest.raises(MarksError):
        marks.add([event("good"), wrong])
    assert not marks.path.exists()


def test_only_what_belongs_to_a_mark_is_kept(marks):
    marks.add([event("a", note="bell \x07", colour="red")])
    assert json.loads(marks.path.read_text().splitlines()[1]) == event(
        "a", note="bell \N{REPLACEMENT CHARACTER}"
    )
