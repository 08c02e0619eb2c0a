"""The posterior of u by its highest peak, in log u.

The fixed points of the paper's ubar = (dof + p) / (dof + C(ubar)) are the stationary points of g (see ``integrand``),
and the free energy of q(w|k) q(u|k) at one of them is g plus a constant. So the best of them is the highest peak of g,
which is also the most probable log u. What is made of it differs: a Gamma law about it, or nothing but the point.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.exact import (
    gaussian_moments,
    is_noise_free,
    moments_at,
    student_moments,
)
from peculiar.kernels.careful.integrand import highest_peak, log_integrand
from peculiar.kernels.careful.moments import INVERSE_U, LOG_PROB, LOG_U, U
from peculiar.kernels.shared.special import LOG_2PI, digamma_minus_log, stirling_gap


@kernel
def expect_peak(rule, k, e2, b, p, want_latent, t, out):
    """Moments of u for one row and component; same results as ``expect_exact`` leaves."""
    dof = rule.dofs[k]
    if math.isinf(dof):
        gaussian_moments(e2, b, p, out)
    elif rule.is_point:
        _at_peak(dof, e2, b, p, t, out)
    elif is_noise_free(b, p):
        student_moments(dof, e2, b, p, out)  # no noise: the factorisation is exact
    else:
        _about_peak(dof, e2, b, p, t, out)


@kernel
def best_fixed_point(dof, e2, b, p, t):
    """The log u of the best q(w|k) q(u|k), and its bound."""
    s = highest_peak(dof, e2, b, p, t)
    a = 0.5 * (dof + p)
    # log of the integral of exp[a t - a (e^t - 1)], less log a / 2, plus the norm of the prior
    log_norm = 0.5 * math.log(dof / (dof + p)) + stirling_gap(a) - stirling_gap(0.5 * dof)
    return s, log_integrand(s, dof, e2, b, p, t) + log_norm - 0.5 * p * LOG_2PI


@kernel
def _about_peak(dof, e2, b, p, t, out):
    """Moments under q(u) = Gamma(a, a / peak), and the bound it gives."""
    s, bound = best_fixed_point(dof, e2, b, p, t)
    u = math.exp(s)
    a = 0.5 * (dof + p)
    moments_at(u, b, p, out)
    out[LOG_PROB] = bound
    out[U] = u
    out[LOG_U] = digamma_minus_log(a) + s
    out[INVERSE_U] = a / (u * (a - 1.0)) if a > 1.0 else math.inf


@kernel
def _at_peak(dof, e2, b, p, t, out):
    """Moments at the peak, and the joint density of x and log u there."""
    s = highest_peak(dof, e2, b, p, t)
    u = math.exp(s)
    h = 0.5 * dof
    value = log_integrand(s, dof, e2, b, p, t)
    moments_at(u, b, p, out)
    out[LOG_PROB] = value + 0.5 * math.log(h) - stirling_gap(h) - 0.5 * (p + 1) * LOG_2PI
    out[U] = u
    out[LOG_U] = s
    out[INVERSE_U] = 1.0 / u
