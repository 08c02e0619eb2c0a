"""Why an object is strange, in a sentence; and which others are near to it."""

from __future__ import annotations

import math
import re

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.triage.likeness import distances

NEIGHBOURS = 5
"""So many of the nearest objects are named."""

_WAVELENGTH = {
    "FUV": 0.15,
    "NUV": 0.23,
    "u": 0.35,
    "U": 0.36,
    "B": 0.44,
    "g": 0.48,
    "BP": 0.51,
    "V": 0.55,
    "r": 0.62,
    "R": 0.64,
    "i": 0.76,
    "RP": 0.78,
    "I": 0.8,
    "z": 0.9,
    "y": 1.0,
    "Y": 1.02,
    "J": 1.25,
    "H": 1.65,
    "Ks": 2.15,
    "K": 2.2,
    "W1": 3.4,
    "W2": 4.6,
    "W3": 12.0,
}
"""Of bands, in micrometres: which of two is the redder one."""


def sentence(
    name: str,
    unit: str,
    difference: float,
    side: int,
    tolerance: float,
    *,
    is_discovery: bool,
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
    is_discovery : bool
    others : str
        What the other features are: "its other colours"; empty if there is no other.

    Examples
    --------
    >>> sentence("u - r", "mag", 1.93, 1, 6.2, is_discovery=True, others="its other colours")[:72]
    'Its u - r is 1.9 mag redder than that of objects with its other colours;'
    """
    if not name:
        return "Nothing is known of this object: all its features are missing."
    even_so = _even_so(tolerance, is_discovery=is_discovery)
    return f"Its {name} is {_how(name, unit, difference, side, others)}; {even_so}."


def _how(name: str, unit: str, difference: float, side: int, others: str) -> str:
    with_others = f"objects with {others}" if others else "ordinary objects"
    if math.isnan(difference):
        return f"{'higher' if side > 0 else 'lower'} than that of {with_others}"
    size = f"{_two_digits(abs(difference))} {unit or ('mag' if is_colour(name) else '')}".strip()
    return f"{size} {direction(name, unit, difference)} than that of {with_others}"


def _even_so(tolerance: float, *, is_discovery: bool) -> str:
    if not is_discovery:
        return "it is no discovery: ordinary objects with its errors may look like this"
    if math.isnan(tolerance):
        return "this list does not say how much larger its errors would have to be"
    if math.isinf(tolerance):
        return "no errors, however large, would make it ordinary"
    return (
        f"its errors would have to be {_two_digits(tolerance)} times larger for it to be ordinary"
    )


def direction(name: str, unit: str, difference: float) -> str:
    """In which direction a feature differs: redder or bluer, if it is a colour.

    Examples
    --------
    >>> direction("u - r", "", 1.0), direction("i - r", "mag", 1.0), direction("mass", "", -1.0)
    ('redder', 'bluer', 'lower')
    """
    bands = _bands(name) if unit in ("", "mag") else None
    if bands is None:
        return "higher" if difference > 0 else "lower"
    is_redder = (difference > 0) == (_WAVELENGTH[bands[0]] < _WAVELENGTH[bands[1]])
    return "redder" if is_redder else "bluer"


def is_colour(name: str) -> bool:
    """Whether a feature is the difference of two bands.

    Examples
    --------
    >>> is_colour("u - r"), is_colour("fe_h"), is_colour("x - y")
    (True, False, False)
    """
    return _bands(name) is not None


def _bands(name: str) -> tuple[str, str] | None:
    parts = re.fullmatch(r"\s*`?(\w+?)(?:mag|_mag)?`?\s*-\s*`?(\w+?)(?:mag|_mag)?`?\s*", name)
    if parts is None or parts[1] == parts[2]:
        return None
    return (parts[1], parts[2]) if {parts[1], parts[2]} <= set(_WAVELENGTH) else None


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
