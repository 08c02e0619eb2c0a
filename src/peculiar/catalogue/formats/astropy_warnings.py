"""astropy's remarks on files that are not quite as they should be."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without what astropy has to say of headers, units and dates that break a rule: a user can do nothing about it.

    What matters of it is said in our own words: a unit that is not known where it is used, rows that are not there as
    an error. Warnings of others are left alone.
    """
    from astropy.utils.exceptions import AstropyWarning

    with warnings.catch_warnings():
        # Those of units and of VOTable are of this kind, too; to import theirs takes a third of a second.
        warnings.simplefilter("ignore", AstropyWarning)
        yield
