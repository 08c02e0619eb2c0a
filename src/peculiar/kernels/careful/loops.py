"""Rows one by one, with all care: the entry points for those that the lanes have left, and for clean values."""

from __future__ import annotations

import math

import numpy as np

from peculiar.kernels._jit import inlined, kernel, row_kernel
from peculiar.kernels.careful.expect import expect_row, expect_scale
from peculiar.kernels.careful.moments import INVERSE_U, LOG_U, UT, WILD, WILD_U, U, t_start
from peculiar.kernels.careful.row import add_first, add_second
from peculiar.kernels.shared.block import add_sandwich, prepare_block


@row_kernel
def sum_rows(rule, noise, components, rows, left, block, work, sums):
    """Add the expected sums of the rows that are left to ``sums``."""
    layout = rows.layout
    for index in range(layout.first.size):
        if not left[index].any():
            continue
        features = layout.features[layout.pattern[index]]
        p = layout.size[layout.pattern[index]]
        prepare_block(components, rows.units, features, p, block)
        for m in range(layout.last[index] - layout.first[index]):
            if left[index, m]:
                row = layout.order[layout.first[index] + m]
                log_prob = expect_row(
                    rule, noise, components, rows, row, features, p, False, block, work
                )
                weight = rows.weights[row]
                sums.bound[0] += weight * log_prob
                for k in range(components.log_weights.size):
                    _add_pair(weight * math.exp(work.log_resp[k]), k, p, block, work, sums)


@kernel
def _add_pair(share, k, p, block, work, sums):
    """Add one row, as far as it belongs to component k. A missing feature has its conditional moments."""
    if share == 0.0:
        return
    d = sums.sum_ud.shape[1]
    moments, spread, total = work.moments[k], block.spread[k], sums.sum_udd[k]
    sums.n[k] += share
    sums.sum_u[k] += share * moments[U]
    sums.sum_log_u[k] += share * moments[LOG_U]
    sums.n_wild[k] += share * moments[WILD]
    sums.sum_u_wild[k] += share * moments[WILD_U]
    first, second = work.vectors[3], work.matrix
    first[:] = 0.0
    second[:] = 0.0
    add_first(share, k, UT, p, work, first)
    add_second(share, k, UT, 0.0, p, work, second)
    for i in range(d):
        for j in range(p):
            sums.sum_ud[k, i] += spread[i, j] * first[j]
    add_sandwich(spread, second, p, block.scratch[0], total)
    if p < d:
        for i in range(d):
            for j in range(d):
                total[i, j] += share * block.rest[k, i, j]


@row_kernel
def describe_rows(rule, noise, components, rows, left, block, work, results, latent):
    """Write what is known of the rows that are left, and their clean values where there is room in ``latent``."""
    layout = rows.layout
    with_clean = latent.mean.shape[0] > 0
    for index in range(layout.first.size):
        if not left[index].any():
            continue
        features = layout.features[layout.pattern[index]]
        p = layout.size[layout.pattern[index]]
        prepare_block(components, rows.units, features, p, block)
        for m in range(layout.last[index] - layout.first[index]):
            row = layout.order[layout.first[index] + m]
            if not left[index, m]:
                continue
            log_prob = expect_row(
                rule, noise, components, rows, row, features, p, with_clean, block, work
            )
            results.log_prob[row] = log_prob if p > 0 else 0.0  # not even rounding
            if with_clean:
                _describe_clean(components, p, block, work, latent.mean[row], latent.cov[row])
            results.wild[row] = 0.0
            for k in range(components.log_weights.size):
                results.log_resp[row, k] = work.log_resp[k]
                results.u[row, k] = work.moments[k, U]
                results.wild[row] += math.exp(work.log_resp[k]) * work.moments[k, WILD]


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
