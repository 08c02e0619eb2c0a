"""Numbers in words, the same on the screen, in pictures and on pages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any


def calibration_in_words(table: Any) -> str:
    """Whether p-values are what they should be, in a line.

    Parameters
    ----------
    table : ndarray
        As :meth:`OutlierDetector.calibration` gives it.

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.population.calibration import count_small
    >>> calibration_in_words(count_small(np.log([1e-5, 0.05, 0.2, 0.7]))[:2])
    'p-values up to 0.1, 0.01: 0.4, 0.04 expected if all were ordinary, 2, 1 seen.'
    """
    levels, expected, seen = (
        ", ".join(count_in_words(number) for number in table[name])
        for name in ("p", "expected", "seen")
    )
    return f"p-values up to {levels}: {expected} expected if all were ordinary, {seen} seen."


ONE_SIDE = 0.8
"""Share of the members of a group that must lie on one side for it to be named."""


def side_in_words(sides: Iterable[str]) -> str:
    """On which side some objects lie: one only if nearly all of them do.

    Examples
    --------
    >>> side_in_words(["high"] * 4 + ["low"]), side_in_words(["high", "low"])
    ('high', 'high or low')
    """
    counts = Counter(sides)
    side, n_most = counts.most_common(1)[0]
    return side if n_most >= ONE_SIDE * counts.total() else "high or low"


def count_in_words(number: float) -> str:
    """A number of objects, expected or seen: three digits, all of them from a thousand on.

    Examples
    --------
    >>> count_in_words(0.0464), count_in_words(4642.0)
    ('0.0464', '4,642')
    """
    return f"{number:,.3g}" if number < 1000 else f"{number:,.0f}"


def probability_in_words(p: float) -> str:
    """A p-value or another small probability.

    Examples
    --------
    >>> [probability_in_words(p) for p in (0.04567, 3.21e-7, 1.5e-120, 0.0)]
    ['0.046', '3.2e-07', '2e-120', '<1e-300']
    """
    if p == 0.0:
        return "<1e-300"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}" if p < 1e-99 else f"{p:.1e}"


def with_error(value: float, error: float) -> str:
    """A value and its error: as many digits as the error has.

    Examples
    --------
    >>> with_error(-2.5167, 0.1323), with_error(5777.4, 81.0), with_error(1.5, 0.0)
    ('-2.52 ± 0.13', '5777 ± 81', '1.5')
    """
    if not 0.0 < error < math.inf:
        return f"{value:.4g}"
    digits = 1 - math.floor(math.log10(error))
    if not -4 <= digits <= 6:
        return f"{value:.4g} ± {error:.1e}"
    return f"{value:.{max(digits, 0)}f} ± {error:.{max(digits, 0)}f}"
