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
    n_threads = min(n_threads, len(parts))
    if n_threads <= 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        yield from pool.map(work, parts)
