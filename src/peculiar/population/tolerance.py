"""Could the errors explain an object? The factor by which they would have to be larger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from peculiar.arrays import Floats, Ints

LARGEST_FACTOR = 1e4
"""Errors that would have to be larger by more than this are no explanation."""

PRECISION = 1e-3
"""Relative precision of the factors."""

_MAX_STEPS = 40

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
    gap = log_p - log_target
    strange = np.flatnonzero(gap < 0.0)
    if strange.size == 0:
        return factors
    at_most = np.full(strange.size, LARGEST_FACTOR)
    highest = log_tail(at_most, strange) - log_target
    factors[strange[highest < 0.0]] = np.inf
    open_ = strange[highest >= 0.0]
    factors[open_] = _solve(log_tail, open_, gap[open_], log_target)
    return factors


def _solve(log_tail: LogTail, rows: Ints, gap: Floats, log_target: float) -> Floats:
    """Roots by bisection in log factor, with steps of the secant where it is straight enough.

    The p-value rises with the errors, from far below the target to 1. ``-log(1 + |gap|)`` bends the curve so that
    depth hardly matters: log p falls like the square of the distance, and that like the factor.
    """
    low, high = np.zeros(rows.size), np.full(rows.size, np.log(LARGEST_FACTOR))
    at_low, at_high = _bend(gap), np.full(rows.size, _bend(-log_target))
    guess = np.zeros(rows.size)
    active = np.arange(rows.size)
    for step in range(_MAX_STEPS):
        width = high[active] - low[active]
        active = active[width > PRECISION]
        if active.size == 0:
            break
        share = at_low[active] / (at_low[active] - at_high[active])
        share = np.full(active.size, 0.5) if step % 3 == 2 else np.clip(share, 0.02, 0.98)
        guess = low[active] + share * (high[active] - low[active])
        value = _bend(log_tail(np.exp(guess), rows[active]) - log_target)
        is_low = value < 0.0
        low[active[is_low]], at_low[active[is_low]] = guess[is_low], value[is_low]
        high[active[~is_low]], at_high[active[~is_low]] = guess[~is_low], value[~is_low]
    roots: Floats = np.exp(0.5 * (low + high))
    return roots


def _bend(gap: Floats | float) -> Floats:
    """A monotone function of the gap that is flat where the gap is huge."""
    bent: Floats = np.sign(gap) * np.log1p(np.abs(gap))
    return bent
