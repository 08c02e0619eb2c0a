"""Reading overlaps computing: a thread is one part ahead."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from peculiar.warn import READER

Part = TypeVar("Part")

_END = object()
_PATIENCE = 0.1  # seconds: how soon a thread sees that nobody wants more


def read_ahead(make: Callable[[], Iterator[Part]]) -> Iterator[Part]:
    """The parts of an iterator that is run in a thread of its own; it waits while one part has not been taken.

    Parameters
    ----------
    make : callable
        Returns the iterator. It is called, run and closed in the thread.

    Yields
    ------
    object
        In the order of the iterator. An error in the thread is raised here.
    """
    parts: queue.Queue[object] = queue.Queue(maxsize=1)
    is_over = threading.Event()
    reader = threading.Thread(target=_read, args=(make, parts, is_over), name=READER, daemon=True)
    reader.start()
    try:
        while (part := parts.get()) is not _END:
            if isinstance(part, BaseException):
                raise part
            yield part  # type: ignore[misc]  # what the iterator gave
    finally:
        is_over.set()
        reader.join()


def _read(
    make: Callable[[], Iterator[Part]], parts: queue.Queue[object], is_over: threading.Event
) -> None:
    try:
        with contextlib.closing(make()) as source:  # type: ignore[type-var]  # generators
            for part in source:
                if not _put(part, parts, is_over):
                    return
        _put(_END, parts, is_over)
    except BaseException as error:  # noqa: BLE001 (it is raised where the parts are wanted)
        _put(error, parts, is_over)


def _put(part: object, parts: queue.Queue[object], is_over: threading.Event) -> bool:
    """Whether somebody still wanted it."""
    while not is_over.is_set():
        with contextlib.suppress(queue.Full):
            parts.put(part, timeout=_PATIENCE)
            return True
    return False
