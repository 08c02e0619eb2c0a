"""When to stop: an estimate of what is still to be gained."""

from __future__ import annotations

import math
from collections.abc import Sequence

SHORT, LONG = 2, 5
"""Numbers of iterations whose gain is compared with that of as many before."""

PATIENCE = 10
"""Iterations without a new best after which a bound that fluctuates is not expected to rise any more."""

ROUNDING = 1e-14
"""A gain below this share of the bound is none."""


def gain_to_come(bounds: Sequence[float], expected: float = 0.0) -> float:
    """How much higher the bound will get; infinite where that does not show.

    With ``late`` the gain of the last iterations, ``early`` that of as many before and ``ratio = late / early``,
    a geometric series would still bring

        late * ratio / (1 - ratio)

    (Aitken's extrapolation). The estimate is the largest of this, taken over five iterations and over two; of the
    gain of the last five; and of ``expected``. So a small gain is no reason to stop. On a plateau gains are
    tiny, but do not shrink: the ratio is near 1 or above, and the estimate many times the gain, or infinite.

    Parameters
    ----------
    bounds : sequence of float
        The bound after each iteration. That at the start is better left out: the first step tells nothing about the
        others. Four gains are needed, unless the last is nothing but rounding.
    expected : float, default=0.0
        What somebody else expects (:attr:`peculiar.fitting.accelerate.Memory.expected_gain`).

    Returns
    -------
    float

    Examples
    --------
    The distance to 1 falls by a tenth each time, and is 0.122 after twenty:

    >>> round(gain_to_come([1 - 0.9**i for i in range(21)]), 3)
    0.122

    Slower and slower; then it does not become slower any more:

    >>> steep = [-0.1, -0.01, -0.001, -1e-4, -1e-5, -1e-6]
    >>> f"{gain_to_come(steep):.1e}"
    '9.9e-05'
    >>> gain_to_come([*steep, 0.0, 1e-8, 2.1e-8, 3.3e-8, 4.6e-8])
    inf
    """
    if len(bounds) > 1 and abs(bounds[-1] - bounds[-2]) <= ROUNDING * max(1.0, abs(bounds[-1])):
        return 0.0
    long = min(LONG, (len(bounds) - 1) // 2)
    if long < SHORT:
        return math.inf
    late = abs(bounds[-1] - bounds[-1 - long])
    return max(late, _series(bounds, SHORT), _series(bounds, long), expected)


def is_lost_in_noise(bounds: Sequence[float]) -> bool:
    """Whether the best of some fluctuating bounds is long past.

    Parameters
    ----------
    bounds : sequence of float
        The bound after each iteration.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_lost_in_noise([0.0, 1.0, 1.2, 1.1])
    False
    >>> is_lost_in_noise([0.0, 1.0, 1.2] + 10 * [1.1])
    True
    """
    return len(bounds) > PATIENCE and max(bounds[-PATIENCE:]) <= max(bounds[:-PATIENCE])


def _series(bounds: Sequence[float], window: int) -> float:
    """What a geometric series would bring that gains as much in the last two windows."""
    late = abs(bounds[-1] - bounds[-1 - window])
    early = abs(bounds[-1 - window] - bounds[-1 - 2 * window])
    return late * late / (early - late) if late < early else math.inf
