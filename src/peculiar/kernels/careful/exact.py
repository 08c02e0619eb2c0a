"""The integral over u by the trapezoidal rule in s = log u. See docs/design/0003 for the proofs.

The step depends on dof and p alone: exp(g) is a positive mixture of Gamma functions of one shape
a = (dof + p) / 2, so its Fourier transform is bounded by that of the Gamma, whatever e and b are.
The range is walked from left to right; stretches where g is provably too low are skipped, so that
neither a second mode is missed nor a valley paid for.
"""

from __future__ import annotations

import math

import numpy as np

from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.integrand import log_integrand, peak_between, stationary_range
from peculiar.kernels.careful.moments import (
    INVERSE_U,
    LOG_PROB,
    LOG_U,
    UT,
    U,
    n_moments,
    t_start,
    tt_start,
)
from peculiar.kernels.shared.special import LOG_2PI, digamma_minus_log, stirling_gap

# Sums are rescaled when a node exceeds the reference by this much (in log).
_RESCALE = 100.0


@kernel
def expect_exact(rule, k, e2, b, p, want_latent, t, out):
    """Posterior moments of u for one row and component; b holds the noise in the frame.

    Writes ``out`` (see :mod:`peculiar.kernels.careful.moments`); log_prob lacks -log|Sigma| / 2.
    """
    dof = rule.dofs[k]
    if math.isinf(dof):
        gaussian_moments(e2, b, p, out)
    elif is_noise_free(b, p):
        student_moments(dof, e2, b, p, out)
    else:
        trapezoid_moments(dof, rule.steps[k, p], rule.depth, e2, b, p, want_latent, t, out)


@kernel
def is_noise_free(b, p):
    """Whether the row is exact in every axis."""
    for j in range(p):
        if b[j] != 0.0:
            return False
    return True


@kernel
def moments_at(u, b, p, out):
    """Moments when u is known."""
    first, second = UT, t_start(p)
    for j in range(p):
        t = 1.0 / (1.0 + u * b[j])
        out[first + j] = u * t
        out[second + j] = t
    first_pair, second_pair = UT + p, tt_start(p)
    for j in range(p):
        for i in range(j + 1):
            tt = out[second + j] * out[second + i]
            out[first_pair] = u * tt
            out[second_pair] = tt
            first_pair += 1
            second_pair += 1


@kernel
def gaussian_moments(e2, b, p, out):
    """dof = inf: u is 1."""
    quadratic = 0.0
    log_det = 0.0
    for j in range(p):
        log_det += math.log1p(b[j])
        quadratic += e2[j] / (1.0 + b[j])
    moments_at(1.0, b, p, out)
    out[LOG_PROB] = -0.5 * (p * LOG_2PI + log_det + quadratic)
    out[U] = 1.0
    out[LOG_U] = 0.0
    out[INVERSE_U] = 1.0


@kernel
def student_moments(dof, e2, b, p, out):
    """No noise: u is Gamma(a, (dof + sum e^2) / 2) and the clean value is the measured one."""
    a = 0.5 * (dof + p)
    total = 0.0
    for j in range(p):
        total += e2[j]
    u = (dof + p) / (dof + total)
    log_norm = (a - 0.5) * math.log1p(p / dof) - 0.5 * p + stirling_gap(a) - stirling_gap(0.5 * dof)
    moments_at(u, b, p, out)
    out[LOG_PROB] = log_norm - 0.5 * p * LOG_2PI - a * math.log1p(total / dof)
    out[U] = u
    out[LOG_U] = digamma_minus_log(a) + math.log(u)
    out[INVERSE_U] = (dof + total) / (dof + p - 2.0) if dof + p > 2.0 else math.inf


@kernel
def trapezoid_moments(dof, step, depth, e2, b, p, want_latent, t, out):
    """Moments by quadrature; see :func:`left_end` and :func:`trapezoid_sums` for the range."""
    low, high = stationary_range(dof, e2, p)
    a = 0.5 * (dof + p)
    reference = peak_between(low, high, 0.1 / math.sqrt(a), dof, e2, b, p)
    value = log_integrand(reference, dof, e2, b, p, t)
    value = trapezoid_sums(reference, value, step, depth, dof, e2, b, p, want_latent, t, out)

    total = out[LOG_PROB]
    used = n_moments(p) if want_latent else t_start(p)
    for m in range(UT, used):
        out[m] /= total
    log_norm = 0.5 * math.log(0.5 * dof) - 0.5 * LOG_2PI - stirling_gap(0.5 * dof)
    out[LOG_PROB] = value + math.log(step * total) + log_norm - 0.5 * p * LOG_2PI
    out[U] /= total
    out[LOG_U] = reference + out[LOG_U] / total
    if want_latent:
        out[INVERSE_U] = inverse_mean(dof, e2, b, p, out)


