"""Where a ray is strange: the intervals in which the density is below the level.

Along a ray from a component's location the density relative to the level is F(rho), the sum of
exp(E_q - B_q rho - C_q rho^2 / 2) over the nodes q of all components. A node alone is at or above the level in an
interval given by a quadratic equation.
The hull of these intervals, component by component, is *inner*: its ends are not strange. The same for a level that is
lower by the number of nodes is *outer*: where no component is, all is strange. Between an inner and the end of the
outer one F falls through the level; between two inner ones there may be a dip.

Most nodes of a mixture are negligible on most rays. Those that are, everywhere within reach, are left out before
anything else is done.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from peculiar.arrays import Floats, Ints
from peculiar.kernels._jit import kernel
from peculiar.kernels.tail.sums import (
    density_along,
    greatest_sum,
    least_between,
    mass_between,
    mass_beyond,
    padded,
)

_NEGLIGIBLE = 8.0  # nodes that all together stay exp(-8) below the level add nothing
_SEARCHES = 12  # steps towards an extremum; each at least halves the interval
_ROOT_STEPS = 60


class Ray(NamedTuple):
    """The density along a ray: exp(constant - linear rho - square rho^2 / 2) for each node."""

    constant: Floats  # (nodes,)
    linear: Floats  # (nodes,)
    square: Floats  # (nodes,)


class RayWork(NamedTuple):
    """Intervals along a ray, by component and then in order."""

    inner: Floats  # (K + 1, 2)
    outer: Floats  # (K, 2)
    weak: Floats  # (K, 2): the outer intervals of those that reach the level only together
    which: Ints  # (K,): the components they belong to
    ordinary: Floats  # (3 K, 2): what was found
    bounds: Floats  # (4, nodes): ends of the inner and the outer interval of each node
    packed: Floats  # (3, nodes): the ray without nodes that are negligible on it
    first: Ints  # (K + 1,): where the nodes of each component begin there
    memory: Floats  # (1,): how far between inner and outer end the last crossing was


@kernel
def node_intervals(ray, margin, work):
    """Where each node alone is above 1, and above exp(-margin); from inf to -inf if it is not."""
    constant, linear, square = ray.constant, ray.linear, ray.square
    inner_low, inner_high = work.bounds[0], work.bounds[1]
    outer_low, outer_high = work.bounds[2], work.bounds[3]
    for m in range(constant.size):
        inverse = 1.0 / square[m]
        centre = -linear[m] * inverse
        inner = linear[m] * linear[m] + 2.0 * square[m] * constant[m]
        outer = inner + 2.0 * square[m] * margin
        near = math.sqrt(max(inner, 0.0)) * inverse
        far = math.sqrt(max(outer, 0.0)) * inverse
        inner_low[m] = centre - near if inner > 0.0 else math.inf
        inner_high[m] = centre + near if inner > 0.0 else -math.inf
        outer_low[m] = centre - far if outer > 0.0 else math.inf
        outer_high[m] = centre + far if outer > 0.0 else -math.inf


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
def collect(ray, first, work):
    """Hulls of each component's intervals on the positive half of the ray, merged; their numbers.

    A component none of whose nodes reaches the level alone is searched for a point where all together do, unless the
    hull of another one tells already.
    """
    inner, outer, weak = work.inner, work.outer, work.weak
    inner_lows, inner_highs = work.bounds[0], work.bounds[1]
    outer_lows, outer_highs = work.bounds[2], work.bounds[3]
    n_components = first.size - 1
    n_inner, n_outer, n_weak = 0, 0, 0
    from_zero, to_zero = False, False
    for k in range(n_components):
        inner_low, inner_high, outer_low, outer_high = math.inf, -math.inf, math.inf, -math.inf
        # Nothing is NaN: min() and max() would look, and take longer.
        for m in range(first[k], first[k + 1]):
            inner_low = min(inner_low, inner_lows[m])
            inner_high = max(inner_high, inner_highs[m])
            outer_low = min(outer_low, outer_lows[m])
            outer_high = max(outer_high, outer_highs[m])
        if outer_high > 0.0:
            outer[n_outer, 0], outer[n_outer, 1] = max(outer_low, 0.0), outer_high
            n_outer += 1
            to_zero = to_zero or outer_low <= 0.0
        if inner_high > 0.0:
            inner[n_inner, 0], inner[n_inner, 1] = max(inner_low, 0.0), inner_high
            n_inner += 1
            from_zero = from_zero or inner_low <= 0.0
        elif outer_high > 0.0 and inner_low == math.inf:
            weak[n_weak, 0], weak[n_weak, 1], work.which[n_weak] = outer_low, outer_high, k
            n_weak += 1
    n_inner = merge(inner, n_inner)
    n_hulls = n_inner
    for i in range(n_weak):
        low, high = weak[i, 0], weak[i, 1]
        if is_within(max(0.5 * (low + high), 0.0), inner, n_hulls):
            continue
        part = slice(first[work.which[i]], first[work.which[i] + 1])
        together = greatest_sum(ray.constant[part], ray.linear[part], ray.square[part])
        if n_components * together >= 1.0:
            peak = peak_between(ray, low, high)
            if peak >= 0.0:
                inner[n_inner, 0], inner[n_inner, 1] = peak, peak
                n_inner += 1
    if to_zero and not from_zero:
        value, _ = density_along(ray.constant, ray.linear, ray.square, 0.0)
        if value >= 1.0:
            inner[n_inner, 0], inner[n_inner, 1] = 0.0, 0.0
            n_inner += 1
    return merge(inner, n_inner), merge(outer, n_outer)


@kernel
def is_within(rho, intervals, n):
    """Whether a point lies in one of n intervals."""
    for i in range(n):
        if intervals[i, 0] <= rho <= intervals[i, 1]:
            return True
    return False


@kernel
def peak_between(ray, low, high):
    """A rho >= 0 between two points at which F >= 1, or -1 if none is met on the way to a maximum."""
    rho = max(0.5 * (low + high), 0.0)
    low = max(low, 0.0)
    for _ in range(_SEARCHES):
        value, slope = density_along(ray.constant, ray.linear, ray.square, rho)
        if value >= 1.0:
            return rho
        if slope > 0.0:
            low = rho
        else:
            high = rho
        # Near a peak log F is concave and 1 would do; heavy tails bend it upwards further out.
        if math.log(value) + 3.0 * abs(slope) / value * (high - low) < 0.0:
            return -1.0
        rho = 0.5 * (low + high)
    return -1.0


@kernel
def crossing(ray, inside, outside, start, tol):
    """The rho at which F is 1, between a point where it is not less and one where it is not more.

    Newton's method for log F from ``start``, guarded by bisection. The last step is taken when |log F| < tol, so
    that what is left is of the order of tol^2.
    """
    rho = start
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
def dip_between(ray, low, high):
    """A rho between two points that are not strange at which F < 1, or -1 if none is met on the way to the minimum.

    The logarithm of each node is concave: between two points the sum is not less than that of the lesser values there.
    """
    for _ in range(_SEARCHES):
        if least_between(ray.constant, ray.linear, ray.square, low, high) > 1.0:
            return -1.0
        rho = 0.5 * (low + high)
        value, slope = density_along(ray.constant, ray.linear, ray.square, rho)
        if value < 1.0:
            return rho
        if slope < 0.0:
            low = rho
        else:
            high = rho
    return -1.0


@kernel
def find_ordinary(ray, first, work, tol):
    """Intervals in which F >= 1, in order, left in ``work.ordinary``; returns their number."""
    node_intervals(ray, math.log(float(max(ray.constant.size, 2))), work)
    n_inner, n_outer = collect(ray, first, work)
    inner, found = work.inner, work.ordinary
    n = 0
    index = 0
    for i in range(n_outer):
        start, end = work.outer[i, 0], work.outer[i, 1]
        if index >= n_inner or inner[index, 0] > end:
            continue
        right = inner[index, 0]
        found[n, 0] = crossing(ray, right, start, right, tol) if right > 0.0 else 0.0
        while index + 1 < n_inner and inner[index + 1, 0] <= end:
            left, right = inner[index, 1], inner[index + 1, 0]
            dip = dip_between(ray, left, right)
            if dip > 0.0:
                found[n, 1] = crossing(ray, left, dip, left, tol)
                n += 1
                found[n, 0] = crossing(ray, right, dip, right, tol)
            index += 1
        left, width = inner[index, 1], end - inner[index, 1]
        found[n, 1] = crossing(ray, left, end, left + work.memory[0] * width, tol)
        work.memory[0] = (found[n, 1] - left) / width if width > 0.0 else 0.3
        n += 1
        index += 1
    return n


@kernel
def ordinary_until(ray, begin, end):
    """How far, from the home on, one of the home's own nodes is above the level all by itself."""
    edge = 0.0
    for m in range(begin, end):
        if ray.constant[m] > 0.0:
            edge = max(edge, math.sqrt(2.0 * ray.constant[m] / ray.square[m]))
    return edge


