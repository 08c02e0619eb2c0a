"""Warnings that point at the user's own line, from however deep inside they come."""

from __future__ import annotations

import sys
import threading
import warnings

READER = "peculiar reads ahead"
"""Name of a thread that reads files while others compute."""

_INSIDE = ("peculiar", "sklearn", "joblib")
"""Packages whose lines are not the user's: this one, and those that call it for the user."""


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, with the line that called the package as the place.

    Parameters
    ----------
    message : str
    category : type of warning
    """
    level, frame = 1, sys._getframe()  # noqa: SLF001 (as the warnings module itself does)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def is_reading_ahead() -> bool:
    """Whether this is a thread that reads while others compute.

    Such a thread must not use ``warnings.catch_warnings``: it restores filters that all threads share, and if another
    thread does the same meanwhile, those of one block stay for good.
    """
    return threading.current_thread().name == READER


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in _INSIDE
