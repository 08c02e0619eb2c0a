"""Could the errors explain an object? The factor by which they would have to be larger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from peculiar.arrays import Floats, Ints

LARGEST_FACTOR = 1e4
"""Errors that would have to be larger by more than this are no explanation."""

PRECISION = 1e-3
"""Relative precision of the factors."""

_TOP = np.log(LARGEST_FACTOR)
_MAX_STEPS = 60
_SLOW = 2  # steps that may fail to halve the interval, one after the other
_BOUND = 0.05  # the line must not be vertical where p is about 1

LogTail = Callable[[Floats, Ints], Floats]
"""log p of some of the rows, with the errors of each row multiplied by its own factor."""


def error_tolerance(log_tail: LogTail, log_p: Floats, log_target: float) -> Floats:
    """The smallest factor on an object's errors for which its p-value reaches a target.

    Parameters
    ----------
    log_tail : callable
    log_p : ndarray of shape (n,)
        Logarithms of the p-values with the errors as they are.
    log_target : float
        Logarithm of the p-value to reach.

    Returns
    -------
    ndarray of shape (n,)
        1 where the target is reached already, inf where no factor up to ``LARGEST_FACTOR`` is enough.
    """
    factors = np.ones(len(log_p))
    strange = np.flatnonzero(log_p < log_target)
    if strange.size:
        factors[strange] = _solve(log_tail, strange, log_p[strange], log_target)
    return factors


def _solve(log_tail: LogTail, rows: Ints, log_p: Floats, log_target: float) -> Floats:
    """Roots by the secant, in the squares of the factors f and about -1 / log p, within an interval that is known.

    For an object at a distance r from a Gaussian, log p is about -r^2 / (1 + f^2 s) / 2: they lie nearly on a
    line, and two points tell the third, however far out the object is. The first line goes through f = 0. Where two
    steps do not halve the interval, the next one does.
    """
    wanted = _height(np.array([log_target]))
    low = np.zeros(rows.size)
    high = np.full(rows.size, np.inf)  # inf: the target was not met anywhere yet
    # Squares of factors and heights at the last point and at the one before.
    last, before = np.stack([np.ones(rows.size), _height(log_p)]), np.zeros((2, rows.size))
    width, n_slow = np.full(rows.size, np.inf), np.zeros(rows.size, dtype=np.int64)
    active = np.arange(rows.size)
    for _ in range(_MAX_STEPS):
        line = _on_line(before[:, active], last[:, active], wanted)
        guess = _next_guess(
            low[active], high[active], np.where(n_slow[active] < _SLOW, line, np.nan)
        )
        height = _height(log_tail(np.exp(guess), rows[active]))
        before[:, active] = last[:, active]
        last[:, active] = np.exp(2.0 * guess), height
        is_low = height < wanted
        low[active[is_low]] = guess[is_low]
        high[active[~is_low]] = guess[~is_low]
        now = (high - low)[active]
        is_slow = (n_slow[active] < _SLOW) & np.isfinite(now) & (now > 0.5 * width[active])
        n_slow[active] = np.where(is_slow, n_slow[active] + 1, 0)
        width[active] = now
        is_never = np.isinf(now) & (low[active] >= _TOP)
        active = active[(now > PRECISION) & ~is_never]
        if active.size == 0:
            break
    factors: Floats = np.exp(0.5 * (low + high))
    return factors


def _on_line(before: Floats, last: Floats, wanted: Floats) -> Floats:
    """Logarithm of the factor at which the line through two points has the height that is wanted; NaN if nowhere."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        square = last[0] + (wanted - last[1]) * (last[0] - before[0]) / (last[1] - before[1])
        log_factor: Floats = 0.5 * np.log(square)
    return log_factor


def _next_guess(low: Floats, high: Floats, estimate: Floats) -> Floats:
    """Where to ask next: a little beyond the estimate, as seen from the nearer end, so that the interval closes.

    Without an estimate in the interval it is its middle; and where the target was not met yet, the largest factor.
    """
    is_open = np.isinf(high)
    inside = (estimate > low - PRECISION) & (estimate < np.where(is_open, _TOP, high + PRECISION))
    with np.errstate(invalid="ignore"):
        otherwise = np.where(is_open, _TOP, 0.5 * (low + high))
        side = np.where(is_open | (estimate - low <= high - estimate), 0.4, -0.4)
        beyond = np.clip(estimate, low, high) + side * PRECISION
    guess = np.where(inside, beyond, otherwise)
    return np.clip(guess, low + 0.1 * PRECISION, np.minimum(high - 0.1 * PRECISION, _TOP))


def _height(log_p: Floats) -> Floats:
    """What is nearly a straight line in the square of the factor, far out."""
    height: Floats = 1.0 / (_BOUND - log_p)
    return height
