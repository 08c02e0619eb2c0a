"""Negative controls: readers that are wrong on purpose, which the fuzzer has to find, and a right one."""

import multiprocessing
import os
import time
import warnings

import pytest

from peculiar.errors import CatalogueError
from tests.fuzz.fuzz import fuzz

pytestmark = [
    pytest.mark.skipif(
        "fork" not in multiprocessing.get_all_start_methods(), reason="the fuzzer forks"
    ),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),  # Python 3.12, in threads
]

WHOLE = b"3 rows\n1.5\n2.5\n3.5\n"


def careful(content):
    """Rows below a line that says how many there are."""
    first, *rows = content.split(b"\n")
    number = first.split()[0] if first.split() else b""
    if not number.isdigit() or int(number) != len(rows) - 1:
        raise CatalogueError("the number of rows is wrong")
    return rows[: int(number)]


def trusting(content):
    """It believes the number of rows: one that is cut off is looked for."""
    first, *rows = content.split(b"\n")
    return [rows[i] for i in range(int(b"0" + first[:1]) if first[:1].isdigit() else 0)]


def warning(content):
    if b"\0" in content:
        warnings.warn("a byte that is not text", UserWarning, stacklevel=2)


def wordy(content):
    if content != WHOLE:
        raise CatalogueError(f"this is wrong: {content!r}" * 100)


def crashing(content):
    if not content.startswith(b"3"):
        os._exit(3)  # as if by a signal, without the noise


def hanging(content):
    while not content.startswith(b"3"):
        time.sleep(0.1)


def found_in(reader, folder, **settings):
    """Whether the fuzzer finds anything in a reader."""
    ways = lambda _, path: [lambda: reader(path.read_bytes())]  # noqa: E731 (a function of a function)
    return fuzz({"toy": [WHOLE]}, 2.0, 1, ways=ways, kept=folder, **settings)


@pytest.mark.parametrize("reader", [trusting, warning, wordy, crashing], ids=lambda r: r.__name__)
def test_a_wrong_reader_is_found_and_the_file_kept(reader, tmp_path, capfd):
    assert found_in(reader, tmp_path) == ["toy"]
    assert "toy: FOUND" in capfd.readouterr().out
    assert (tmp_path / "fuzz-toy.bin").read_bytes() != WHOLE


def test_a_hanging_reader_is_found(tmp_path, capfd):
    assert found_in(hanging, tmp_path, hangs=0.5) == ["toy"]
    assert "the process ended with -9" in capfd.readouterr().out


def test_a_process_that_ends_before_it_has_begun(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("tests.fuzz.fuzz.run", lambda *_: os._exit(3))
    assert found_in(careful, tmp_path) == ["toy"]
    assert "the process ended with 3), before any file" in capfd.readouterr().out


def test_a_careful_reader_is_not_found(tmp_path, capfd):
    assert found_in(careful, tmp_path) == []
    assert "all read or refused" in capfd.readouterr().out
