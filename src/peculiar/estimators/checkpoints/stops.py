"""What a signal does to a fit that keeps a checkpoint."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any


class TerminatedError(BaseException):
    """The process was asked to end (SIGTERM). Not an Exception: nobody catches it by accident."""


@contextlib.contextmanager
def hearing_sigterm() -> Iterator[None]:
    """Let SIGTERM end the block as an error does, and the process after that.

    Where somebody else hears the signal (the command line does), or in another thread, nothing is changed.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except TerminatedError as stop:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for note in getattr(stop, "__notes__", ()):
            print(f"peculiar: {note}", file=sys.stderr, flush=True)  # noqa: T201 (nobody shows this error)
        signal.raise_signal(signal.SIGTERM)
        raise  # if that did not end it
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop(_number: int, _frame: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would interrupt the writing
    raise TerminatedError
