"""Work on many parts, in threads if wanted."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")

_pools: dict[int, ThreadPoolExecutor] = {}
_making = threading.Lock()
_here = threading.local()


def in_threads(
    work: Callable[[Part], Result], parts: Sequence[Part], n_threads: int
) -> Iterator[Result]:
    """Do the work on every part; results come in the order of the parts.

    Threads are kept for the next call: an iteration of a fit may be shorter than it takes to start them. When the
    iterator ends, in whatever way, no thread is at work for it any more.

    Parameters
    ----------
    work : callable
    parts : sequence
    n_threads : int

    Yields
    ------
    object
        What ``work`` returns.
    """
    # Work that is itself done in a thread of ours must not wait for another one: all may be waiting.
    if min(n_threads, len(parts)) <= 1 or getattr(_here, "is_worker", False):
        yield from map(work, parts)
        return
    pool = _pool(n_threads)
    futures: deque[Future[Result]] = deque(pool.submit(work, part) for part in parts)
    try:
        while futures:
            yield futures[0].result()
            futures.popleft()  # what was given away is not kept
    finally:
        wait([future for future in futures if not future.cancel()])


def _pool(n_threads: int) -> ThreadPoolExecutor:
    """The threads of this process for as many as are wanted. At its end Python itself lets them go."""
    with _making:
        if n_threads not in _pools:
            _pools[n_threads] = ThreadPoolExecutor(
                n_threads, thread_name_prefix="peculiar", initializer=_begin
            )
        return _pools[n_threads]


def _begin() -> None:
    _here.is_worker = True


def _forget() -> None:
    """In a forked process there are no threads, and the lock may be held by one that is not there."""
    global _making  # noqa: PLW0603  (a lock cannot be opened by somebody else)
    _making = threading.Lock()
    _pools.clear()
    _here.is_worker = False


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_forget)
