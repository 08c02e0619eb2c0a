"""The best fixed point for a block of rows at once: the fast way of ``structured``.

Newton's method for g'(s) = 0, on all lanes. Where g may have several maxima (see ``has_one_peak``) it is run from both
ends; a lane whose ends disagree, or that does not settle, is marked and done again by ``structured``.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.lane_exact import clear, scale_moments
from peculiar.kernels.lane_math import lane_exp, lane_log
from peculiar.kernels.minors import add_moments, trailing_minors
from peculiar.kernels.special import LOG_2PI, digamma_minus_log, stirling_gap
from peculiar.kernels.structs import LANES

_MAX_STEPS = 40
_LONGEST_STEP = 1.5
_SETTLED = 1e-13
_SAME = 1e-7


@kernel
def maximise_lanes(rule, k, p, want_moments, space, first, second, out):
    """Moments of u under q for every lane; same results as ``integrate_lanes``."""
    dof = rule.dofs[k]
    a = 0.5 * (dof + p)
    head, s, low, u, step = space.head, space.rows[0], space.rows[1], space.rows[2], space.rows[3]
    inverse, weight, square = space.rows[4], space.rows[5], space.rows[6]
    log_prob, mean_u, mean_s, mark = out[0], out[1], out[2], out[3]
    several = False
    for m in range(LANES):
        square[m] = head[m] * head[m]
        several = several or square[m] > 27.0 * dof
    high = math.log1p(p / dof)
    for m in range(LANES):
        s[m] = high
        mark[m] = 0.0
    _climb(dof, p, space, square, s, u, step, inverse, mark)
    if several:
        for m in range(LANES):
            low[m] = -lane_log(1.0 + square[m] / dof)
        _climb(dof, p, space, square, low, u, step, inverse, mark)
        for m in range(LANES):
            mark[m] = 1.0 if abs(low[m] - s[m]) > _SAME else mark[m]
    for m in range(LANES):
        u[m] = lane_exp(s[m])
    trailing_minors(u, space.b, space.beta, p, space.ub, space.minors)
    d0, d1 = space.minors[0], space.minors[1]
    for m in range(LANES):
        inverse[m] = 1.0 / d0[m]
        weight[m] = 1.0
    log_norm = 0.5 * dof + 0.5 * math.log(dof / (dof + p)) - 0.5 * p * LOG_2PI
    log_norm += stirling_gap(a) - stirling_gap(0.5 * dof)
    bias = digamma_minus_log(a)
    for m in range(LANES):
        fall = u[m] * (dof + square[m] * d1[m] * inverse[m]) + lane_log(d0[m])
        log_prob[m] = log_norm + a * s[m] - 0.5 * fall
        mean_u[m] = u[m]
        mean_s[m] = s[m] + bias
    for m in range(LANES):
        mark[m] = mark[m] if abs(log_prob[m]) < 1e300 else 1.0
    if want_moments:
        clear(p, first, second)
        add_moments(
            weight, u, inverse, head, space.b, space.ub, p, space.minors, space.work, first, second
        )
        scale_moments(weight, p, first, second, mark)


@kernel
def _climb(dof, p, space, square, s, u, step, inverse, mark):
    """Newton's method from s to a maximum of g on every lane; lanes that do not settle are marked."""
    a = 0.5 * (dof + p)
    for _ in range(_MAX_STEPS):
        for m in range(LANES):
            u[m] = lane_exp(s[m])
        _minors_and_slopes(u, space, p)
        d0, d1 = space.minors[0], space.minors[1]
        e0, e1 = space.slopes[0, 0], space.slopes[0, 1]
        h0, h1 = space.slopes[1, 0], space.slopes[1, 1]
        for m in range(LANES):
            inverse[m] = 1.0 / d0[m]
        for m in range(LANES):
            # n = D_1 / D_0 and log D_0, with their derivatives in u
            n = d1[m] * inverse[m]
            first_log = e0[m] * inverse[m]
            n_first = e1[m] * inverse[m] - n * first_log
            curve = h0[m] * inverse[m]
            n_second = h1[m] * inverse[m] - 2.0 * n_first * first_log - n * curve
            f1 = 0.5 * u[m] * (dof + square[m] * (n + u[m] * n_first) + first_log)
            f2 = (
                0.5
                * u[m]
                * u[m]
                * (square[m] * (2.0 * n_first + u[m] * n_second) + curve - first_log * first_log)
            )
            newton = (a - f1) / (f1 + f2)
            # where g is not concave, a step of the fixed point iteration, which never overshoots
            plain = (a - f1) / max(a, f1)
            step[m] = newton if f1 + f2 > 0.0 else plain
        largest = 0.0
        for m in range(LANES):
            limited = max(-_LONGEST_STEP, min(_LONGEST_STEP, step[m]))
            s[m] += limited
            step[m] = limited
        for m in range(LANES):
            largest = max(largest, abs(step[m]))
        if largest < _SETTLED:
            break
    for m in range(LANES):
        mark[m] = mark[m] if abs(step[m]) < 1e-9 else 1.0


@kernel
def _minors_and_slopes(u, space, p):
    """Trailing minors with their first and second derivatives in u (slopes[0] and slopes[1])."""
    trailing_minors(u, space.b, space.beta, p, space.ub, space.minors)
    minors, first, second = space.minors, space.slopes[0], space.slopes[1]
    for i in (p, p - 1):
        f, g = first[i], second[i]
        for m in range(LANES):
            f[m] = g[m] = 0.0
    alpha, f = space.b[p - 1, p - 1], first[p - 1]
    for m in range(LANES):
        f[m] = alpha[m]
    for i in range(p - 2, -1, -1):
        alpha, beta = space.b[i, i], space.beta[i]
        d1, d2 = minors[i + 1], minors[i + 2]
        f, f1, f2 = first[i], first[i + 1], first[i + 2]
        g, g1, g2 = second[i], second[i + 1], second[i + 2]
        for m in range(LANES):
            b2 = beta[m] * beta[m]
            f[m] = alpha[m] * d1[m] + (1.0 + u[m] * alpha[m]) * f1[m]
            f[m] -= u[m] * b2 * (2.0 * d2[m] + u[m] * f2[m])
        for m in range(LANES):
            b2 = beta[m] * beta[m]
            g[m] = 2.0 * alpha[m] * f1[m] + (1.0 + u[m] * alpha[m]) * g1[m]
            g[m] -= b2 * (2.0 * d2[m] + 4.0 * u[m] * f2[m] + u[m] * u[m] * g2[m])
