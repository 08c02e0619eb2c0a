"""Work on many parts, in threads if wanted."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")

_pools: dict[int, ThreadPoolExecutor] = {}
_making = threading.Lock()
_here = threading.local()


def in_threads(
    work: Callable[[Part], Result], parts: Sequence[Part], n_threads: int
) -> list[Result]:
    """Do the work on every part; results come in the order of the parts.

    Threads are kept for the next call: an iteration of a fit may be shorter than it takes to start them. Each takes the
    next part when it is free, and nobody else is woken before the end: with a message to the caller after every part,
    two threads were 1.84 times as fast as one, and are 1.93 times as fast so. At the end, also after an error or an
    interrupt, no thread is at work any more.

    Parameters
    ----------
    work : callable
    parts : sequence
    n_threads : int

    Returns
    -------
    list
        What ``work`` returns.
    """
    # Work that is itself done in a thread of ours must not wait for another one: all may be waiting.
    if min(n_threads, len(parts)) <= 1 or getattr(_here, "is_worker", False):
        return [work(part) for part in parts]
    todo, results = deque(enumerate(parts)), dict[int, Result]()

    def take_turns() -> None:
        while todo:
            try:
                number, part = todo.popleft()
            except IndexError:  # another thread has taken the last one
                return
            results[number] = work(part)

    pool = _pool(n_threads)
    futures = [pool.submit(take_turns) for _ in range(min(n_threads, len(parts)))]
    try:
        wait(futures, return_when=FIRST_EXCEPTION)
    finally:
        todo.clear()
        wait([future for future in futures if not future.cancel()])
    for future in futures:
        future.result()  # raises what the work has raised
    return [results[number] for number in range(len(parts))]


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
