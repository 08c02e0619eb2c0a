"""Gibbs sampling of (k, u, w) for one row: random nodes where ``exact`` has a grid.

A sweep has two steps, each of which draws two of the three together. One at a time they would get stuck: w hardly
leaves a component while k is fixed, nor does k while w is.

1. (k, w) given u and x. Every component has a u of its own; those of the components the chain is not in have their
   prior law, so that k can go wherever x may have come from. Then  w | k, u, x.
2. (k, u) given w.  k | w  has the weights of the t-densities at w, and  u | w, k  is Gamma((dof + p) / 2,
   (dof + |w|^2) / 2) with |w| in units of component k.

Step 1 moves objects that may well be ordinary, step 2 those whose u is far from the prior's: then w is known well.
Moments of w given (k, u) are taken in closed form, as at the nodes of ``exact``, and added up over the sweeps.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.exact import add_node, expect_exact, inverse_mean, moments_at
from peculiar.kernels.careful.integrand import log_integrand
from peculiar.kernels.careful.moments import INVERSE_U, LOG_PROB, LOG_U, UT, U, n_moments, t_start
from peculiar.kernels.careful.row import SQUARES, expect_nothing, normalise, turn_row
from peculiar.kernels.shared.special import LOG_2PI, stirling_gap

_LEAST_SCALE = 1e-290


@kernel
def expect_gibbs(rule, components, rows, row, features, p, want_latent, block, work):
    """Estimated moments of one row under every component; returns its true log-density."""
    if p == 0:
        return expect_nothing(rule.dofs, components, work)
    space = rule.space
    for k in range(rule.dofs.size):
        turn_row(components, rows, row, k, features, p, block.inverse[k], work)
        e2 = work.vectors[SQUARES]
        expect_exact(rule, k, e2, work.b[k], p, False, work.scratch[0], work.moments[k])
        space.log_joint[k] = block.log_norm[k] + work.moments[k, LOG_PROB]
        space.norm[k] = _student_norm(rule.dofs[k], p)
        space.visits[k] = 0.0
        work.moments[k, : n_moments(p)] = 0.0
    z, u = _start(rule, block)
    for sweep in range(rule.n_sweeps):
        z, u = _given_scales(rule, z, u, p, block, work)
        if sweep >= rule.burn_in:
            _visit(rule.space, z, u, p, want_latent, work)
        _draw_clean(rule, components, z, u, features, p, block, work)
        z, u = _given_clean(rule, components, features, p, block)
    _finish(rule, p, want_latent, work)
    return normalise(space.log_joint)


@kernel
def _student_norm(dof, p):
    """Log of the t-density at its centre, for unit scatter."""
    if math.isinf(dof):
        return -0.5 * p * LOG_2PI
    a = 0.5 * (dof + p)
    norm = (a - 0.5) * math.log1p(p / dof) - 0.5 * p + stirling_gap(a) - stirling_gap(0.5 * dof)
    return norm - 0.5 * p * LOG_2PI


@kernel
def _start(rule, block):
    """A component by its weight alone, with an ordinary u."""
    weights = rule.space.weight
    for k in range(rule.dofs.size):
        weights[k] = block.log_norm[k]
    return _choose(rule.generator, weights), 1.0


@kernel
def _choose(generator, log_weights):
    """An index, with probability in proportion to exp(log_weights)."""
    largest = -math.inf
    for k in range(log_weights.size):
        largest = max(largest, log_weights[k])
    total = 0.0
    for k in range(log_weights.size):
        log_weights[k] = math.exp(log_weights[k] - largest)
        total += log_weights[k]
    left = generator.random() * total
    chosen = 0
    for k in range(log_weights.size):
        if log_weights[k] > 0.0:
            chosen = k
            left -= log_weights[k]
            if left < 0.0:
                break
    return chosen


@kernel
def _gamma(generator, shape, rate):
    """A draw from Gamma(shape, rate), kept away from 0."""
    return max(generator.standard_gamma(shape) / rate, _LEAST_SCALE)


@kernel
def _given_scales(rule, z, u, p, block, work):
    """k given x and a u for each component; those of the components it is not in are drawn from their prior."""
    space = rule.space
    scales, weights, e2, t = space.scale, space.weight, space.e2, space.t
    for k in range(rule.dofs.size):
        dof = rule.dofs[k]
        scales[k] = 1.0
        if k == z:
            scales[k] = u
        elif not math.isinf(dof):
            scales[k] = _gamma(rule.generator, 0.5 * dof, 0.5 * dof)
        for j in range(p):
            e2[j] = work.e[k, j] * work.e[k, j]
        log_prob = log_integrand(math.log(scales[k]), 0.0, e2, work.b[k], p, t)
        weights[k] = block.log_norm[k] + log_prob
    z = _choose(rule.generator, weights)
    return z, scales[z]


@kernel
def _visit(space, z, u, p, want_latent, work):
    """Add the moments of w given (k, u)."""
    t, b = space.t, work.b[z]
    for j in range(p):
        t[j] = 1.0 / (1.0 + u * b[j])
    space.visits[z] += 1.0
    add_node(1.0, u, math.log(u), p, want_latent, t, work.moments[z])


@kernel
def _draw_clean(rule, components, z, u, features, p, block, work):
    """A clean value given k, u and x, in the observed features."""
    e, b, q, white, clean = work.e[z], work.b[z], work.q[z], rule.space.white, rule.space.clean
    white[:] = 0.0
    for j in range(p):
        t = 1.0 / (1.0 + u * b[j])
        value = e[j] * t + math.sqrt(b[j] * t) * rule.generator.standard_normal()
        if work.turned[z]:
            for i in range(p):
                white[i] += q[i, j] * value
        else:
            white[j] = value
    for i in range(p):
        f = features[i]
        clean[i] = components.locations[z, f]
        for j in range(i + 1):
            clean[i] += block.spread[z, f, j] * white[j]


@kernel
def _given_clean(rule, components, features, p, block):
    """(k, u) given the clean value."""
    space = rule.space
    weights, squares, clean, delta = space.weight, space.square, space.clean, space.delta
    for k in range(rule.dofs.size):
        inverse, location = block.inverse[k], components.locations[k]
        for j in range(p):
            delta[j] = clean[j] - location[features[j]]
        square = 0.0
        for i in range(p):
            total = 0.0
            for j in range(i + 1):
                total += inverse[i, j] * delta[j]
            square += total * total
        squares[k] = square
        dof = rule.dofs[k]
        fall = 0.5 * square if math.isinf(dof) else 0.5 * (dof + p) * math.log1p(square / dof)
        weights[k] = block.log_norm[k] + space.norm[k] - fall
    z = _choose(rule.generator, weights)
    dof = rule.dofs[z]
    if math.isinf(dof):
        return z, 1.0
    return z, _gamma(rule.generator, 0.5 * (dof + p), 0.5 * (dof + squares[z]))


@kernel
def _finish(rule, p, want_latent, work):
    """From sums over the visits to means. A component that was never visited has u = 1, and no share in the row."""
    total = float(rule.n_sweeps - rule.burn_in)
    used = n_moments(p) if want_latent else t_start(p)
    space, e2 = rule.space, rule.space.e2
    for k in range(rule.dofs.size):
        visits, out, b = space.visits[k], work.moments[k], work.b[k]
        if visits == 0.0:
            work.log_resp[k] = -math.inf
            moments_at(1.0, b, p, out)
            out[U], out[LOG_U], out[INVERSE_U] = 1.0, 0.0, 1.0
            continue
        work.log_resp[k] = math.log(visits / total)
        out[U] /= visits
        out[LOG_U] /= visits
        for m in range(UT, used):
            out[m] /= visits
        if want_latent:
            for j in range(p):
                e2[j] = work.e[k, j] * work.e[k, j]
            dof = rule.dofs[k]
            out[INVERSE_U] = 1.0 if math.isinf(dof) else inverse_mean(dof, e2, b, p, out)
