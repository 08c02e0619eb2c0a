"""Could the errors explain an object? The factor by which they would have to be larger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from peculiar.arrays import Floats, Ints

LARGEST_FACTOR = 1e4
"""Errors that would have to be larger by more than this are no explanation."""

PRECISION = 1e-3
"""Relative precision of the factors."""

_MAX_STEPS = 60
_PATIENCE = 8
"""Steps of the secant; after them, every other one halves the interval."""

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
    """Roots by the secant, in the squares of the factors f and -1 / log p, from within an interval that is known.

    For an object at a distance r from a Gaussian, log p is about -r^2 / (1 + f^2 s) / 2: there these two lie on a line,
    and two points tell the third, however far out the object is. The first line goes through f = 0.
    """
    wanted = _height(np.array([log_target]))
    low, high = np.zeros(rows.size), np.full(rows.size, np.log(LARGEST_FACTOR))
    # Squares of factors and heights at the last point and at the one before.
    last, before = np.stack([np.ones(rows.size), _height(log_p)]), np.zeros((2, rows.size))
    active = np.arange(rows.size)
    for step in range(_MAX_STEPS):
        line = _on_line(before[:, active], last[:, active], wanted)
        halved = step > _PATIENCE and step % 2 == 0
        guess = _next_guess(low[active], high[active], np.nan if halved else line)
        height = _height(log_tail(np.exp(guess), rows[active]))
        before[:, active] = last[:, active]
        last[:, active] = np.exp(2.0 * guess), height
        is_low = height < wanted
        low[active[is_low]] = guess[is_low]
        high[active[~is_low]] = guess[~is_low]
        active = active[high[active] - low[active] > PRECISION]
        if active.size == 0:
            break
    return np.where(low >= np.log(LARGEST_FACTOR), np.inf, np.exp(0.5 * (low + high)))


def _on_line(before: Floats, last: Floats, wanted: Floats) -> Floats:
    """Logarithm of the factor at which the line through two points has the height that is wanted; NaN if nowhere."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        square = last[0] + (wanted - last[1]) * (last[0] - before[0]) / (last[1] - before[1])
        log_factor: Floats = 0.5 * np.log(square)
    return log_factor


def _next_guess(low: Floats, high: Floats, estimate: Floats | float) -> Floats:
    """Where to ask next: a little beyond the estimate, as seen from the nearer end, so that the interval closes."""
    is_open = high >= np.log(LARGEST_FACTOR)  # nobody has asked there
    inside = (estimate > low - PRECISION) & (is_open | (estimate < high + PRECISION))
    estimate = np.where(inside, np.clip(estimate, low, high), 0.5 * (low + high))
    side = np.where(estimate - low <= high - estimate, 0.4, -0.4)
    side = np.where(is_open, 0.4, side)
    return np.clip(estimate + side * PRECISION, low + 0.1 * PRECISION, high)


def _height(log_p: Floats) -> Floats:
    """What is nearly a straight line in the square of the factor."""
    height: Floats = -1.0 / np.minimum(log_p, -1e-9)
    return height
