"""Who hears Ctrl-C, and when: a terminal sends it to all processes of a command, also while some are being started."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads that are started in the block, and those that they start later, never hear Ctrl-C.

    A terminal sends it to all processes of a command. This one hears it, and ends the others; left to themselves, each
    would show where it was.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when it starts this, Python lets the thread hear Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def ctrl_c_later() -> Iterator[None]:
    """The first Ctrl-C in the block is heard when it ends, as half a cluster cannot be closed; the second at once."""
    heard, before = list[int](), signal.getsignal(signal.SIGINT)

    def remember(number: int, _frame: Any) -> None:
        heard.append(number)
        signal.signal(signal.SIGINT, before)

    with _handling_ctrl_c(remember):
        yield
    if heard:
        signal.raise_signal(signal.SIGINT)


def ctrl_c_ignored() -> contextlib.AbstractContextManager[None]:
    """No Ctrl-C is heard in the block."""
    return _handling_ctrl_c(signal.SIG_IGN)


@contextlib.contextmanager
def _handling_ctrl_c(handler: Any) -> Iterator[None]:
    """As long as the block lasts, Ctrl-C does something else; only the main thread can ask for that."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
