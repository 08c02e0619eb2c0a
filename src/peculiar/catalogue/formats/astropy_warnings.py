"""astropy's remarks on files that are not quite as they should be."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

from peculiar.warn import is_reading_ahead


class _ByName(type):
    """Kinds of warnings that are known by name: who reads a CSV does without astropy, and should not import it."""

    def __subclasscheck__(cls, kind: type) -> bool:
        return any(
            base.__name__ == "AstropyWarning" and base.__module__.startswith("astropy.")
            for base in kind.__mro__
        )


class _ByNameHere(_ByName):
    """The same, but only in threads that read while others compute."""

    def __subclasscheck__(cls, kind: type) -> bool:
        return is_reading_ahead() and super().__subclasscheck__(kind)


class _AstropyWarning(Warning, metaclass=_ByName):
    """Stands for astropy's class of that name, and all below it: those of units and of VOTable, too."""


class _WhileReading(Warning, metaclass=_ByNameHere):
    """Stands for the same classes in a thread that reads ahead, and for nothing elsewhere."""


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without what astropy has to say of headers, units and dates that break a rule: a user can do nothing about it.

    What matters of it is said in our own words: a unit that is not known where it is used, rows that are not there as
    an error. Warnings of others are left alone.
    """
    if is_reading_ahead():
        warnings.simplefilter("ignore", _WhileReading)  # it stays, and is nothing to other threads
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", _AstropyWarning)
        yield