@kernel
def greatest_values(ray, low, reach, out):
    """The greatest log-density of each node between ``low`` and ``reach``."""
    constant, linear, square = ray.constant, ray.linear, ray.square
    for m in range(constant.size):
        rho = min(max(-linear[m] / square[m], low), reach)
        out[m] = constant[m] - rho * (linear[m] + 0.5 * rho * square[m])


@kernel
def pack(ray, first, home, reach, work):
    """Copy what matters within reach to ``work.packed``; the numbers of components and of nodes there.

    Where the home alone is above the level nothing else matters.

    Every node is copied, and the next one takes its place if it does not matter: a branch would be guessed wrong.
    """
    greatest = work.bounds[0]
    low = min(ordinary_until(ray, first[home], first[home + 1]), reach)
    greatest_values(ray, low, reach, greatest)
    constant, linear, square = work.packed[0], work.packed[1], work.packed[2]
    least = -_NEGLIGIBLE - math.log(float(ray.constant.size))
    n, part = 0, 0
    for k in range(first.size - 1):
        begin = n
        for m in range(first[k], first[k + 1]):
            constant[n] = ray.constant[m]
            linear[n] = ray.linear[m]
            square[n] = ray.square[m]
            n += 1 if greatest[m] > least else 0
        work.first[part] = begin
        part += 1 if n > begin else 0
    work.first[part] = n
    for m in range(n, padded(n)):
        constant[m] = -1e300
        linear[m] = 0.0
        square[m] = 1.0
    return part, padded(n)


