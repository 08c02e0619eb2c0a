"""A file of lines that only ever grows: nothing written is lost by a crash or by another writer."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from peculiar.errors import MarksError, OutputError
from peculiar.files import regular_target

Line = dict[str, Any]


def read_lines(path: Path) -> list[Line]:
    """All whole lines of a log; a last line that was cut off is left out.

    Parameters
    ----------
    path : Path
        If there is no such file there are no lines.

    Returns
    -------
    list of dict

    Raises
    ------
    MarksError
        A line is damaged.
    """
    if not regular_target(path).exists():
        return []
    with _locked(path, os.O_RDONLY) as file:
        return _parse(path, _read(file))


def append_line(path: Path, make: Callable[[list[Line]], list[Line]]) -> list[Line]:
    """Add lines to a log, while nobody else does: on the disk when this returns.

    A last line that was cut off by a crash is removed first.

    Parameters
    ----------
    path : Path
    make : callable
        Gets the lines that are there, returns those to be added.

    Returns
    -------
    list of dict
        All lines.
    """
    with _locked(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file:
        there = _read(file)
        lines = _parse(path, there)
        new = make(lines)
        text = "".join(json.dumps(line) + "\n" for line in new).encode("ascii")
        size = _repair(file, there)
        try:
            _write(file, text)
        except OSError as error:
            os.ftruncate(file, size)
            raise OutputError(
                f"{path} cannot be written: {error.strerror}; the mark is not kept"
            ) from error
        return lines + new


@contextlib.contextmanager
def _locked(path: Path, flags: int) -> Iterator[int]:
    """The open file, for nobody else until the block ends; readers share it."""
    target = regular_target(path)
    try:
        file = os.open(target, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise OutputError(
            f"{path} cannot be opened: {error.strerror}; marks are kept beside the ranked list, so copy that to a "
            "folder of your own"
        ) from error
    try:
        _lock(file, is_shared=flags == os.O_RDONLY)
        yield file
    finally:
        os.close(file)  # and with it the lock


def _lock(file: int, *, is_shared: bool) -> None:
    """Wait for our turn. Windows has no such locks: there, work in one window at a time."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX)


def _read(file: int) -> bytes:
    parts = []
    os.lseek(file, 0, os.SEEK_SET)
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(file: int, text: bytes) -> None:
    while text:
        text = text[os.write(file, text) :]
    os.fsync(file)


def _repair(file: int, there: bytes) -> int:
    """Remove a line that was cut off, and return the size; nobody is writing it, for we hold the lock."""
    size = there.rfind(b"\n") + 1
    if size < len(there):
        os.ftruncate(file, size)
    return size


def _parse(path: Path, text: bytes) -> list[Line]:
    whole = text[: text.rfind(b"\n") + 1]
    return [_line(path, i, line) for i, line in enumerate(whole.split(b"\n")[:-1], start=1)]


def _line(path: Path, number: int, line: bytes) -> Line:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise MarksError(
            f"{path}, line {number}: the line is damaged, and nothing was changed; remove it in an editor to go on "
            "with the other marks, or move the file away to begin anew"
        )
    return found
