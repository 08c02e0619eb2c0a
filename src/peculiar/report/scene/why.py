"""Why an object is strange, in a sentence; and which others are near to it."""

from __future__ import annotations

import math

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.triage.likeness import distances

NEIGHBOURS = 5
"""So many of the nearest objects are named."""


def sentence(
    name: str,
    unit: str,
    difference: float,
    side: int,
    tolerance: float,
    *,
    redder: int = 0,
    is_discovery: bool,
    rate: float,
    others: str,
) -> str:
    """Why an object is strange.

    Parameters
    ----------
    name, unit : str
        Of the feature that makes it strange; an empty name if there is none.
    difference : float
        Its value less that of ordinary objects with the same other features; NaN if not known.
    side : int
        1 if the value is too high, -1 if it is too low.
    tolerance : float
        By which factor larger errors would make it no discovery; NaN if not known.
    redder : int, default=0
        1 if larger values are redder, -1 if they are bluer, 0 if it is no colour.
    is_discovery : bool
    rate : float
        The false-discovery rate of the list, at which it is a discovery, or is none.
    others : str
        What the other features are: "its other colours"; empty if there is no other.

    Examples
    --------
    >>> by = {"redder": 1, "is_discovery": True, "rate": 0.05, "others": "its other colours"}
    >>> sentence("u - r", "mag", 1.93, 1, 6.2, **by)[:72]
    'Its u - r is 1.9 mag redder than that of objects with its other colours;'
    """
    if not name:
        return "Nothing is known of this object: all its features are missing."
    even_so = _even_so(tolerance, rate, is_discovery=is_discovery)
    how = _how(unit or ("mag" if redder else ""), difference, side, redder)
    of_whom = f"objects with {others}" if others else "ordinary objects"
    return f"Its {name} is {how} than that of {of_whom}; {even_so}."


def _how(unit: str, difference: float, side: int, redder: int) -> str:
    if math.isnan(difference):
        return direction(side, redder)
    return f"{_two_digits(abs(difference))} {unit}".strip() + f" {direction(difference, redder)}"


def _even_so(tolerance: float, rate: float, *, is_discovery: bool) -> str:
    if not is_discovery:
        at = f"at a false-discovery rate of {100 * rate:g} %"
        return f"it is no discovery {at}: ordinary objects with its errors may look like this"
    if math.isnan(tolerance):
        return "this list does not say how much larger its errors would have to be"
    if math.isinf(tolerance):
        return "no errors, however large, would make it ordinary"
    return (
        f"its errors would have to be {_two_digits(tolerance)} times larger for it to be ordinary"
    )


def direction(difference: float, redder: int) -> str:
    """In which direction a feature differs: redder or bluer, if it is a colour.

    Examples
    --------
    >>> direction(0.3, 1), direction(0.3, -1), direction(-0.3, 0)
    ('redder', 'bluer', 'lower')
    """
    if redder:
        return "redder" if difference * redder > 0 else "bluer"
    return "higher" if difference > 0 else "lower"


def _two_digits(number: float) -> str:
    """Two significant digits, without an exponent where that is readable."""
    if not 1e-3 <= number < 1e5:
        return f"{number:.2g}"
    digits = max(1 - math.floor(math.log10(number)), 0)
    return f"{number:,.{digits}f}"


def neighbours(place: Floats, error: Floats, spread: Floats, n: int = NEIGHBOURS) -> Ints:
    """The objects nearest to each, in units of what is not known of their difference.

    Parameters
    ----------
    place, error : ndarray of shape (m, d)
        Clean values and their errors.
    spread : ndarray of shape (d,)
    n : int

    Returns
    -------
    ndarray of shape (m, n)
        Positions, the nearest first; -1 where there are no more.
    """
    m = len(place)
    nearest = np.full((m, n), -1, dtype=np.int64)
    for at in range(m):
        distance = distances(place, error, at, spread)
        distance[at] = np.inf
        first = np.argsort(distance, kind="stable")[:n]
        first = first[np.isfinite(distance[first])]
        nearest[at, : len(first)] = first
    return nearest
