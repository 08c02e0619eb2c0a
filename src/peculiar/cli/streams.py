"""Standard streams that may be closed, full, or read by nobody; and signals that end a command."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

SIGNALS = ("SIGTERM", "SIGHUP")
"""What ends a process without Python noticing: nobody would remove the temporary files."""

NARROWEST, WIDEST = 20, 1000


class StoppedError(SystemExit):
    """A signal asked the process to end. Not an Exception: nobody catches it by accident.

    And a SystemExit, since the loop of a server (asyncio) goes on after anything else that happens in a callback.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ClosedError(OSError):
    """There is no standard output."""


class _Closed(io.TextIOBase):
    """In the place of a standard output that is closed: whoever writes hears of it."""

    def write(self, _text: str) -> int:
        raise ClosedError(errno.EBADF, "standard output is closed: nothing can be shown")


def prepare_streams() -> None:
    """Put something in the place of closed streams.

    A file that is opened while standard output is closed would get its number, and all that is printed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (as long as the process)
    for stream in (sys.stdout, sys.stderr):
        # Names of objects, on a terminal without their letters.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def silence_output() -> None:
    """Let what is still to be printed go nowhere, now and when the interpreter ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no file behind it
        sys.stdout = io.StringIO()


def named(error: OSError) -> OSError:
    """The error, with what it is about."""
    if not isinstance(error, ClosedError):
        error.filename = "standard output"
    return error


def remark(text: str) -> None:
    """A line on standard error; nothing if nobody hears it."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def with_notes(text: str, error: BaseException) -> str:
    """A line, and what the library has to say about the error besides: how to go on, for example."""
    return "; ".join([text, *getattr(error, "__notes__", ())])


def width_of(stream: Any, otherwise: int) -> int:
    """How wide a stream is: as COLUMNS says, if it says something possible; else the terminal, else as given."""
    said = os.environ.get("COLUMNS", "")
    width = int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 0
    if not width and stream.isatty():
        with contextlib.suppress(OSError, ValueError):
            width = os.get_terminal_size(stream.fileno()).columns
    return min(max(width, NARROWEST), WIDEST) if width else otherwise


@contextlib.contextmanager
def hearing_signals() -> Iterator[None]:
    """Turn signals that would end the process at once into an exception, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in heard:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _frame: Any) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one would interrupt the tidying up
    raise StoppedError(number)
