"""The two limits in closed form, for a block of rows at once: infinite dof, and no noise."""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.lane_exact import clear, scale_moments
from peculiar.kernels.lane_math import lane_log
from peculiar.kernels.minors import add_moments, trailing_minors
from peculiar.kernels.special import LOG_2PI, digamma_minus_log, stirling_gap
from peculiar.kernels.structs import LANES


@kernel
def gaussian_lanes(p, want_moments, space, first, second, out):
    """dof = inf: u is 1."""
    one, inverse, head = space.rows[0], space.rows[1], space.head
    log_prob, mean_u, mean_s, mark = out[0], out[1], out[2], out[3]
    for m in range(LANES):
        one[m] = mean_u[m] = 1.0
        mean_s[m] = 0.0
    trailing_minors(one, space.b, space.beta, p, space.ub, space.minors)
    d0, d1 = space.minors[0], space.minors[1]
    for m in range(LANES):
        inverse[m] = 1.0 / d0[m]
    for m in range(LANES):
        quadratic = head[m] * head[m] * d1[m] * inverse[m]
        log_prob[m] = -0.5 * (p * LOG_2PI + lane_log(d0[m]) + quadratic)
    for m in range(LANES):
        mark[m] = 0.0 if abs(log_prob[m]) < 1e300 else 1.0
    if want_moments:
        clear(p, first, second)
        add_moments(
            one, one, inverse, head, space.b, space.ub, p, space.minors, space.work, first, second
        )
        scale_moments(one, p, first, second, mark)


@kernel
def student_lanes(dof, p, y, want_moments, space, first, second, out):
    """No noise: the clean value is the measured one, u is Gamma(a, (dof + |y|^2) / 2), or 1."""
    square = space.rows[0]
    log_prob, mean_u, mean_s, mark = out[0], out[1], out[2], out[3]
    for m in range(LANES):
        square[m] = mark[m] = 0.0
    for j in range(p):
        yj = y[j]
        for m in range(LANES):
            square[m] += yj[m] * yj[m]
    if math.isinf(dof):
        for m in range(LANES):
            log_prob[m] = -0.5 * (p * LOG_2PI + square[m])
            mean_u[m] = 1.0
            mean_s[m] = 0.0
    else:
        a = 0.5 * (dof + p)
        log_norm = (a - 0.5) * math.log1p(p / dof) - 0.5 * p * (1.0 + LOG_2PI)
        log_norm += stirling_gap(a) - stirling_gap(0.5 * dof)
        bias = digamma_minus_log(a) + math.log1p(p / dof)
        for m in range(LANES):
            log_ratio = lane_log(1.0 + square[m] / dof)
            log_prob[m] = log_norm - a * log_ratio
            mean_s[m] = bias - log_ratio
        for m in range(LANES):
            mean_u[m] = (dof + p) / (dof + square[m])
    if want_moments:
        for i in range(p):
            yi = y[i]
            out_i = first[i]
            for m in range(LANES):
                out_i[m] = mean_u[m] * yi[m]
            for j in range(i + 1):
                yj = y[j]
                out_ij = second[i, j]
                for m in range(LANES):
                    out_ij[m] = out_i[m] * yj[m]
