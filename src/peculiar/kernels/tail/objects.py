"""Tail probabilities of the rows of a block: how much of the population is at most as dense as each of them.

For each component of the mixture rays go out from its location, in units of its own contour (``metric``). With
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

from peculiar.arrays import Floats, Ints
from peculiar.kernels._jit import kernel, row_kernel
from peculiar.kernels.shared.block import BlockWork
from peculiar.kernels.shared.special import LOG_2PI
from peculiar.kernels.structs import Components
from peculiar.kernels.tail.effort import (
    Tally,
    mean_of_axis,
    mean_over_crosses,
    new_tally,
    sort_by_exposure,
    start_tally,
    take_over,
    variance_of_axis,
    variance_of_mean,
    wants_a_cross,
    wants_crosses,
    wants_more,
)
from peculiar.kernels.tail.frames import TailFrames
from peculiar.kernels.tail.metric import contour_axes
from peculiar.kernels.tail.nodes import TailNodes, TailRule, choose_nodes, log_add, log_density
from peculiar.kernels.tail.ray import Ray, RayWork, both_ways
from peculiar.kernels.tail.sums import exponential, padded
from peculiar.kernels.tail.view import (
    View,
    aim,
    look_from,
    measure_reach,
    new_view,
    of_fours,
    point,
    whiten_components,
)

_NOT_WORTH_IT = 0.02  # no more rays are cast for a smaller share of the answer
_TOO_LITTLE = 3e-4  # a component with a smaller share of p beyond its contour casts no rays


class Scene(NamedTuple):
    """What the objects of a block share, and the frames of all of them."""

    rule: TailRule
    components: Components
    features: Ints  # (p,)
    block: BlockWork
    frames: TailFrames


class TailWork(NamedTuple):
    """Scratch space for one object."""

    nodes: TailNodes
    ray: Ray
    intervals: RayWork
    sight: View
    tally: Tally
    room: Floats  # (4, nodes or d)


@row_kernel
def tail_rows(scene, n_rows, work, log_p, error):
    """Write log p and its relative error for the rows of a block. Returns how many nodes need room, or 0."""
    for row in range(n_rows):
        level = _level(scene, row, work)
        needed = _choose_nodes(scene, row, level, work)
        if padded(needed) > work.nodes.log_peak.size:
            return needed
        log_p[row], error[row] = _tail(scene, row, level, work)
    return 0


@kernel
def _level(scene, row, work):
    """Log-density of a row."""
    rule, frames, p = scene.rule, scene.frames, scene.features.size
    level = -math.inf
    e2, t = work.room[2], work.room[3]
    for k in range(rule.dofs.size):
        for j in range(p):
            e2[j] = frames.e[row, k, j] ** 2
        b = frames.b[row, k, :p]
        value = log_density(rule.dofs[k], rule.steps[k], rule.rights[k], rule.depth, e2[:p], b, t)
        level = log_add(level, scene.block.log_norm[k] + value)
    return level


@kernel
def _choose_nodes(scene, row, level, work):
    """The nodes of all components that matter at this level; returns their number, or more than there is room for."""
    rule, p = scene.rule, scene.features.size
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
            scene.frames.b[row, k, :p],
            scene.block.log_norm[k],
            scene.components.log_weights[k],
            work.room,
            work.nodes,
        )
        if needed > work.nodes.log_peak.size:
            return needed
    work.nodes.first[rule.dofs.size] = needed
    return needed


@kernel
def _tail(scene, row, level, work):
    """log p and its relative error for one row."""
    nodes, tally = work.nodes, work.tally
    certain = -math.inf
    for k in range(scene.rule.dofs.size):
        certain = log_add(certain, nodes.certain[k])
    reference = _measure_contours(scene, level, work)
    if reference == -math.inf:
        return min(certain, 0.0), 0.0
    p, n_components = scene.features.size, scene.rule.dofs.size
    for k in range(n_components):
        tally.factor[k] = math.exp(tally.factor[k] - reference)
        work.sight.reach[k] = math.inf
        if tally.remains[k] > 0.0 and n_components > 1 and p > 1:
            axes = work.sight.axes[k, :p]
            exposed, work.sight.reach[k] = measure_reach(nodes, k, axes, work.ray.square)
            tally.exposed[k] = tally.factor[k] * exposed
    base = math.exp(min(certain - reference, 700.0))
    p_relative, variance = _average(scene, row, base, reference, work)
    log_p = reference + math.log(p_relative) if p_relative > 0.0 else -math.inf
    return min(log_p, 0.0), math.sqrt(variance) / p_relative


@kernel
def _measure_contours(scene, level, work):
    """Axes of the contours of those components that reach the level; returns the largest of their log-factors."""
    p = scene.features.size
    nodes, tally = work.nodes, work.tally
    zeros = work.ray.linear[: nodes.first[scene.rule.dofs.size]]
    zeros[:] = 0.0
    start_tally(tally)
    reference = -math.inf
    for k in range(scene.rule.dofs.size):
        low, high = nodes.first[k], nodes.first[k + 1]
        if high > low:
            peaks, precision = nodes.log_peak[low:high], nodes.precision[:, low:high]
            log_volume = contour_axes(peaks, precision, zeros[low:high], work.sight.axes[k, :p])
            norm = scene.components.log_weights[k] - scene.block.log_norm[k]
            tally.factor[k] = level + log_volume + 0.5 * p * LOG_2PI + norm
            tally.remains[k] = 1.0
            reference = max(reference, tally.factor[k])
    return reference


@kernel
def _average(scene, row, base, reference, work):
    """Mean over as many crosses as are needed, and its variance; in units of exp(reference).

    What rays tell of each other is not all: other components may cover a small part of a component's contour, or leave
    only a small part of it uncovered, and no ray may have met it. A part as large as one ray stands for is ``unseen``.

    First there is one axis for each component, and all are asked together: if there are many of them, and the object
    is ordinary, that is enough. After 1, 2, 4, ... crosses each is asked whether its error is small enough. Between
    "certainly" and "certainly not" the answers are blended, so that p is continuous in x.
    """
    rule, tally, p = scene.rule, work.tally, scene.features.size
    n_components, n_crosses = rule.dofs.size, rule.crosses.shape[0]
    remains = _cast_first_rays(scene, row, base, reference, work)
    done, n = 0, 1
    while remains:
        total = base
        for k in range(n_components):
            if tally.remains[k] > 0.0:
                _cast_rays(scene, row, k, done, n, work)
                tally.latest[k] = mean_over_crosses(k, n, tally)
            total += tally.result[k] + tally.remains[k] * tally.latest[k]
        log_total = reference + math.log(total)
        remains = False
        for k in range(n_components):
            if tally.remains[k] > 0.0:
                variance = variance_of_mean(k, n, p, tally)
                unseen = tally.exposed[k] / (2 * p * n)
                blend = 0.0
                if 2 * n <= n_crosses:
                    error = math.sqrt(variance) / total
                    part = tally.latest[k] / total
                    blend = wants_more(rule, error, part, unseen / total, log_total, n)
                    if blend * tally.remains[k] < _NOT_WORTH_IT:
                        blend = 0.0
                take_over(k, variance, unseen, n, blend, tally)
                remains = remains or blend > 0.0
        done = n
        n *= 2
    total, variance = base, 0.0
    for k in range(n_components):
        total += tally.result[k]
        variance += tally.variance[k]
    return total, variance


@kernel
def _cast_first_rays(scene, row, base, reference, work):
    """One axis of the first cross for each component; returns whether more are wanted.

    The components with most mass beyond their contours come first; what is left of the others may then be too little to
    look for.
    """
    rule, tally, p = scene.rule, work.tally, scene.features.size
    is_alone = rule.dofs.size == 1 or p == 1
    sort_by_exposure(tally)
    whiten_components(work.nodes, scene, row, work.sight)
    total, variance = base, 0.0
    for k in tally.order:
        if not is_alone and tally.exposed[k] < _TOO_LITTLE * total:
            tally.variance[k] = tally.exposed[k] ** 2
            tally.remains[k] = 0.0
        if tally.remains[k] > 0.0:
            _cast_first(scene, row, k, k % p, work)
            tally.latest[k] = mean_of_axis(k, k % p, tally)
            total += tally.latest[k]
            variance += variance_of_axis(k, tally)
    blend = 1.0
    if not is_alone:
        blend = wants_crosses(rule, math.sqrt(variance) / total, reference + math.log(total))
    remains = False
    for k in range(rule.dofs.size):
        if tally.remains[k] > 0.0:
            part = blend if is_alone else blend * wants_a_cross(tally.exposed[k] / total)
            take_over(k, variance_of_axis(k, tally), 0.0, 2, part, tally)
            remains = remains or part > 0.0
    return remains


@kernel
def _cast_first(scene, row, home, axis, work):
    """The same as ``_cast_along`` for the first axis of a component."""
    p, nodes, view = scene.features.size, work.nodes, work.sight
    n_nodes = aim(nodes, scene, row, home, scene.rule.crosses[0, axis], view, work.ray)
    ray = Ray(work.ray.constant[:n_nodes], work.ray.linear[:n_nodes], work.ray.square[:n_nodes])
    whole = _whole_mass(nodes, home, view.axes[home, :p])
    work.tally.whole[home] = work.tally.factor[home] * whole
    _note(scene, home, axis, ray, nodes.first, home, work)


@kernel
def _cast_rays(scene, row, home, done, n, work):
    """Mean mass on the rays of crosses number done .. n - 1 from the location of ``home``."""
    tally, p = work.tally, scene.features.size
    if done == 0:
        look_from(work.nodes, scene, row, home, work.sight)
    for i in range(done, n):
        for axis in range(p):
            if i > 0 or axis != home % p:  # that was the first of all
                _cast_along(scene, home, i, axis, work)
        for which in range(2):
            total = 0.0
            for axis in range(p):
                value = tally.axes[which, home, axis]
                total += value
                if i == 0:
                    tally.first[which, home, axis] = value
            tally.crosses[which, home, i] = total / p


@kernel
def _cast_along(scene, home, cross, axis, work):
    """Rays along an axis of a cross, and against it."""
    view = work.sight
    first = view.first[home, : view.n_parts[home] + 1]
    n_nodes = padded(first[-1])
    linear, square = work.ray.linear[:n_nodes], work.ray.square[:n_nodes]
    theta = scene.rule.crosses[cross, axis]
    point(theta, view.gradients[home], view.forms[home], view.pairs, linear, square)
    ray = Ray(view.constant[home, :n_nodes], linear, square)
    _note(scene, home, axis, ray, first, view.own[home], work)


@kernel
def _note(scene, home, axis, ray, first, own, work):
    """Mass on a ray and the one against it, and how much more they have in all than they should."""
    rule, tally, p = scene.rule, work.tally, scene.features.size
    is_alone, reach = rule.dofs.size == 1, work.sight.reach[home]
    along, against, whole = both_ways(
        ray, first, reach, work.intervals, p, own, is_alone, rule.root_tol
    )
    factor = tally.factor[home]
    tally.axes[0, home, axis] = 0.5 * factor * (along + against)
    tally.axes[1, home, axis] = factor * whole - tally.whole[home]
    tally.apart[home] = factor * (along - against)


@kernel
def _whole_mass(nodes, home, axes):
    """Mean over all directions of the mass on a ray, in the units of ``mass_beyond``."""
    total = 0.0
    for m in range(nodes.first[home], nodes.first[home + 1]):
        product = 1.0
        for i in range(axes.size):
            product *= axes[i] * math.sqrt(nodes.precision[i, m])
        total += exponential(nodes.log_peak[m]) / product
    return total


def new_tail_work(n_components: int, d: int, n_crosses: int, n_nodes: int) -> TailWork:
    """Room for it."""
    first = np.zeros(n_components + 1, dtype=np.int64)
    return TailWork(
        TailNodes(
            first, np.zeros(n_nodes), np.zeros((of_fours(d), n_nodes)), np.zeros(n_components)
        ),
        Ray(*np.zeros((3, n_nodes))),
        RayWork(
            np.zeros((n_components + 1, 2)),
            np.zeros((n_components, 2)),
            np.zeros((n_components, 2)),
            np.zeros(n_components, dtype=np.int64),
            np.zeros((3 * n_components + 1, 2)),
            np.zeros((4, n_nodes)),
            np.zeros((3, n_nodes)),
            first.copy(),
            np.zeros(1),
        ),
        new_view(n_components, d, n_nodes),
        new_tally(n_components, d, n_crosses),
        np.zeros((4, max(n_nodes, d))),
    )
