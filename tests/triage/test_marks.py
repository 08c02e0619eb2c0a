"""Marks survive crashes, other writers and damage, and belong to one list."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from peculiar.errors import MarksError, OutputError
from peculiar.triage import Mark, Marks, log, object_keys

KEYS = [f"{i}:star {i}" for i in range(2000)]

WRITER = """
import sys
from peculiar.triage import Marks
ranked, window, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
marks = Marks(ranked, [f"{i}:star {i}" for i in range(2000)])
offset = 1000 * int(window)
for i in range(n):
    marks.set(f"{offset + i}:star {offset + i}", "interesting", "x" * 300, window=window)
    print(offset + i, flush=True)
"""


@pytest.fixture
def ranked(tmp_path):
    return tmp_path / "ranked.fits"


@pytest.fixture
def marks(ranked):
    return Marks(ranked, KEYS)


def writer(ranked, window, n):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(ranked), str(window), str(n)], stdout=subprocess.PIPE
    )


def names(marks):
    return {key: mark.mark for key, mark in marks.load().items()}


def test_a_mark_is_there_after_a_restart(ranked, marks):
    marks.set(KEYS[3], "unsure", "a line\nand <b>another</b>, \u2028 \udc80 \x00")
    mark = Marks(ranked, KEYS).load()[KEYS[3]]
    assert isinstance(mark, Mark)
    assert (mark.mark, mark.note) == (
        "unsure",
        "a line\nand <b>another</b>, \u2028 \ufffd \ufffd",
    )  # no text
    assert marks.path.name == "ranked.fits.marks.jsonl"


def test_looking_writes_nothing(marks):
    assert (marks.load(), marks.history(KEYS[0]), marks.undo()) == ({}, [], None)
    assert not marks.path.exists()


def test_the_last_mark_counts_and_none_takes_it_away(marks):
    marks.set(KEYS[0], "interesting")
    marks.set(KEYS[0], "artefact")
    assert names(marks) == {KEYS[0]: "artefact"}
    marks.set(KEYS[0], "none")
    assert names(marks) == {}
    marks.set(KEYS[0], "none", "only a note")
    assert marks.load()[KEYS[0]].note == "only a note"


def test_undo_goes_back_step_by_step(marks):
    marks.set(KEYS[0], "interesting")
    marks.set(KEYS[1], "unsure")
    marks.set(KEYS[0], "artefact")
    assert marks.undo() == KEYS[0]
    assert names(marks) == {KEYS[0]: "interesting", KEYS[1]: "unsure"}
    assert [marks.undo(), marks.undo(), marks.undo()] == [KEYS[1], KEYS[0], None]
    assert names(marks) == {}


def test_a_window_takes_back_its_own_marks_only(marks):
    marks.set(KEYS[0], "interesting", window="left")
    marks.set(KEYS[1], "artefact", window="right")
    assert marks.undo(window="left") == KEYS[0]
    assert names(marks) == {KEYS[1]: "artefact"}
    assert marks.undo(window="left") is None


def test_history_has_what_was_taken_back(marks):
    marks.set(KEYS[0], "interesting", "first")
    marks.set(KEYS[1], "unsure")
    marks.set(KEYS[0], "artefact", "second")
    marks.undo()
    story = [(event.mark, event.note, event.is_undone) for event in marks.history(KEYS[0])]
    assert story == [("interesting", "first", False), ("artefact", "second", True)]


def test_two_processes_lose_nothing(ranked):
    n = 150
    both = [writer(ranked, window, n) for window in (0, 1)]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    expected = {f"{1000 * w + i}:star {1000 * w + i}" for w in (0, 1) for i in range(n)}
    assert set(names(Marks(ranked, KEYS))) == expected


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_killed_in_the_middle(ranked):
    promised, before = set(), 0
    for attempt in range(4):
        process = writer(ranked, 0, 1000)
        promised.add(int(process.stdout.readline()))
        time.sleep(0.01 * attempt)
        process.send_signal(signal.SIGKILL)
        promised |= {int(line) for line in process.stdout.read().split(b"\n")[:-1]}
        process.wait()
        process.stdout.close()
        found = set(names(Marks(ranked, KEYS)))
        assert {f"{i}:star {i}" for i in promised} <= found
        assert len(found) >= before
        before = len(found)
    Marks(ranked, KEYS).set(KEYS[1999], "unsure")
    assert names(Marks(ranked, KEYS))[KEYS[1999]] == "unsure"


def test_a_line_cut_anywhere_costs_that_mark_only(ranked, marks):
    marks.set(KEYS[0], "interesting")
    marks.set(KEYS[1], "unsure")
    whole = marks.path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in (last + 1, last + 40, len(whole) - 1):
        marks.path.write_bytes(whole[:cut])
        again = Marks(ranked, KEYS)
        assert names(again) == {KEYS[0]: "interesting"}
        again.set(KEYS[2], "artefact")
        assert names(again) == {KEYS[0]: "interesting", KEYS[2]: "artefact"}
        assert all(json.loads(line) for line in marks.path.read_bytes().splitlines())


def test_a_header_that_was_cut_is_written_anew(ranked):
    marks = Marks(ranked, KEYS)
    marks.path.write_bytes(b'{"kind": "pecu')
    marks.set(KEYS[0], "interesting")
    assert names(Marks(ranked, KEYS)) == {KEYS[0]: "interesting"}


@pytest.mark.parametrize(
    "line", [b"\x00\xff\n", b"[]\n", b"[" * 100_000 + b"\n", b'{"key": 3}\n', b"\n"]
)
def test_a_damaged_line_is_named_and_the_file_left_alone(ranked, marks, line):
    marks.set(KEYS[0], "interesting")
    marks.path.write_bytes(marks.path.read_bytes() + line + b"{}\n")
    there = marks.path.read_bytes()
    for action in (marks.load, marks.undo, lambda: Marks(ranked, KEYS)):
        with pytest.raises(MarksError, match=r"marks\.jsonl, line 3: .*in an editor"):
            action()
    assert marks.path.read_bytes() == there


def test_marks_of_another_list_are_refused(ranked, marks):
    marks.set(KEYS[0], "interesting")
    with pytest.raises(MarksError, match=r"marks of another list.*1,999 rows"):
        Marks(ranked, KEYS[:-1])
    assert names(Marks(ranked, KEYS[::-1])) == {KEYS[0]: "interesting"}  # another order


def test_another_file_is_refused(ranked, marks):
    marks.path.write_text('{"version": 2}\n')
    with pytest.raises(MarksError, match="no file of marks"):
        Marks(ranked, KEYS)
    with pytest.raises(MarksError, match="no file of marks"):
        marks.set(KEYS[0], "interesting")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((KEYS[0], "splendid"), "mark='splendid' is unknown; choose one of 'interesting'"),
        (("7:nobody", "unsure"), "there is no object '7:nobody'"),
        ((KEYS[0], "unsure", "x" * 10_001), "10,001 characters; at most 10,000"),
    ],
)
def test_what_cannot_be_marked(marks, given, message):
    with pytest.raises(MarksError, match=message):
        marks.set(*given)
    assert not marks.path.exists()


def test_a_full_disk_leaves_whole_lines(marks, monkeypatch):
    marks.set(KEYS[0], "interesting")
    there = marks.path.read_bytes()

    def half(file, text):
        os.write(file, text[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(log, "_write", half)
    with pytest.raises(OutputError, match="No space left on device; the mark is not kept"):
        marks.set(KEYS[1], "unsure")
    assert marks.path.read_bytes() == there


def test_no_folder(tmp_path):
    marks = Marks(tmp_path / "nowhere" / "ranked.fits", KEYS)
    with pytest.raises(OutputError, match="No such file or directory; marks are kept beside"):
        marks.set(KEYS[0], "unsure")


def test_a_folder_in_the_place_of_the_file(ranked):
    ranked.with_name("ranked.fits.marks.jsonl").mkdir()
    with pytest.raises(OutputError, match="is a folder"):
        Marks(ranked, KEYS)


def test_keys_need_a_ranked_list_of_single_objects():
    with pytest.raises(MarksError, match="no column 'row', so it is no ranked list"):
        object_keys({"name": ["a"]})
    with pytest.raises(MarksError, match="two objects of the list are '1:a'"):
        object_keys({"row": [1, 1], "name": ["a", "a"]})
    with pytest.raises(MarksError, match="no column 'nom'"):
        object_keys({"row": [1]}, name="nom")


def test_keys_use_our_own_row_column():
    assert object_keys({"peculiar_row": [4], "row": [9], "ID": [b"x"]}) == ["4:x"]
    assert object_keys({"row": [9]}) == ["9"]
