"""Loops over blocks of rows: the entry points of the compiled code.

``noise``, ``rule`` and the rest are the named tuples of ``structs``; their types choose the code. Within a block all
rows observe the same features, so the factors of the scatters are made once a block, and sums stay in
whitened coordinates until its end.
"""

from __future__ import annotations

import math

import numpy as np

from peculiar.kernels._jit import kernel, row_kernel
from peculiar.kernels.block import add_sandwich, new_block_work, prepare_block
from peculiar.kernels.moments import INVERSE_U, LOG_U, UT, U, t_start
from peculiar.kernels.row import add_first, add_second, expect_row, expect_scale, new_row_work


@row_kernel
def sum_blocks(rule, noise, components, rows, sums):
    """Add the expected sums of all rows in the layout to ``sums``."""
    n_components, d = components.locations.shape
    layout = rows.layout
    block = new_block_work(n_components, d)
    work = new_row_work(n_components, d)
    for index in range(layout.first.size):
        features = layout.features[layout.pattern[index]]
        p = layout.size[layout.pattern[index]]
        if p == 0:
            continue  # nothing observed: nothing to learn
        prepare_block(components, rows.units, features, p, block)
        for position in range(layout.first[index], layout.last[index]):
            row = layout.order[position]
            weight = rows.weights[row]
            log_prob = expect_row(
                rule, noise, components, rows, row, features, p, False, block, work
            )
            sums.bound[0] += weight * log_prob
            _add_row(weight, p, block, work, sums)
        _add_block(p, block, sums)


@kernel
def _add_row(row_weight, p, block, work, sums):
    """Add one row to the sums, those of vectors and matrices in whitened coordinates."""
    for k in range(work.log_resp.size):
        weight = row_weight * math.exp(work.log_resp[k])
        if weight == 0.0:
            continue
        block.n[k] += weight
        sums.sum_u[k] += weight * work.moments[k, U]
        sums.sum_log_u[k] += weight * work.moments[k, LOG_U]
        add_first(weight, k, UT, p, work, block.sum_ud[k])
        add_second(weight, k, UT, 0.0, p, work, block.sum_udd[k])


@kernel
def _add_block(p, block, sums):
    """Bring the sums of a block to the axes of the data. A missing feature has its conditional mean and scatter."""
    n_components, d = sums.sum_ud.shape
    for k in range(n_components):
        sums.n[k] += block.n[k]
        for i in range(d):
            for j in range(p):
                sums.sum_ud[k, i] += block.spread[k, i, j] * block.sum_ud[k, j]
            for j in range(d):
                sums.sum_udd[k, i, j] += block.n[k] * block.rest[k, i, j]
        add_sandwich(block.spread[k], block.sum_udd[k], p, block.scratch[0], sums.sum_udd[k])


@row_kernel
def describe_blocks(rule, noise, components, rows, want_latent, results, latent):
    """Write what is known of each row in the layout."""
    n_components, d = components.locations.shape
    layout = rows.layout
    block = new_block_work(n_components, d)
    work = new_row_work(n_components, d)
    for index in range(layout.first.size):
        features = layout.features[layout.pattern[index]]
        p = layout.size[layout.pattern[index]]
        prepare_block(components, rows.units, features, p, block)
        for position in range(layout.first[index], layout.last[index]):
            row = layout.order[position]
            results.log_prob[row] = expect_row(
                rule, noise, components, rows, row, features, p, want_latent, block, work
            )
            for k in range(n_components):
                results.log_resp[row, k] = work.log_resp[k]
                results.u[row, k] = work.moments[k, U]
            if want_latent:
                _describe_latent(components, p, block, work, latent.mean[row], latent.cov[row])


@kernel
def _describe_latent(components, p, block, work, mean, cov):
    """Mean and covariance of the clean value, all components together."""
    n_components, d = components.locations.shape
    means = block.sum_ud  # free here: the mean under each component
    white = work.vectors[1]
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
        middle = block.sum_udd[k]  # free here too
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
