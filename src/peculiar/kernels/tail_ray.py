"""Where a ray is strange: the intervals in which the density is below the level.

Along a ray from a component's location the density relative to the level is F(rho) = sum_q exp(E_q - B_q rho - C_q rho^2 / 2),
over the nodes q of all components. A node alone is at or above the level in an interval given by a quadratic equation.
The hull of these intervals, component by component, is *inner*: its ends are not strange. The same for a level that is
lower by the number of nodes is *outer*: where no component is, all is strange. What lies between is searched.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from peculiar.kernels._jit import kernel
from peculiar.kernels.structs import Floats, Ints
from peculiar.kernels.tail_sums import density_along, mass_beyond, mass_between

_SEARCHES = 12  # steps towards an extremum; each at least halves the interval
_ROOT_STEPS = 60


class Ray(NamedTuple):
    """The density along a ray: exp(constant - linear rho - square rho^2 / 2) for each node."""

    constant: Floats  # (nodes,)
    linear: Floats  # (nodes,)
    square: Floats  # (nodes,)


class RayWork(NamedTuple):
    """Intervals along a ray, by component and then in order."""

    inner: Floats  # (K, 2)
    outer: Floats  # (K, 2)
    ordinary: Floats  # (3 K, 2): what was found
    low: Floats  # (nodes,)
    high: Floats  # (nodes,)
    first: Ints  # (K + 1,): nodes of each component


@kernel
def node_hull(constant, linear, square, margin, low, high):
    """Least and greatest rho at which some node is above exp(-margin); (inf, -inf) if none is."""
    for m in range(constant.size):
        inside = linear[m] * linear[m] + 2.0 * square[m] * (constant[m] + margin)
        root = math.sqrt(max(inside, 0.0))
        low[m] = math.inf if inside <= 0.0 else (-linear[m] - root) / square[m]
        high[m] = -math.inf if inside <= 0.0 else (-linear[m] + root) / square[m]
    least, greatest = math.inf, -math.inf
    for m in range(constant.size):
        least = low[m] if low[m] < least else least
        greatest = high[m] if high[m] > greatest else greatest
    return least, greatest


@kernel
def merge(intervals, n):
    """Sort n intervals and join those that overlap, in place; returns how many there are then."""
    for i in range(1, n):
        low, high = intervals[i, 0], intervals[i, 1]
        j = i - 1
        while j >= 0 and intervals[j, 0] > low:
            intervals[j + 1, 0], intervals[j + 1, 1] = intervals[j, 0], intervals[j, 1]
            j -= 1
        intervals[j + 1, 0], intervals[j + 1, 1] = low, high
    joined = 0
    for i in range(n):
        if joined > 0 and intervals[i, 0] <= intervals[joined - 1, 1]:
            intervals[joined - 1, 1] = max(intervals[joined - 1, 1], intervals[i, 1])
        else:
            intervals[joined, 0], intervals[joined, 1] = intervals[i, 0], intervals[i, 1]
            joined += 1
    return joined


@kernel
def collect(ray, work, margin, intervals):
    """Hulls of all components on the positive half of the ray, merged; returns their number."""
    n = 0
    for k in range(work.first.size - 1):
        part = slice(work.first[k], work.first[k + 1])
        low, high = node_hull(
            ray.constant[part],
            ray.linear[part],
            ray.square[part],
            margin,
            work.low[part],
            work.high[part],
        )
        if high > 0.0:
            intervals[n, 0], intervals[n, 1] = max(low, 0.0), high
            n += 1
    return merge(intervals, n)


@kernel
def crossing(ray, inside, outside, tol):
    """The rho at which F is 1, between a point where it is not less and one where it is not more.

    Newton's method for log F, guarded by bisection. The last step is taken when |log F| < tol, so that what is left is
    of the order of tol^2.
    """
    rho = inside
    for _ in range(_ROOT_STEPS):
        value, slope = density_along(ray.constant, ray.linear, ray.square, rho)
        excess = math.log(value)
        if excess >= 0.0:
            inside = rho
        else:
            outside = rho
        following = rho - excess * value / slope if slope != 0.0 else math.inf
        if not (following - inside) * (following - outside) < 0.0:
            if abs(excess) < tol:
                return rho
            following = 0.5 * (inside + outside)
            if abs(outside - inside) <= 1e-15 * abs(outside):
                return following
        elif abs(excess) < tol:
            return following
        rho = following
    return rho


@kernel
def extremum(ray, low, high, sign):
    """A rho between low and high where sign * F is above sign, if one is met on the way to a maximum of sign * F; else -1.

    Bisection by the sign of the derivative, quickened by the secant rule for it.
    """
    rho = 0.5 * (low + high)
    for _ in range(_SEARCHES):
        value, slope = density_along(ray.constant, ray.linear, ray.square, rho)
        if sign * value > sign:
            return rho
        if sign * slope > 0.0:
            low = rho
        else:
            high = rho
        rho = 0.5 * (low + high)
    return -1.0


@kernel
def find_ordinary(ray, work, tol):
    """Intervals in which F >= 1, in order, left in ``work.ordinary``; returns their number."""
    n_inner = collect(ray, work, 0.0, work.inner)
    n_outer = collect(ray, work, math.log(float(max(ray.constant.size, 2))), work.outer)
    inner, found = work.inner, work.ordinary
    n = 0
    index = 0
    for i in range(n_outer):
        start, end = work.outer[i, 0], work.outer[i, 1]
        if index >= n_inner or inner[index, 0] > end:
            n = _search_island(ray, start, end, tol, found, n)
            continue
        found[n, 0] = _left_edge(ray, start, inner[index, 0], tol)
        while index + 1 < n_inner and inner[index + 1, 0] <= end:
            left, right = inner[index, 1], inner[index + 1, 0]
            dip = extremum(ray, left, right, -1.0)
            if dip > 0.0:
                found[n, 1] = crossing(ray, left, dip, tol)
                n += 1
                found[n, 0] = crossing(ray, right, dip, tol)
            index += 1
        found[n, 1] = crossing(ray, inner[index, 1], end, tol)
        n += 1
        index += 1
    return n


@kernel
def _left_edge(ray, start, inside, tol):
    """Where F rises to 1 between the start of an outer interval and a point that is not strange."""
    if inside <= 0.0:
        return 0.0
    if start <= 0.0:
        value, _ = density_along(ray.constant, ray.linear, ray.square, 0.0)
        if value >= 1.0:
            return 0.0
    return crossing(ray, inside, start, tol)


@kernel
def _search_island(ray, start, end, tol, found, n):
    """An outer interval in which no node alone reaches the level: several together may."""
    if start <= 0.0:
        value, _ = density_along(ray.constant, ray.linear, ray.square, 0.0)
        if value > 1.0:
            found[n, 0] = 0.0
            found[n, 1] = crossing(ray, 0.0, end, tol)
            return n + 1
    peak = extremum(ray, start, end, 1.0)
    if peak > 0.0:
        found[n, 0] = crossing(ray, peak, start, tol)
        found[n, 1] = crossing(ray, peak, end, tol)
        return n + 1
    return n


@kernel
def strange_mass(ray, work, p, home, tol):
    """Mass of the nodes of component ``home`` on the strange part of the ray, up to the factor of ``mass_beyond``."""
    n = find_ordinary(ray, work, tol)
    part = slice(work.first[home], work.first[home + 1])
    constant, square = ray.constant[part], ray.square[part]
    if n == 0:
        return mass_beyond(p, constant, square, 0.0)
    found = work.ordinary
    total = mass_beyond(p, constant, square, found[n - 1, 1])
    edge = 0.0
    for i in range(n):
        if found[i, 0] > edge:
            total += mass_between(p, constant, square, edge, found[i, 0])
        edge = found[i, 1]
    return total
