"""How many rays are enough: means over crosses of rays, their errors, and whether more are wanted."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.kernels._jit import kernel

_SMALL_PART = 0.005, 0.02  # of p: of components below, the first rays are enough
_BETWEEN_AXES = 0.3  # relative to the strange part itself


class Tally(NamedTuple):
    """What the rays of each component have brought so far; in units of exp(reference)."""

    factor: Floats  # (K,): from sums along rays to probabilities
    result: Floats  # (K,): means that were taken, each by its share
    variance: Floats  # (K,)
    remains: Floats  # (K,): share for which more rays are wanted
    latest: Floats  # (K,): mean over the rays cast so far
    whole: Floats  # (K,): mass of the component
    exposed: Floats  # (K,): mass beyond its own contour, if no other component covers any of it
    crosses: Floats  # (2, K, crosses): strange part, mean over the rays of each cross; all, less what it should be
    axes: Floats  # (2, K, d): both for each axis of the latest cross
    first: Floats  # (2, K, d): and of the first one
    apart: Floats  # (K,): difference of the strange part between the two rays along the latest axis
    values: Floats  # (crosses,): scratch
    order: Ints  # (K,): components, most exposed first


def new_tally(n_components: int, d: int, n_crosses: int) -> Tally:
    """Room for it."""
    factor, result, variance, remains, latest, whole, exposed = np.zeros((7, n_components))
    return Tally(
        factor,
        result,
        variance,
        remains,
        latest,
        whole,
        exposed,
        crosses=np.zeros((2, n_components, n_crosses)),
        axes=np.zeros((2, n_components, d)),
        first=np.zeros((2, n_components, d)),
        apart=np.zeros(n_components),
        values=np.zeros(max(n_crosses, d)),
        order=np.zeros(n_components, dtype=np.int64),
    )


@kernel
def start_tally(tally):
    """Nothing is known, and nothing wanted."""
    for k in range(tally.factor.size):
        tally.factor[k] = -math.inf
        tally.result[k] = tally.variance[k] = tally.remains[k] = 0.0
        tally.latest[k] = tally.whole[k] = tally.exposed[k] = 0.0


@kernel
def sort_by_exposure(tally):
    """Write the order of the components, those with most mass beyond their contours first."""
    order = tally.order
    for k in range(order.size):
        i = k
        while i > 0 and tally.exposed[order[i - 1]] < tally.exposed[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k


@kernel
def mean_over_crosses(k, n, tally):
    """Mean of the strange part of component k over n crosses."""
    return _mean(tally.crosses[0, k], tally.crosses[1, k], n, tally.whole[k], tally.values)


@kernel
def mean_of_axis(k, axis, tally):
    """The strange part of component k by one axis."""
    strange, excess = tally.axes[0, k, axis:], tally.axes[1, k, axis:]
    return _mean(strange, excess, 1, tally.whole[k], tally.values)


@kernel
def variance_of_axis(k, tally):
    """Of the mean over the two rays along one axis: from their difference, and as other axes may differ from it."""
    return 0.25 * tally.apart[k] ** 2 + (_BETWEEN_AXES * tally.latest[k]) ** 2


@kernel
def _mean(strange, excess, n, mass, values):
    """Mean of n values of the strange part, corrected by the excess of the whole; the values are left in ``values``."""
    total = 0.0
    for i in range(n):
        total += strange[i]
    share = min(total / (n * mass), 1.0)
    mean = 0.0
    for i in range(n):
        values[i] = strange[i] - share * share * excess[i]
        mean += values[i]
    return max(mean / n, 1e-3 * total / n)


@kernel
def variance_of_mean(k, n, p, tally):
    """Of the mean over n crosses. Of one alone the axes tell, though a cross does better than its axes would."""
    values = tally.values
    if n == 1:
        n = p
        mean = _mean(tally.first[0, k], tally.first[1, k], p, tally.whole[k], values)
    else:
        mean = mean_over_crosses(k, n, tally)
    total = 0.0
    for i in range(n):
        total += (values[i] - mean) ** 2
    return total / (n * max(n - 1, 1))


@kernel
def _ramp(x, low, high):
    """0 below low, 1 above high, smooth between."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def wants_crosses(rule, error, log_p):
    """Whether the error of all components together, by one axis each, calls for crosses: from 0, no, to 1, yes."""
    ordinary = _ramp(log_p, math.log(rule.candidate), math.log(rule.ordinary))
    return 1.0 - (1.0 - _ramp(error / rule.first_error, 0.5, 1.0)) * ordinary


@kernel
def wants_a_cross(part):
    """Whether a component that is at most such a part of p is worth more than its first rays: from 0, no, to 1, yes."""
    return _ramp(part, *_SMALL_PART)


@kernel
def wants_more(rule, error, part, unseen, log_p, n):
    """Whether the error of one component's part calls for more rays: from 0, no, to 1, yes. All are relative to p.

    The scatter of few crosses may be small by chance: for a candidate it must be the smaller, the fewer they are. But
    what rays have met of a component cannot be wrong by more than the component's part itself.
    """
    n_free = max(n - 1.0, 0.5)
    strict = min(error * (1.0 + 300.0 / (n_free * n_free * n_free)), max(error, part))
    strict = math.sqrt(strict * strict + unseen * unseen) / rule.candidate_error
    loose = error / rule.ordinary_error
    ordinary = _ramp(log_p, math.log(rule.candidate), math.log(rule.ordinary))
    return _ramp(loose, 0.5, 1.0) * ordinary + _ramp(strict, 0.5, 1.0) * (1.0 - ordinary)


@kernel
def take_over(k, variance, unseen, n, blend, tally):
    """Take the latest mean of component k for that share for which no more rays are wanted."""
    share = tally.remains[k] * (1.0 - blend)
    # Of a few crosses it may be small by chance.
    spread = variance * (1.0 + 0.84 / max(n - 1, 1)) ** 2
    tally.result[k] += share * tally.latest[k]
    tally.variance[k] += share * (spread + 0.25 * unseen * unseen)
    tally.remains[k] *= blend
