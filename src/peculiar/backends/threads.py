"""Work on many parts, in threads if wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def in_threads(
    work: Callable[[Part], Result], parts: Sequence[Part], n_threads: int
) -> Iterator[Result]:
    """Do the work on every part; results come in the order of the parts.

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
    if min(n_threads, len(parts)) <= 1:
        yield from map(work, parts)
        return
    # One thread compiles; the others would only wait for it.
    yield work(parts[0])
    with ThreadPoolExecutor(min(n_threads, len(parts))) as pool:
        yield from pool.map(work, parts[1:])
