"""Tail probabilities of the rows of a block: how much of the population is at most as dense as each of them.

For each component of the mixture rays go out from its location, in units of its own contour (``tail_metric``). With
w = location + rho V theta, theta uniform on the sphere, the probability of the component's strange part is

    p_k = mean_theta sum_q weight_q |V| |T_q|^(-1/2) c_q^(-p/2) [Q(p/2, rho^2 c_q / 2) over the strange part of the ray]

with c_q = theta' V' T_q^-1 V theta, plus that of the u for which all is strange. Rays come in crosses; the scatter
between them gives the error, and decides how many are used.

The mass of the whole component is known. What the rays make of it tells how well they are spread over it, and corrects
p_k where that is not small (a control variate); far out it would only add noise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.kernels._jit import inlined, kernel, row_kernel
from peculiar.kernels.special import LOG_2PI
from peculiar.kernels.structs import Floats
from peculiar.kernels.tail_metric import contour_axes
from peculiar.kernels.tail_nodes import TailNodes, choose_nodes, log_add, log_density
from peculiar.kernels.tail_ray import Ray, RayWork, strange_mass
from peculiar.kernels.tail_sums import exponential, mass_beyond


class TailWork(NamedTuple):
    """Scratch space for one object."""

    nodes: TailNodes
    ray: Ray
    intervals: RayWork
    room: Floats  # (4, nodes or d)
    axes: Floats  # (K, d): semi-axes of the contours
    volumes: Floats  # (K,): logs of their products
    origin: Floats  # (K, d): the home location in the frame of each component
    turn: Floats  # (K, d, d): from units of the home contour to the frame of each component
    gradients: (
        Floats  # (d, nodes): derivatives of the log-density at the home, in units of its contour
    )
    forms: Floats  # (d (d + 1) / 2, nodes)
    shift: Floats  # (d,)
    scratch: Floats  # (2, d, d)
    strange: Floats  # (K, frames): mean over the rays of each cross, strange part
    whole: Floats  # (K, frames): the same for all, less what it should be
    first: Floats  # (2, K, d): the same for each axis of the first cross
    values: Floats  # (frames,)
    means: Floats  # (7, K): factor; result, its variance, weight that remains; last mean; whole mass; exposed mass


@row_kernel
def tail_rows(rule, components, features, n_rows, frames, block, work, log_p, error):
    """Write log p and its relative error for the rows of a block. Returns how many nodes need room, or 0."""
    for row in range(n_rows):
        needed = _prepare(rule, components, features.size, row, frames, block, work)
        if _padded(needed) > work.nodes.log_peak.size:
            return needed
        log_p[row], error[row] = _tail(rule, components, features, row, frames, block, work)
    return 0


@inlined
def _prepare(rule, components, p, row, frames, block, work):
    """Level of a row, and the nodes that matter there."""
    level = -math.inf
    e2, t = work.room[2], work.room[3]
    for k in range(rule.dofs.size):
        for j in range(p):
            e2[j] = frames.e[row, k, j] ** 2
        value = log_density(
            rule.dofs[k],
            rule.steps[k],
            rule.rights[k],
            rule.depth,
            e2[:p],
            frames.b[row, k, :p],
            t,
        )
        level = log_add(level, block.log_norm[k] + value)
    needed = 0
    for k in range(rule.dofs.size):
        work.nodes.first[k] = needed
        needed = choose_nodes(
            k,
            rule.dofs[k],
            rule.steps[k],
            rule.rights[k],
            rule.depth,
            level,
            frames.b[row, k, :p],
            block.log_norm[k],
            components.log_weights[k],
            work.room,
            work.nodes,
        )
        if needed > work.nodes.log_peak.size:
            return needed
    work.nodes.first[rule.dofs.size] = needed
    work.means[0, 0] = level
    return needed


@inlined
def _tail(rule, components, features, row, frames, block, work):
    """log p and its relative error for one row."""
    p = features.size
    n_components = rule.dofs.size
    nodes, means = work.nodes, work.means
    n_nodes = nodes.first[n_components]
    level = means[0, 0]
    certain = -math.inf
    reference = -math.inf
    zeros = work.ray.linear[:n_nodes]
    zeros[:] = 0.0
    for k in range(n_components):
        certain = log_add(certain, nodes.certain[k])
        low, high = nodes.first[k], nodes.first[k + 1]
        means[0, k] = -math.inf
        means[1:, k] = 0.0
        if high > low:
            means[3, k] = 1.0
            log_volume = contour_axes(
                nodes.log_peak[low:high],
                nodes.precision[:, low:high],
                zeros[low:high],
                work.axes[k, :p],
            )
            factor = log_volume + 0.5 * p * LOG_2PI + components.log_weights[k] - block.log_norm[k]
            means[0, k] = level + factor
            reference = max(reference, means[0, k])
    if reference == -math.inf:
        return min(certain, 0.0), 0.0
    for k in range(n_components):
        means[0, k] = math.exp(means[0, k] - reference)
        if means[3, k] > 0.0 and n_components > 1 and p > 1:
            means[6, k] = means[0, k] * _exposed_mass(nodes, k, work.axes[k, :p], work.ray.square)
    base = math.exp(min(certain - reference, 700.0))
    p_relative, variance = _average(
        rule, components, features, row, frames, block, base, reference, work
    )
    log_p = reference + math.log(p_relative) if p_relative > 0.0 else -math.inf
    return min(log_p, 0.0), math.sqrt(variance) / p_relative


@inlined
def _exposed_mass(nodes, k, axes, square):
    """Mean mass beyond the component's own contour, if no other component covers any of it."""
    low, high = nodes.first[k], nodes.first[k + 1]
    total = 0.0
    for i in range(axes.size):
        for m in range(low, high):
            square[m] = axes[i] * axes[i] * nodes.precision[i, m]
        total += mass_beyond(axes.size, nodes.log_peak[low:high], square[low:high], 1.0)
    return total / axes.size


