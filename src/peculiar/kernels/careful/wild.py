"""A law of u with a wild part: the ordinary part as it is, and a sum over the scales of the other."""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.exact import add_node, expect_exact
from peculiar.kernels.careful.integrand import log_integrand
from peculiar.kernels.careful.moments import (
    INVERSE_U,
    LOG_PROB,
    LOG_U,
    UT,
    WILD,
    WILD_U,
    U,
    n_moments,
    t_start,
)
from peculiar.kernels.shared.special import LOG_2PI


@kernel
def expect_wild(rule, k, e2, b, p, want_latent, t, out):
    """Moments of u for one row and component: those of both parts, each by its posterior probability."""
    expect_exact(rule.ordinary, k, e2, b, p, want_latent, t, out)
    wild = rule.space
    log_wild = _wild_moments(rule, e2, b, p, want_latent, t, wild)
    log_ordinary = rule.log_rest + out[LOG_PROB]
    larger = max(log_ordinary, log_wild)
    log_prob = larger + math.log(math.exp(log_ordinary - larger) + math.exp(log_wild - larger))
    share, rest = math.exp(log_wild - log_prob), math.exp(log_ordinary - log_prob)
    out[LOG_PROB] = log_prob
    out[U] = rest * out[U] + share * wild[U]
    out[LOG_U] *= rest
    ordinary = rest * out[INVERSE_U] if rest > 0.0 else 0.0  # it may be infinite
    out[INVERSE_U] = ordinary + share * wild[INVERSE_U]
    out[WILD] = share
    out[WILD_U] = share * wild[U]
    for m in range(UT, n_moments(p) if want_latent else t_start(p)):
        out[m] = rest * out[m] + share * wild[m]


@kernel
def _wild_moments(rule, e2, b, p, want_latent, t, out):
    """Moments under the wild part; returns the log of its density and share. ``log_integrand`` leaves its t."""
    n = n_moments(p)
    for m in range(n):
        out[m] = 0.0
    largest = -math.inf
    for q in range(rule.u.size):
        value = rule.log_weight[q] + log_integrand(math.log(rule.u[q]), 0.0, e2, b, p, t)
        largest = max(largest, value)
    for q in range(rule.u.size):
        u = rule.u[q]
        value = rule.log_weight[q] + log_integrand(math.log(u), 0.0, e2, b, p, t)
        weight = math.exp(value - largest)
        add_node(weight, u, 0.0, p, want_latent, t, out)
        out[INVERSE_U] += weight / u
    total = out[LOG_PROB]
    for m in range(n):
        out[m] /= total
    return largest + math.log(total) - 0.5 * p * LOG_2PI
