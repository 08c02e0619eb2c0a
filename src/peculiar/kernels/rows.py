"""Loops over blocks of rows: the entry points of the compiled code.

``noise``, ``rule`` and the rest are the named tuples of ``structs``; their types choose the code. Within a block all
rows observe the same features, so the factors of the scatters are made once a block, and sums stay in
whitened coordinates until its end.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.kernels._jit import inlined, row_kernel
from peculiar.kernels.block import BlockWork, add_sandwich, new_block_work, prepare_block
from peculiar.kernels.lane_math import lane_exp
from peculiar.kernels.lanes import (
    LaneSpace,
    blank_lane,
    dot,
    expect_component,
    load_noise,
    load_values,
    new_lane_space,
    normalise_lanes,
)
from peculiar.kernels.moments import INVERSE_U, t_start
from peculiar.kernels.row import (
    RowWork,
    add_first,
    add_second,
    expect_row,
    expect_scale,
    new_row_work,
    redo_lane,
)
from peculiar.kernels.structs import LANES, Floats

# Beyond, the lanes would subtract numbers of the size of the dof.
_LARGE_DOF = 1e7


class Workspace(NamedTuple):
    """Scratch space of one thread. Made in Python: allocations are dear to compile."""

    block: BlockWork
    space: LaneSpace
    work: RowWork
    log_prob: Floats  # (LANES,)
    weight: Floats  # (LANES,)


def new_workspace(n_components: int, d: int) -> Workspace:
    """Room for any block."""
    return Workspace(
        new_block_work(n_components, d),
        new_lane_space(n_components, d),
        new_row_work(n_components, d),
        np.zeros(LANES),
        np.zeros(LANES),
    )


@inlined
def expect_block(rule, noise, components, rows, index, want_moments, block, space, work, log_prob):
    """Moments and responsibilities of the rows of a block; this is what fitting and scoring share."""
    layout = rows.layout
    pattern = layout.pattern[index]
    features, p = layout.features[pattern], layout.size[pattern]
    first, last = layout.first[index], layout.last[index]
    prepare_block(components, rows.units, features, p, block)
    load_values(rows, first, last, features, p, space.x)
    load_noise(noise, rows, first, last, features, p, space.noise)
    for k in range(components.log_weights.size):
        inverse, mark = block.inverse[k], space.out[k, 3]
        if layout.graded[pattern] or _LARGE_DOF < rule.dofs[k] < math.inf:
            mark[:] = 1.0
        else:
            expect_component(
                noise,
                rule,
                components,
                k,
                features,
                p,
                want_moments,
                inverse,
                space,
                space.first[k],
                space.second[k],
                space.out[k],
            )
        for m in range(LANES):
            if mark[m] == 0.0:
                continue
            if first + m < last:
                row = layout.order[first + m]
                redo_lane(
                    rule, noise, components, rows, row, m, k, features, p, inverse, work, space
                )
            else:
                blank_lane(m, k, p, space)
    normalise_lanes(block.log_norm, space.out, space.rows[0], log_prob)


@row_kernel
def sum_blocks(rule, noise, components, rows, workspace, sums):
    """Add the expected sums of all rows in the layout to ``sums``."""
    n_components = components.log_weights.size
    layout = rows.layout
    block, space, work, log_prob, weight = workspace
    for index in range(layout.first.size):
        p = layout.size[layout.pattern[index]]
        if p == 0:
            continue  # nothing observed: nothing to learn
        expect_block(rule, noise, components, rows, index, True, block, space, work, log_prob)
        n_rows = layout.last[index] - layout.first[index]
        for m in range(LANES):
            weight[m] = 0.0
        for m in range(n_rows):
            weight[m] = rows.weights[layout.order[layout.first[index] + m]]
        sums.bound[0] += dot(weight, log_prob)
        for k in range(n_components):
            _add_component(k, p, weight, space, block, sums)


@inlined
def _add_component(k, p, weight, space, block, sums):
    """Add the rows of a block, as far as they belong to component k. A missing feature has its conditional moments."""
    d = sums.sum_ud.shape[1]
    share, one = space.rows[1], space.rows[2]
    log_resp = space.out[k, 0]
    for m in range(LANES):
        share[m] = weight[m] * lane_exp(log_resp[m])
        one[m] = 1.0
    n = dot(share, one)
    sums.n[k] += n
    sums.sum_u[k] += dot(share, space.out[k, 1])
    sums.sum_log_u[k] += dot(share, space.out[k, 2])
    spread, total, white = block.spread[k], sums.sum_udd[k], block.scratch[1]
    for j in range(p):
        part = dot(share, space.first[k, j])
        for i in range(d):
            sums.sum_ud[k, i] += spread[i, j] * part
        for i in range(j, p):
            white[i, j] = dot(share, space.second[k, i, j])
    add_sandwich(spread, white, p, block.scratch[0], total)
    if p < d:
        for i in range(d):
            for j in range(d):
                total[i, j] += n * block.rest[k, i, j]


@row_kernel
def describe_blocks(rule, noise, components, rows, workspace, results):
    """Write what is known of each row in the layout."""
    n_components = components.log_weights.size
    layout = rows.layout
    block, space, work, log_prob, _ = workspace
    for index in range(layout.first.size):
        first, last = layout.first[index], layout.last[index]
        if layout.size[layout.pattern[index]] == 0:
            for position in range(first, last):
                _describe_nothing(components, layout.order[position], results)
            continue
        expect_block(rule, noise, components, rows, index, False, block, space, work, log_prob)
        for m in range(last - first):
            row = layout.order[first + m]
            results.log_prob[row] = log_prob[m]
            for k in range(n_components):
                results.log_resp[row, k] = space.out[k, 0, m]
                results.u[row, k] = space.out[k, 1, m]


@inlined
def _describe_nothing(components, row, results):
    """A row with nothing observed: what is known of any object."""
    results.log_prob[row] = 0.0
    for k in range(components.log_weights.size):
        results.log_resp[row, k] = components.log_weights[k]
        results.u[row, k] = 1.0


@row_kernel
def describe_clean(rule, noise, components, rows, block, work, latent):
    """Write mean and covariance of the clean value of each row in the layout."""
    layout = rows.layout
    for index in range(layout.first.size):
        features = layout.features[layout.pattern[index]]
        p = layout.size[layout.pattern[index]]
        prepare_block(components, rows.units, features, p, block)
        for position in range(layout.first[index], layout.last[index]):
            row = layout.order[position]
            expect_row(rule, noise, components, rows, row, features, p, True, block, work)
            _describe_clean(components, p, block, work, latent.mean[row], latent.cov[row])


@inlined
def _describe_clean(components, p, block, work, mean, cov):
    """Mean and covariance of one clean value, all components together."""
    n_components, d = components.locations.shape
    means = block.means
    white = work.vectors[3]
    for k in range(n_components):
        white[:p] = 0.0
        add_first(1.0, k, t_start(p), p, work, white)
        for i in range(d):
            total = components.locations[k, i]
            for j in range(p):
                total += block.spread[k, i, j] * white[j]
            means[k, i] = total
            mean[i] += math.exp(work.log_resp[k]) * total
    for k in range(n_components):
        resp = math.exp(work.log_resp[k])
        if resp == 0.0:
            continue
        middle = work.matrix
        middle[:] = 0.0
        add_second(resp, k, t_start(p), 1.0, p, work, middle)
        add_sandwich(block.spread[k], middle, p, block.scratch[0], cov)
        for i in range(d):
            for j in range(d):
                cov[i, j] += resp * (means[k, i] - mean[i]) * (means[k, j] - mean[j])
                if block.rest[k, i, j] != 0.0:
                    cov[i, j] += resp * block.rest[k, i, j] * work.moments[k, INVERSE_U]


@row_kernel
def scale_moments(rule, e, b, out):
    """Moments of u for one residual and noise in the frame: the heart of an engine, alone."""
    expect_scale(rule, 0, e * e, b, e.size, True, np.empty(e.size), out)