@kernel
def inverse_mean(dof, e2, b, p, out):
    """E[1/u], from E[C(u)] by partial integration; the integral itself would converge too slowly."""
    if dof + p <= 2.0:
        return math.inf
    c = 0.0
    pair = tt_start(p)
    for j in range(p):
        pair += j  # now at (j, j)
        c += e2[j] * out[pair] + b[j] * out[t_start(p) + j]
        pair += 1
    return (dof + c) / (dof + p - 2.0)


@kernel
def left_end(reference, value, depth, dof, e2, b, p, want_latent, t):
    """Where to start the walk, and where the weights stop falling to the left.

    Left of u = min[(dof + p) / (dof + sum e^2 + sum b) / 2, 1 / max b] the slope g' is at least a / 2, and no moment
    function grows by more than a factor of 4 any more.
    """
    total = 0.0
    largest = 0.0
    for j in range(p):
        total += e2[j] + b[j]
        largest = max(largest, b[j])
    turn = math.log(min(0.5 * (dof + p) / (dof + total), 1.0 / largest))
    growth = moment_growth(turn, reference, want_latent)
    excess = log_integrand(turn, dof, e2, b, p, t) + growth - (value - depth)
    return turn - 4.0 * max(0.0, excess) / (dof + p), turn


@kernel
def moment_growth(s, reference, want_latent):
    """Upper bound of log[f(s) / f(reference)] for every moment function f.

    To the right u t_j t_i and the like grow no faster than u; to the left no faster than 1 / u, and t_j t_i no
    faster than 1 / u^2.
    """
    if s > reference:
        return s - reference
    return (2.0 if want_latent else 1.0) * (reference - s)


@kernel
def trapezoid_sums(reference, value, step, depth, dof, e2, b, p, want_latent, t, out):
    """Sums over the nodes reference + i * step, relative to exp(value); returns the final value.

    A node whose g + :func:`moment_growth` lies ``depth`` below the reference adds nothing to *any* moment, relative
    to that moment. This matters when E[u] comes from a second mode far to the right that holds next to none of the
    probability.
    """
    out[: n_moments(p)] = 0.0
    start, turn = left_end(reference, value, depth, dof, e2, b, p, want_latent, t)
    beyond = math.log((dof + p + 2.0) / dof)  # right of it, u exp(g) falls for good
    steepest = 0.5 * (dof + p) + 1.0
    base = value
    i = np.floor((start - reference) / step)
    last = np.ceil((beyond - reference) / step) + 1.0
    while not math.isnan(i):  # NaN in, NaN out: never an endless walk
        s = reference + i * step
        g = log_integrand(s, dof, e2, b, p, t)
        missing = base - depth - g - moment_growth(max(s, turn), reference, want_latent)
        if missing > 0.0:
            if s > beyond:
                return value
            i = max(i + 1.0, min(i + np.floor(missing / (steepest * step)), last))
            continue
        if g > value + _RESCALE:
            out *= math.exp(value - g)
            value = g
        add_node(math.exp(g - value), math.exp(s), s - reference, p, want_latent, t, out)
        i += 1.0
    return math.nan


@kernel
def add_node(weight, u, s, p, want_latent, t, out):
    """Add one node of the quadrature to the sums."""
    out[LOG_PROB] += weight
    out[U] += weight * u
    out[LOG_U] += weight * s
    add_products(weight * u, t, p, UT, out)
    if want_latent:
        add_products(weight, t, p, t_start(p), out)


@kernel
def add_products(weight, t, p, start, out):
    """Add weight * t_j, then weight * t_j * t_i, from ``start`` on."""
    pair = start + p
    for j in range(p):
        wt = weight * t[j]
        out[start + j] += wt
        for i in range(j + 1):
            out[pair] += wt * t[i]
            pair += 1
