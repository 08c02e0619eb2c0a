"""Formats that are read whole to learn what is in them are read once for all the questions about a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def remembered(ask: Callable[..., T]) -> Callable[..., T]:
    """A function of a file that gives its last answer again, as long as the file stays the same.

    The answer should be small: it is kept. What is asked beside the path has to be hashable.
    """

    @lru_cache(maxsize=1)
    def known(path: Path, others: tuple[Any, ...], *_state: int) -> T:
        return ask(path, *others)

    @wraps(ask)
    def ask_or_know(path: Path, *others: Any) -> T:
        state = path.stat()
        return known(path, others, state.st_ino, state.st_mtime_ns, state.st_size)

    return ask_or_know
