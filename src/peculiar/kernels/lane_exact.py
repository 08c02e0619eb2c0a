"""The integral over u for a block of rows at once: the fast way of ``exact``.

All lanes share the nodes t = start, start + step, ... of  s = log u = c + t - crowd e^(-kappa t); only the centre c
is a lane's own. The substitution makes the left tail, which falls only as e^(a s), doubly exponential. A lane for
which this is not good enough (its range too long, its weights out of range) is marked, and done again by ``exact``.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import inlined, kernel
from peculiar.kernels.lane_math import lane_exp, lane_log
from peculiar.kernels.minors import add_moments, trailing_minors
from peculiar.kernels.special import LOG_2PI, stirling_gap
from peculiar.kernels.structs import LANES

_MAX_NODES = 160
_HUGE = 1e290


@kernel
def integrate_lanes(rule, k, p, want_moments, space, first, second, out):
    """Moments of u for every lane, y and B given in tridiagonal axes.

    Writes log_prob, E[u], E[log u] and a mark into the rows of ``out``, and E[u (w - mu)] and E[u (w - mu)(w - mu)']
    in the tridiagonal axes into first and second.
    """
    dof, step, kappa, crowd = rule.dofs[k], rule.steps[k, p], rule.kappas[k], rule.crowds[k, p]
    a = 0.5 * (dof + p)
    b, minors, ub, beta = space.b, space.minors, space.ub, space.beta
    head, u, root, c, x = space.head, space.rows[0], space.rows[1], space.rows[2], space.rows[3]
    inverse, weight, square = space.rows[4], space.rows[5], space.rows[6]
    total, sum_u, sum_s, mark = out[0], out[1], out[2], out[3]
    _centres(dof, p, a, space, square, u, inverse, c, root, x)
    for m in range(LANES):
        total[m] = sum_u[m] = sum_s[m] = 0.0
    if want_moments:
        clear(p, first, second)
    d0, d1 = minors[0], minors[1]
    right = math.log((dof + p + 2.0) / dof)  # beyond it, u exp(g) falls for good
    t = rule.lane_starts[k, p] if crowd > 0.0 else _first_offset(a, rule.lane_depth, space)
    off = 0.0
    n_open = LANES
    n = 0
    while n_open > 0 and n < _MAX_NODES:
        squeeze = crowd * math.exp(-kappa * t)
        off = t - squeeze
        factor = math.exp(off)
        jacobian = 1.0 + kappa * squeeze
        rise = a * off
        for m in range(LANES):
            u[m] = root[m] * factor
        trailing_minors(u, b, beta, p, ub, minors)
        for m in range(LANES):
            inverse[m] = 1.0 / d0[m]
        for m in range(LANES):
            x[m] = rise - 0.5 * u[m] * (dof + square[m] * d1[m] * inverse[m])
        for m in range(LANES):
            weight[m] = jacobian * lane_exp(x[m]) * math.sqrt(inverse[m])
        for m in range(LANES):
            total[m] += weight[m]
            sum_u[m] += weight[m] * u[m]
            sum_s[m] += weight[m] * off
        if want_moments:
            add_moments(weight, u, inverse, head, b, ub, p, minors, space.work, first, second)
        t += step
        n += 1
        if n % 2 == 0 and off > 0.0:
            _mark_open(x, c, a, off, right, rule.lane_depth, mark)
            n_open = _count(mark)
    h = 0.5 * dof
    log_norm = h + 0.5 * math.log(h) - stirling_gap(h) - 0.5 * (p + 1) * LOG_2PI + math.log(step)
    _mark_exact_values(p, b, mark)
    _finish(a, log_norm, c, p, want_moments, inverse, first, second, out)


@inlined
def _centres(dof, p, a, space, square, u, inverse, c, root, x):
    """Where the left tail e^(a s) would reach the height of g at the noise-free mode: c, and e^c in ``root``.

    The distance from there to the mode is left in x.
    """
    head, d0, d1 = space.head, space.minors[0], space.minors[1]
    for m in range(LANES):
        square[m] = head[m] * head[m]
    for m in range(LANES):
        u[m] = (dof + p) / (dof + square[m])
    trailing_minors(u, space.b, space.beta, p, space.ub, space.minors)
    for m in range(LANES):
        inverse[m] = 1.0 / d0[m]
    for m in range(LANES):
        drop = u[m] * (dof + square[m] * d1[m] * inverse[m]) + lane_log(d0[m])
        x[m] = 0.5 * drop / a
        c[m] = lane_log(u[m]) - x[m]
    for m in range(LANES):
        root[m] = lane_exp(c[m])


@inlined
def _first_offset(a, depth, space):
    """First s - c, for large a, where starting at -depth / a would waste nodes.

    g = a s - f(u) with a concave f, f(0) = 0, so that left of the noise-free mode, a distance d from c,
    g <= g(mode) + a [s - c - d e^(s - c - d)]: find where that falls below -depth. It is lowest for the
    least or the greatest d of the lanes.
    """
    distance = space.rows[3]
    least, greatest = math.inf, 0.0
    for m in range(LANES):
        least = min(least, distance[m])
        greatest = max(greatest, distance[m])
    return min(_solve_offset(least, depth / a), _solve_offset(greatest, depth / a))


@kernel
def _solve_offset(distance, drop):
    """The least o with o - distance e^(o - distance) = -drop."""
    o = -drop
    for _ in range(
        100
    ):  # from the left, where the function is concave: Newton would overshoot, this does not
        following = distance * math.exp(o - distance) - drop
        if following - o < 1e-3:
            break
        o = following
    return o


@inlined
def _mark_exact_values(p, b, mark):
    """Mark the lanes without any noise: they have a closed form."""
    for m in range(LANES):
        trace = 0.0
        for j in range(p):
            trace += b[j, j, m]
        if trace == 0.0:
            mark[m] = 1.0


@inlined
def _mark_open(x, c, a, off, right, depth, mark):
    """Mark the lanes of which something that matters may still come: g climbs at most by (a + 1) (right - s)."""
    for m in range(LANES):
        rest = x[m] + off + (a + 1.0) * max(0.0, right - c[m] - off)
        mark[m] = 0.0 if rest < -depth else 1.0


@inlined
def _count(mark):
    n = 0
    for m in range(LANES):
        if mark[m] != 0.0:
            n += 1
    return n


@kernel
def clear(p, first, second):
    """Set the sums to zero."""
    for j in range(p):
        out = first[j]
        for m in range(LANES):
            out[m] = 0.0
        for i in range(j, p):
            out = second[i, j]
            for m in range(LANES):
                out[m] = 0.0


@inlined
def _finish(a, log_norm, c, p, want_moments, inverse, first, second, out):
    """From sums to means. ``add_moments`` left out the identity in I - (I + u B)^-1 = u B (I + u B)^-1."""
    total, sum_u, sum_s, mark = out[0], out[1], out[2], out[3]
    for m in range(LANES):
        fine = (total[m] > 1.0 / _HUGE) and (total[m] < _HUGE) and (sum_u[m] < _HUGE)
        mark[m] = mark[m] if fine else 1.0
        total[m] = (
            total[m] if fine else 1.0
        )  # what is marked will be replaced, but must not be NaN till then
        inverse[m] = 1.0 / total[m] if fine else 0.0
    for m in range(LANES):
        total[m] = log_norm + a * c[m] + lane_log(total[m])
        sum_u[m] *= inverse[m]
        sum_s[m] = c[m] + sum_s[m] * inverse[m]
    if want_moments:
        scale_moments(inverse, p, first, second, mark)


@kernel
def scale_moments(scale, p, first, second, mark):
    """Multiply the sums, and add the identity; lanes in which a product of minors has overflowed are marked."""
    for j in range(p):
        out = first[j]
        for m in range(LANES):
            out[m] *= scale[m]
        for i in range(j, p):
            out = second[i, j]
            for m in range(LANES):
                out[m] *= scale[m]
            for m in range(LANES):
                mark[m] = mark[m] if abs(out[m]) < _HUGE else 1.0
        out = second[j, j]
        for m in range(LANES):
            out[m] += 1.0
