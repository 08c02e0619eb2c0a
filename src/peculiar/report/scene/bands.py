"""Colours: whether a feature is the difference of two bands, and which way is red."""

from __future__ import annotations

import re

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
"""Of bands, in micrometres."""

_DIFFERENCE = re.compile(r"\s*`?(\w+?)(?:mag|_mag)?`?\s*-\s*`?(\w+?)(?:mag|_mag)?`?\s*")


def redness(expression: str, unit: str = "") -> int:
    """1 if larger values of a feature are redder, -1 if they are bluer, 0 if it is no colour.

    Parameters
    ----------
    expression : str
        Of columns.
    unit : str, optional
        A colour is in magnitudes, or its columns say nothing.

    Examples
    --------
    >>> redness("u - r", "mag"), redness("zmag - rmag"), redness("x - y"), redness("u - r", "m")
    (1, -1, 0, 0)
    """
    parts = _DIFFERENCE.fullmatch(expression)
    if parts is None or unit not in ("", "mag"):
        return 0
    first, second = (_WAVELENGTH.get(parts[i], 0.0) for i in (1, 2))
    if not (first and second):
        return 0
    return (first < second) - (first > second)
