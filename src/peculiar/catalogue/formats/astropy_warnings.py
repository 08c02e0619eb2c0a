"""astropy's remarks on files that are not quite as they should be."""

from __future__ import annotations


def astropy_warnings() -> list[type[Warning]]:
    """Kinds of warnings that astropy gives of headers, units and dates, and that a user can do nothing about.

    What matters of them is said in our own words: an unknown unit where it is used, rows that are not there as an
    error. The list has no warnings of NumPy's or of our own.
    """
    from astropy.io.votable.exceptions import VOWarning
    from astropy.units import UnitsWarning
    from astropy.utils.exceptions import AstropyWarning

    return [AstropyWarning, UnitsWarning, VOWarning]