@inlined
def _average(rule, components, features, row, frames, block, base, reference, work):
    """Mean over as many crosses as are needed, and its variance; in units of exp(reference).

    What rays tell of each other is not all: other components may cover a small part of a component's contour, or leave
    only a small part of it uncovered, and no ray may have met it. A part as large as one ray stands for is ``unseen``.

    After 1, 2, 4, ... crosses each component is asked whether its error is small enough. Between "certainly" and
    "certainly not" the answers are blended, so that p is continuous in x.
    """
    n_components = rule.dofs.size
    means = work.means
    n_frames = rule.frames.shape[0]
    done, n = 0, 1
    while True:
        total = base
        for k in range(n_components):
            if means[3, k] > 0.0:
                _cast_rays(rule, components, features, row, frames, block, k, done, n, work)
                means[4, k] = _mean(work.strange[k], work.whole[k], n, means[5, k], work.values)
            total += means[1, k] + means[3, k] * means[4, k]
        log_total = reference + math.log(total)
        remains = False
        for k in range(n_components):
            if means[3, k] > 0.0:
                variance = _variance(k, n, features.size, work)
                unseen = means[6, k] / (2 * features.size * n)
                blend = 0.0
                if 2 * n <= n_frames:
                    error = math.sqrt(variance) / total
                    blend = _wants_more(rule, error, unseen / total, log_total, n)
                share = means[3, k] * (1.0 - blend)
                means[1, k] += share * means[4, k]
                spread = variance * (1.0 + 0.84 / max(n - 1, 1)) ** 2
                means[2, k] += share * (spread + 0.25 * unseen * unseen)
                means[3, k] *= blend
                remains = remains or blend > 0.0
        if not remains:
            break
        done = n
        n *= 2
    total, variance = base, 0.0
    for k in range(n_components):
        total += means[1, k]
        variance += means[2, k]
    return total, variance


@kernel
def _mean(strange, whole, n, mass, values):
    """Mean of n values of the strange part, corrected by those of the whole; the values are left in ``values``."""
    total = 0.0
    for i in range(n):
        total += strange[i]
    share = min(total / (n * mass), 1.0)
    mean = 0.0
    for i in range(n):
        values[i] = strange[i] - share * share * whole[i]
        mean += values[i]
    return max(mean / n, 1e-3 * total / n)