@kernel
def strange_mass(ray, first, reach, work, p, home, tol):
    """Mass of the nodes of part ``home`` on the strange part of the ray, up to the factor of ``mass_beyond``.

    The nodes of part k are those from ``first[k]`` to ``first[k + 1]``. One component alone, which may be asked for all
    digits, is taken as it is.
    """
    seen, parts = ray, first
    if first.size > 2:
        n_parts, n_nodes = pack(ray, first, home, reach, work)
        packed = work.packed
        seen = Ray(packed[0, :n_nodes], packed[1, :n_nodes], packed[2, :n_nodes])
        parts = work.first[: n_parts + 1]
    n = find_ordinary(seen, parts, work, tol)
    part = slice(first[home], first[home + 1])
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


@kernel
def both_ways(ray, first, reach, work, p, home, is_alone, tol):
    """``strange_mass`` of a ray and of the one against it, and all mass on either; one component alone is symmetric."""
    along, against = 0.0, 0.0
    work.memory[0] = 0.3
    for _ in range(1 if is_alone else 2):
        along, against = strange_mass(ray, first, reach, work, p, home, tol), along
        for m in range(ray.linear.size):
            ray.linear[m] = -ray.linear[m]
    part = slice(first[home], first[home + 1])
    whole = mass_beyond(p, ray.constant[part], ray.square[part], 0.0)
    return along, along if is_alone else against, whole
