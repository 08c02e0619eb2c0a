"""Rows one by one, with all care: the entry points for those that the lanes have left."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels._jit import kernel, row_kernel
from peculiar.kernels.careful.expect import expect_row, expect_scale
from peculiar.kernels.careful.moments import UT, t_start
from peculiar.kernels.careful.row import add_first, add_second
from peculiar.kernels.shared.block import add_sandwich, prepare_block
from peculiar.kernels.structs import LANES

DENSITIES, SUMS, CLEAN = 0, 1, 2
"""What is wanted: nothing but densities, or also moments of u (w - mu), or those of w - mu itself."""


class BlockMoments(NamedTuple):
    """Moments of the rows of a block under every component, in the axes of the data.

    Where a feature is missing, ``second`` lacks the scatter that it has given the others.
    """

    log_prob: Floats  # (LANES,)
    log_resp: Floats  # (LANES, K)
    scale: Floats  # (LANES, K, UT): those of u, see ``moments``
    first: Floats  # (LANES, K, d): E[u (w - mu)] or E[w - mu]
    second: Floats  # (LANES, K, d, d): E[u (w - mu) (w - mu)'] or the covariance of w


def new_block_moments(n_components: int, d: int) -> BlockMoments:
    """Room for them."""
    return BlockMoments(
        np.zeros(LANES),
        np.zeros((LANES, n_components)),
        np.zeros((LANES, n_components, UT)),
        np.zeros((LANES, n_components, d)),
        np.zeros((LANES, n_components, d, d)),
    )


@row_kernel
def expect_rows(rule, components, rows, index, marks, wanted, block, work, out):
    """Write the moments of the marked rows of one block; ``block`` keeps what they share."""
    layout = rows.layout
    features = layout.features[layout.pattern[index]]
    p = layout.size[layout.pattern[index]]
    prepare_block(components, rows.units, features, p, block)
    for m in range(layout.last[index] - layout.first[index]):
        if not marks[m]:
            continue
        row = layout.order[layout.first[index] + m]
        of_clean = wanted == CLEAN
        log_prob = expect_row(rule, components, rows, row, features, p, of_clean, block, work)
        out.log_prob[m] = log_prob if p > 0 else 0.0  # not even rounding
        for k in range(components.log_weights.size):
            out.log_resp[m, k] = work.log_resp[k]
            for i in range(UT):
                out.scale[m, k, i] = work.moments[k, i]
            if wanted != DENSITIES:
                start, centre = (t_start(p), 1.0) if of_clean else (UT, 0.0)
                _unwhiten(k, start, centre, p, block, work, out.first[m, k], out.second[m, k])


@kernel
def _unwhiten(k, start, centre, p, block, work, first, second):
    """Moments in the axes of the data."""
    d = first.size
    white, matrix, spread = work.vectors[3], work.matrix, block.spread[k]
    white[:] = 0.0
    matrix[:] = 0.0
    second[:] = 0.0
    add_first(k, start, p, work, white)
    add_second(k, start, centre, p, work, matrix)
    for i in range(d):
        first[i] = 0.0
        for j in range(p):
            first[i] += spread[i, j] * white[j]
    add_sandwich(spread, matrix, p, block.scratch[0], second)


@row_kernel
def scale_moments(rule, e2, b, scratch, out):
    """Moments of u for one squared residual and noise in the frame: the heart of an engine, alone."""
    expect_scale(rule, 0, e2, b, e2.size, True, scratch, out)