@kernel
def _variance(k, n, p, work):
    """Of the mean over n crosses. Of one alone the axes tell, though a cross does better than its axes would."""
    values = work.values
    if n == 1:
        n = p
        mean = _mean(work.first[0, k], work.first[1, k], p, work.means[5, k], values)
    else:
        mean = _mean(work.strange[k], work.whole[k], n, work.means[5, k], values)
    total = 0.0
    for i in range(n):
        total += (values[i] - mean) ** 2
    return total / (n * max(n - 1, 1))


@kernel
def _ramp(x, low, high):
    """0 below low, 1 above high, smooth between."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def _wants_more(rule, error, unseen, log_p, n):
    """Whether an error (relative, of one component's part) calls for more rays: from 0, no, to 1, yes.

    The scatter of few crosses may be small by chance: for a candidate it must be the smaller, the fewer they are.
    """
    n_free = max(n - 1.0, 0.5)
    strict = error * (1.0 + 300.0 / (n_free * n_free * n_free))
    strict = math.sqrt(strict * strict + unseen * unseen) / rule.candidate_error
    loose = error / rule.ordinary_error
    ordinary = _ramp(log_p, math.log(rule.candidate), math.log(rule.ordinary))
    return _ramp(loose, 0.5, 1.0) * ordinary + _ramp(strict, 0.5, 1.0) * (1.0 - ordinary)


@inlined
def _cast_rays(rule, components, features, row, frames, block, home, done, n, work):
    """Mean mass on the rays of crosses number done .. n - 1 from the location of ``home``."""
    p = features.size
    n_components = rule.dofs.size
    nodes = work.nodes
    n_nodes = _padded(nodes.first[n_components])
    constant = work.ray.constant[:n_nodes]
    linear = work.ray.linear[:n_nodes]
    square = work.ray.square[:n_nodes]
    ray = Ray(constant, linear, square)
    _see_from(components, features, row, frames, block, home, work)
    for j in range(n_components):
        _add_forms(nodes, j, p, work.origin[j], work.turn[j], constant, work.gradients, work.forms)
    _add_nothing(nodes.first[n_components], n_nodes, p, constant, work.gradients, work.forms)
    work.intervals.memory[0] = 0.3
    part = slice(nodes.first[home], nodes.first[home + 1])
    factor = work.means[0, home]
    mass = _whole_mass(nodes, home, work.axes[home, :p])
    work.means[5, home] = factor * mass
    n_signs = 1 if n_components == 1 else 2  # one component alone is symmetric
    for i in range(done, n):
        work.strange[home, i] = 0.0
        work.whole[home, i] = 0.0
        for axis in range(p):
            _point(rule.frames[i, axis], work.gradients, work.forms, linear, square)
            total = 0.0
            for sign in range(n_signs):
                if sign == 1:
                    for m in range(n_nodes):
                        linear[m] = -linear[m]
                total += strange_mass(ray, work.intervals, p, home, rule.root_tol)
            total *= factor / n_signs
            excess = factor * (mass_beyond(p, constant[part], square[part], 0.0) - mass)
            if i == 0:
                work.first[0, home, axis] = total
                work.first[1, home, axis] = excess
            work.strange[home, i] += total / p
            work.whole[home, i] += excess / p


@inlined
def _whole_mass(nodes, home, axes):
    """Mean over all directions of the mass on a ray, in the units of ``mass_beyond``."""
    total = 0.0
    for m in range(nodes.first[home], nodes.first[home + 1]):
        product = 1.0
        for i in range(axes.size):
            product *= axes[i] * math.sqrt(nodes.precision[i, m])
        total += exponential(nodes.log_peak[m]) / product
    return total


@inlined
def _add_forms(nodes, k, p, origin, turn, constant, gradients, forms):
    """Log-density of the nodes of component k at the home, and its derivatives there in units of the home's contour.

    Of the second derivatives the upper triangle, row after row, off-diagonal ones twice.
    """
    for m in range(nodes.first[k], nodes.first[k + 1]):
        total = nodes.log_peak[m]
        for i in range(p):
            total -= 0.5 * origin[i] * origin[i] * nodes.precision[i, m]
        constant[m] = total
        pair = 0
        for i in range(p):
            total = 0.0
            for n in range(p):
                total += turn[n, i] * origin[n] * nodes.precision[n, m]
            gradients[i, m] = total
            for j in range(i, p):
                total = 0.0
                for n in range(p):
                    total += turn[n, i] * turn[n, j] * nodes.precision[n, m]
                forms[pair, m] = total if i == j else 2.0 * total
                pair += 1


@kernel
def _padded(n):
    """Next multiple of 8: vectors of 4 come in pairs, and what is left over is slow."""
    return (n + 7) // 8 * 8


@inlined
def _add_nothing(start, end, p, constant, gradients, forms):
    """Nodes that fill up the vectors: of density 0."""
    for m in range(start, end):
        constant[m] = -1e300
        pair = 0
        for i in range(p):
            gradients[i, m] = 0.0
            for j in range(i, p):
                forms[pair, m] = 1.0 if i == j else 0.0
                pair += 1


@kernel
def _point(theta, gradients, forms, linear, square):
    """Coefficients along the ray in direction theta."""
    p = theta.size
    for m in range(linear.size):
        linear[m] = 0.0
        square[m] = 0.0
    pair = 0
    for i in range(p):
        row = gradients[i][: linear.size]
        for m in range(linear.size):
            linear[m] += theta[i] * row[m]
        for j in range(i, p):
            product = theta[i] * theta[j]
            form = forms[pair][: linear.size]
            for m in range(linear.size):
                square[m] += product * form[m]
            pair += 1


@inlined
def _see_from(components, features, row, frames, block, home, work):
    """Location and contour of ``home`` in the frame of each component j.

    That is Q_j' L_j^-1 (mu - mu_j), and Q_j' L_j^-1 L Q diag(axes).
    """
    p = features.size
    factor, white = work.scratch[0], work.scratch[1]
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += block.spread[home, features[i], m] * frames.q[row, home, m, j]
            factor[i, j] = total * work.axes[home, j]
    for k in range(work.origin.shape[0]):
        turn, origin = work.turn[k], work.origin[k]
        if k == home:
            for i in range(p):
                origin[i] = 0.0
                for j in range(p):
                    turn[i, j] = work.axes[k, i] if i == j else 0.0
            continue
        for j in range(p):
            for i in range(p):
                total = 0.0
                for m in range(i + 1):
                    total += block.inverse[k, i, m] * factor[m, j]
                white[i, j] = total
        for i in range(p):
            total = 0.0
            for m in range(i + 1):
                shift = (
                    components.locations[home, features[m]] - components.locations[k, features[m]]
                )
                total += block.inverse[k, i, m] * shift
            work.shift[i] = total
        for i in range(p):
            total = 0.0
            for m in range(p):
                total += frames.q[row, k, m, i] * work.shift[m]
            origin[i] = total
            for j in range(p):
                total = 0.0
                for m in range(p):
                    total += frames.q[row, k, m, i] * white[m, j]
                turn[i, j] = total


def new_tail_work(n_components: int, d: int, n_frames: int, n_nodes: int) -> TailWork:
    """Room for it."""

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape)

    first = np.zeros(n_components + 1, dtype=np.int64)
    return TailWork(
        TailNodes(first, zeros(n_nodes), zeros(d, n_nodes), zeros(n_components)),
        Ray(zeros(n_nodes), zeros(n_nodes), zeros(n_nodes)),
        RayWork(
            zeros(n_components + 1, 2),
            zeros(n_components, 2),
            zeros(3 * n_components + 1, 2),
            zeros(4, n_nodes),
            first,
            zeros(1),
        ),
        zeros(4, max(n_nodes, d)),
        zeros(n_components, d),
        zeros(n_components),
        zeros(n_components, d),
        zeros(n_components, d, d),
        zeros(d, n_nodes),
        zeros(d * (d + 1) // 2, n_nodes),
        zeros(d),
        zeros(2, d, d),
        zeros(n_components, n_frames),
        zeros(n_components, n_frames),
        zeros(2, n_components, d),
        zeros(max(n_frames, d)),
        zeros(7, n_components),
    )
