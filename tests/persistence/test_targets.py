"""Only regular files are replaced; what a killed run has left behind is removed by the next."""

import os
import socket
import stat
import sys

import pytest

from peculiar.catalogue import write
from peculiar.errors import OutputError
from peculiar.files import DAY, PART, check_writable, write_whole
from tests.persistence.helpers import ready_model

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


@pytest.fixture
def special(tmp_path, monkeypatch):
    """Things that are no files, and a link to one of them."""
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    os.mkfifo("pipe.csv")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.csv")
    (tmp_path / "link.csv").symlink_to("pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    return tmp_path


SPECIAL = {
    "pipe.csv": "is a pipe .FIFO.; only files are replaced",
    "socket.csv": "is a socket; only files are replaced",
    "link.csv": "is a pipe .FIFO.; only files are replaced",
    "folder.csv": "is a folder; give the name of a file in it",
}


@pytest.mark.parametrize("name", SPECIAL)
def test_what_is_no_file_is_never_replaced(special, name):
    before = os.lstat(name), sorted(special.iterdir())
    for writer in (
        lambda: write_whole(name, "text"),
        lambda: write({"u": [1.0]}, name, overwrite=True),
        lambda: ready_model().save(name),
        lambda: check_writable(name),
    ):
        with pytest.raises(OutputError, match=f"{name} {SPECIAL[name]}"):
            writer()
    assert (os.lstat(name), sorted(special.iterdir())) == before


def test_a_device_is_never_replaced(monkeypatch, tmp_path):
    """Without touching one: a file that says it is a device."""
    path = tmp_path / "device"
    path.write_text("precious")
    known = os.stat

    def as_device(what, **options):
        found = known(what, **options)
        return os.stat_result((stat.S_IFCHR | 0o666, *found[1:]))

    monkeypatch.setattr(os, "stat", as_device)
    with pytest.raises(OutputError, match="device is a device; only files are replaced"):
        write_whole(path, "text")
    monkeypatch.undo()
    assert path.read_text() == "precious"


def test_links_to_files_are_followed(tmp_path):
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")  # there is no such file yet
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_a_folder_that_takes_no_files(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="file is a file, not a folder"):
        check_writable(tmp_path / "file" / "a.csv")
    with pytest.raises(OutputError, match=r"there is no folder .*nowhere to write a.csv into"):
        check_writable(tmp_path / "nowhere" / "a.csv")

    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)  # root may write anywhere
    with pytest.raises(
        OutputError, match=r"cannot be written: Permission denied .* another folder"
    ):
        check_writable(tmp_path / "a.csv")


def test_leftovers_of_killed_runs_are_removed(tmp_path):
    names = {
        f"{PART}abcdefgh.csv.gz": DAY + 60,
        f"{PART}00000000": 2 * DAY,
        f"{PART}youngone.csv": DAY - 60,
        f"{PART}notours.part": 2 * DAY,
        ".part-theirs00.csv": 2 * DAY,
        "catalogue.csv": 2 * DAY,
    }
    for name, age in names.items():
        (tmp_path / name).write_text("x")
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    (tmp_path / f"{PART}linkedto.csv").symlink_to("catalogue.csv")
    write_whole(tmp_path / "new.txt", "text")
    left = {path.name for path in tmp_path.iterdir()}
    gone = set(list(names)[:2])
    assert left == {*names, f"{PART}linkedto.csv", "new.txt"} - gone
