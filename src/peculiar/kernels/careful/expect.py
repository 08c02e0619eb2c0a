"""Moments of one row under every component, with all care: by the rule of each engine."""

from __future__ import annotations

from peculiar.kernels._jit import by_type, kernel
from peculiar.kernels.careful.exact import expect_exact
from peculiar.kernels.careful.factorized import expect_factorized
from peculiar.kernels.careful.gibbs import expect_gibbs
from peculiar.kernels.careful.moments import LOG_PROB
from peculiar.kernels.careful.peak import expect_peak
from peculiar.kernels.careful.row import SQUARES, expect_nothing, normalise, turn_row
from peculiar.kernels.careful.wild import expect_wild
from peculiar.kernels.structs import ExactRule, FactorizedRule, GibbsRule, PeakRule, WildRule

expect_scale = by_type({ExactRule: expect_exact, WildRule: expect_wild, PeakRule: expect_peak})
"""Moments of u for one row and component: ``expect_scale(rule, k, e2, b, p, want_latent, t, out)``."""


@kernel
def expect_each(rule, components, rows, row, features, p, want_latent, block, work):
    """One component after another: for rules that take each by itself."""
    if p == 0:
        return expect_nothing(rule.dofs, components, work)
    return expect_any(rule, components, rows, row, features, p, want_latent, block, work)


@kernel
def expect_any(rule, components, rows, row, features, p, want_latent, block, work):
    """The same, for rules that are good for rows with nothing observed, too."""
    for k in range(components.log_weights.size):
        turn_row(components, rows, row, k, features, p, block.inverse[k], work)
        e2 = work.vectors[SQUARES]
        expect_scale(rule, k, e2, work.b[k], p, want_latent, work.scratch[0], work.moments[k])
        work.log_resp[k] = block.log_norm[k] + work.moments[k, LOG_PROB]
    return normalise(work.log_resp)


expect_row = by_type(
    {
        ExactRule: expect_each,
        WildRule: expect_any,
        PeakRule: expect_each,
        FactorizedRule: expect_factorized,
        GibbsRule: expect_gibbs,
    }
)
"""Moments of one row under every component, and its responsibilities, left in ``work``; returns its log-density.

``expect_row(rule, components, rows, row, features, p, want_latent, block, work)``
"""
