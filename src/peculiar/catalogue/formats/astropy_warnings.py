"""astropy's remarks on files that are not quite as they should be."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator


class _ByName(type):
    """Kinds of warnings that are known by name: who reads a CSV does without astropy, and should not import it."""

    def __subclasscheck__(cls, kind: type) -> bool:
        return any(
            base.__name__ == "AstropyWarning" and base.__module__.startswith("astropy.")
            for base in kind.__mro__
        )


class _AstropyWarning(Warning, metaclass=_ByName):
    """Stands for astropy's class of that name, and all below it: those of units and of VOTable, too."""


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without what astropy has to say of headers, units and dates that break a rule: a user can do nothing about it.

    What matters of it is said in our own words: a unit that is not known where it is used, rows that are not there as
    an error. Warnings of others are left alone.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", _AstropyWarning)
        yield
