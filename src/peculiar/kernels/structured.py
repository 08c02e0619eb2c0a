"""The paper's q(w|k) q(u|k): its best fixed point.

The fixed points of ubar = (dof + p) / (dof + C(ubar)) are the stationary points of g (see ``integrand``),
and the free energy at one of them is g plus a constant: the best is the highest peak of g.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import inlined, kernel
from peculiar.kernels.exact import gaussian_moments, is_noise_free, moments_at, student_moments
from peculiar.kernels.integrand import highest_peak, log_integrand
from peculiar.kernels.moments import INVERSE_U, LOG_PROB, LOG_U, U
from peculiar.kernels.special import LOG_2PI, digamma_minus_log, stirling_gap


@kernel
def expect_structured(rule, k, e2, b, p, want_latent, t, out):
    """Variational moments of u for one row and component; same results as ``expect_exact`` leaves."""
    dof = rule.dofs[k]
    if math.isinf(dof):
        gaussian_moments(e2, b, p, out)
    elif is_noise_free(b, p):
        student_moments(dof, e2, b, p, out)  # no noise: the factorisation is exact
    else:
        fixed_point_moments(dof, e2, b, p, t, out)


@inlined
def fixed_point_moments(dof, e2, b, p, t, out):
    """Moments under q(u) = Gamma(a, a / ubar)."""
    s = highest_peak(dof, e2, b, p, t)
    u = math.exp(s)
    a = 0.5 * (dof + p)
    value = log_integrand(s, dof, e2, b, p, t)
    moments_at(u, b, p, out)
    # log of the integral of exp[a t - a (e^t - 1)], less log a / 2, plus the norm of the prior
    log_norm = 0.5 * math.log(dof / (dof + p)) + stirling_gap(a) - stirling_gap(0.5 * dof)
    out[LOG_PROB] = value + log_norm - 0.5 * p * LOG_2PI
    out[U] = u
    out[LOG_U] = digamma_minus_log(a) + s
    out[INVERSE_U] = a / (u * (a - 1.0)) if a > 1.0 else math.inf
