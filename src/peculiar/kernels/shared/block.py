"""What the rows of a block share: factors of the scatters among the features they observe."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels._jit import kernel
from peculiar.kernels.shared.linalg import cholesky, invert_lower


class BlockWork(NamedTuple):
    """What the rows of a block share, for each component."""

    inverse: Floats  # (K, d, d): L^-1 of the observed part
    spread: Floats  # (K, d, d): Sigma[:, observed] L^-T, from whitened coordinates to all features
    rest: Floats  # (K, d, d): scatter of the missing features given the observed ones
    log_norm: Floats  # (K,): log weight - log|Sigma_observed| / 2 + units
    means: Floats  # (K, d)
    scratch: Floats  # (2, d, d)


def new_block_work(n_components: int, d: int) -> BlockWork:
    """Room for it."""
    return BlockWork(
        np.zeros((n_components, d, d)),
        np.zeros((n_components, d, d)),
        np.zeros((n_components, d, d)),
        np.zeros(n_components),
        np.zeros((n_components, d)),
        np.zeros((2, d, d)),
    )


@kernel
def prepare_block(components, units, features, p, block):
    """Factor the scatter of the observed features of each component."""
    log_units = 0.0
    for j in range(p):
        log_units += units.log_per_unit[features[j]]
    observed, factor = block.scratch[0], block.scratch[1]
    for k in range(components.log_weights.size):
        scatter = components.scatters[k]
        for i in range(p):
            for j in range(p):
                observed[i, j] = scatter[features[i], features[j]]
        log_det = cholesky(observed, p, factor)
        invert_lower(factor, p, block.inverse[k])
        block.log_norm[k] = components.log_weights[k] - 0.5 * log_det + log_units
        _regress(scatter, features, p, block.inverse[k], block.spread[k], block.rest[k])
        # Sigma L^-T is L there, but loses its digits if the scatter is close to singular.
        for i in range(p):
            for j in range(p):
                block.spread[k, features[i], j] = factor[i, j] if j <= i else 0.0


@kernel
def _regress(scatter, features, p, inverse, spread, rest):
    """Regression of all features on the whitened observed ones, and what it leaves unexplained."""
    d = scatter.shape[0]
    for i in range(d):
        for j in range(p):
            total = 0.0
            for m in range(j + 1):
                total += scatter[i, features[m]] * inverse[j, m]
            spread[i, j] = total
    rest[:] = 0.0
    if p == d:
        return
    for i in range(d):
        for j in range(d):
            total = scatter[i, j]
            for m in range(p):
                total -= spread[i, m] * spread[j, m]
            rest[i, j] = total
    for j in range(p):  # an observed feature leaves nothing, not even rounding
        rest[features[j], :] = 0.0
        rest[:, features[j]] = 0.0


@kernel
def add_sandwich(spread, middle, p, scratch, out):
    """Add G M G' to out (all features); M is given by its lower triangle."""
    d = out.shape[0]
    for i in range(d):
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += spread[i, m] * (middle[m, j] if m >= j else middle[j, m])
            scratch[i, j] = total
    for i in range(d):
        for j in range(d):
            total = 0.0
            for m in range(p):
                total += scratch[i, m] * spread[j, m]
            out[i, j] += total
