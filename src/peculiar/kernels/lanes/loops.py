"""Blocks of rows by the lanes: the entry points of the fast kernels.

Within a block all rows observe the same features. What depends on these alone is made anew only where
they change; until then sums stay in the units of the components. Rows that a lane cannot do to full accuracy
are left: ``left`` says which, and ``careful`` does them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.kernels._jit import by_type, inlined, kernel, row_kernel
from peculiar.kernels.lanes.expect import (
    FIRST_LOCATION,
    MEAN_LOG_U,
    MEAN_U,
    MOMENTS,
    N_WILD_RESULTS,
)
from peculiar.kernels.lanes.kernels import (
    WIDTH,
    add_lanes,
    expect_lanes,
    log_share_lanes,
    n_constants,
    share_lanes,
)
from peculiar.kernels.shared.block import BlockWork, add_sandwich, new_block_work, prepare_block
from peculiar.kernels.structs import LANES, DiagonalNoise, FullNoise, NoNoise

Left = NDArray[np.bool_]

# Beyond, the lanes would subtract numbers of the size of the dof.
_LARGE_DOF = 1e7


class BlockSpace(NamedTuple):
    """Scratch space of one thread; arrays as ``lanes.kernels`` wants them."""

    block: BlockWork
    constants: Floats
    x: Floats
    noise: Floats
    out: Floats
    weight: Floats
    rows: Floats
    sums: Floats


def new_block_space(n_components: int, d: int, n_results: int) -> BlockSpace:
    """Room for any block. Made in Python: allocations are dear to compile."""
    return BlockSpace(
        new_block_work(n_components, d),
        np.zeros((n_components, n_constants(d))),
        np.zeros((d, LANES)),
        np.zeros((d * (d + 1) // 2, LANES)),
        np.zeros((n_components, n_results + 1, LANES)),
        np.zeros(LANES),
        np.zeros((3, LANES)),
        np.zeros((n_components, n_results, WIDTH)),
    )


@inlined
def _expect_block(code, gaussian_code, rule, p, n_rows, space):
    """Moments of the rows of a block under every component."""
    for k in range(rule.dofs.size):
        address = gaussian_code if math.isinf(rule.dofs[k]) else code
        nodes = rule.nodes[k, min(p, rule.nodes.shape[1] - 1)]
        expect_lanes(address, space.constants[k], nodes, space.x, space.noise, space.out[k], n_rows)


@row_kernel
def sum_blocks(code, gaussian_code, rule, noise, components, rows, space, left, sums):
    """Add the expected sums of all rows in the layout to ``sums``, but for those that are left.

    ``code`` and ``gaussian_code`` are addresses of functions for finite and infinite dofs, ``rule`` a ``LaneRule``.
    """
    layout = rows.layout
    n_components, n_results = space.sums.shape[0], space.sums.shape[1]
    current = -1
    for index in range(layout.first.size):
        pattern = layout.pattern[index]
        first, last = layout.first[index], layout.last[index]
        features, p = layout.features[pattern], layout.size[pattern]
        if p == 0:
            continue  # nothing observed: nothing to learn
        if layout.graded[pattern] or _has_large_dof(rule.dofs):
            _leave(left[index], last - first)
            continue
        if pattern != current:
            if current >= 0:
                _flush(rule, layout.size[current], space, sums)
            _prepare(rule, components, rows.units, features, p, space)
            current = pattern
        _load(noise, rows, first, last, features, p, space)
        _expect_block(code, gaussian_code, rule, p, last - first, space)
        share_lanes(
            space.block.log_norm, space.weight, space.rows, space.out, n_results, n_components
        )
        add_lanes(space.out, space.sums, n_results, n_components)
        for m in range(last - first):
            left[index, m] = space.rows[1, m] != 0.0
    if current >= 0:
        _flush(rule, layout.size[current], space, sums)
    for m in range(LANES):
        sums.bound[0] += space.rows[2, m]


@row_kernel
def describe_blocks(
    code, gaussian_code, rule, noise, components, rows, space, left, results, latent
):
    """Write what is known of each row in the layout, but for those that are left.

    Where there is room for clean values in ``latent``, ``code`` is for their moments. Rows that miss a feature are left
    then: the variance of what is missing may be infinite.
    """
    layout = rows.layout
    n_components, n_results = space.sums.shape[0], space.sums.shape[1]
    current = -1
    for index in range(layout.first.size):
        pattern = layout.pattern[index]
        first, last = layout.first[index], layout.last[index]
        features, p = layout.features[pattern], layout.size[pattern]
        with_clean = latent.mean.shape[0] > 0
        if p == 0 and not with_clean:
            for position in range(first, last):
                _describe_nothing(rule, components, layout.order[position], results)
            continue
        is_incomplete = with_clean and p < features.size
        if layout.graded[pattern] or is_incomplete or _has_large_dof(rule.dofs):
            _leave(left[index], last - first)
            continue
        if pattern != current:
            _prepare(rule, components, rows.units, features, p, space)
            current = pattern
        _load(noise, rows, first, last, features, p, space)
        _expect_block(code, gaussian_code, rule, p, last - first, space)
        log_share_lanes(space.block.log_norm, space.rows, space.out, n_results, n_components)
        for m in range(last - first):
            row = layout.order[first + m]
            left[index, m] = space.rows[1, m] != 0.0
            results.log_prob[row] = space.rows[0, m]
            for k in range(n_components):
                results.log_resp[row, k] = space.out[k, 0, m]
                results.u[row, k] = space.out[k, MEAN_U, m]
            results.wild[row] = _wild_probability(rule, space.out, n_results, m)
            if with_clean and not left[index, m]:
                _describe_clean(components, features, m, space, latent.mean[row], latent.cov[row])


@inlined
def _describe_clean(components, features, m, space, mean, cov):
    """Mean and covariance of one clean value, all components together; all features are observed.

    The results are the moments of the noise: the clean value is what was measured, less that.
    """
    d = features.size
    noises, white = space.block.means, space.block.scratch[1]
    for i in range(d):
        mean[i] = 0.0
    for k in range(components.log_weights.size):
        resp = math.exp(space.out[k, 0, m])
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += space.block.spread[k, i, j] * space.out[k, MOMENTS + j, m]
            noises[k, i] = total
            mean[i] += resp * total
    for k in range(components.log_weights.size):
        resp = math.exp(space.out[k, 0, m])
        if resp == 0.0:
            continue
        place = MOMENTS + d
        for i in range(d):
            for j in range(i + 1):
                product = space.out[k, MOMENTS + i, m] * space.out[k, MOMENTS + j, m]
                white[i, j] = resp * (space.out[k, place, m] - product)
                place += 1
        add_sandwich(space.block.spread[k], white, d, space.block.scratch[0], cov)
        for i in range(d):
            for j in range(d):
                cov[i, j] += resp * (noises[k, i] - mean[i]) * (noises[k, j] - mean[j])
    for i in range(d):
        noises[0, features[i]] = space.x[i, m]
    for i in range(d):
        mean[i] = noises[0, i] - mean[i]


@inlined
def _describe_nothing(rule, components, row, results):
    """A row with nothing observed: what is known of any object."""
    results.log_prob[row] = 0.0
    results.wild[row] = rule.wild_fraction
    for k in range(components.log_weights.size):
        results.log_resp[row, k] = components.log_weights[k]
        results.u[row, k] = rule.mean_u


@inlined
def _wild_probability(rule, out, n_results, m):
    """That of one row, all components together; its place is behind the moments."""
    total = 0.0
    if rule.has_wild:
        for k in range(out.shape[0]):
            total += math.exp(out[k, 0, m]) * out[k, n_results - N_WILD_RESULTS, m]
    return total


@kernel
def _leave(left, n):
    for m in range(n):
        left[m] = True


@kernel
def _has_large_dof(dofs):
    for dof in dofs:
        if _LARGE_DOF < dof < math.inf:
            return True
    return False


# ------------------------------------------------------------------------------------ loading


@kernel
def _load_nothing(noise, rows, first, last, features, p, out):
    return


@kernel
def _load_variances(noise, rows, first, last, features, p, out):
    order, std, per_unit = rows.layout.order, noise.std, rows.units.per_unit
    for m in range(min(LANES, last - first + WIDTH - 1)):
        row = order[min(first + m, last - 1)]
        for j in range(p):
            scaled = std[row, features[j]] * per_unit[features[j]]
            out[j, m] = scaled * scaled


@kernel
def _load_covariances(noise, rows, first, last, features, p, out):
    order, cov, per_unit = rows.layout.order, noise.cov, rows.units.per_unit
    for m in range(min(LANES, last - first + WIDTH - 1)):
        given = cov[order[min(first + m, last - 1)]]
        place = 0
        for i in range(p):
            for j in range(i + 1):
                unit = per_unit[features[i]] * per_unit[features[j]]
                out[place, m] = given[features[i], features[j]] * unit
                place += 1


_load_noise = by_type(
    {NoNoise: _load_nothing, DiagonalNoise: _load_variances, FullNoise: _load_covariances}
)


@inlined
def _load(noise, rows, first, last, features, p, space):
    """Values, noise and weights of a block, scaled. What fills the last vector repeats the last row, without weight."""
    order, values, units = rows.layout.order, rows.values, rows.units
    for m in range(min(LANES, last - first + WIDTH - 1)):
        row = order[min(first + m, last - 1)]
        for j in range(p):
            f = features[j]
            space.x[j, m] = (values[row, f] - units.shift[f]) * units.per_unit[f]
    for m in range(LANES):
        space.weight[m] = rows.weights[order[first + m]] if first + m < last else 0.0
    _load_noise(noise, rows, first, last, features, p, space.noise)


# ------------------------------------------------------------------------- constants of a pattern


@inlined
def _prepare(rule, components, units, features, p, space):
    """What the rows of a pattern share. Features they do not observe are made to have neither residual nor noise."""
    block = space.block
    prepare_block(components, units, features, p, block)
    for k in range(block.log_norm.size):
        location, inverse = components.locations[k], block.inverse[k]
        _pack(rule.constants[k, p], location, inverse, features, p, space.constants[k])
    _clear(space.x, p)
    _clear(space.noise, 0)


@kernel
def _clear(a, first):
    """Set the rows from ``first`` on to zero."""
    for i in range(first, a.shape[0]):
        for m in range(a.shape[1]):
            a[i, m] = 0.0


@kernel
def _pack(numbers, location, inverse, features, p, constants):
    """Numbers of the rule, location and inverse factor of a component, in a row."""
    d = location.size
    for i in range(constants.size):
        constants[i] = 0.0
    for i in range(numbers.size):
        constants[i] = numbers[i]
    for i in range(p):
        constants[FIRST_LOCATION + i] = location[features[i]]
        for j in range(i + 1):
            constants[FIRST_LOCATION + d + i * d + j] = inverse[i, j]


@inlined
def _flush(rule, p, space, sums):
    """Bring what was summed to the axes of the data, add it to ``sums``, and begin anew."""
    n_parts = space.sums.shape[1] - (N_WILD_RESULTS if rule.has_wild else 0)
    for k in range(space.sums.shape[0]):
        if rule.has_wild:
            sums.n_wild[k] += space.sums[k, n_parts].sum()
            sums.sum_u_wild[k] += space.sums[k, n_parts + 1].sum()
        n, u, log_u = _add_moments(
            space.sums[k, :n_parts],
            p,
            space.block.spread[k],
            space.block.rest[k],
            space.block.scratch,
            sums.sum_ud[k],
            sums.sum_udd[k],
        )
        sums.n[k] += n
        sums.sum_u[k] += u
        sums.sum_log_u[k] += log_u
        _clear(space.sums[k], 0)


@kernel
def _add_moments(parts, p, spread, rest, scratch, sum_ud, sum_udd):
    """Add the moments of one component; a missing feature has its conditional ones. Returns n, sum u and sum log u."""
    d = sum_ud.size
    white = scratch[1]
    for m in range(parts.shape[0]):  # the total of each goes to its first part
        for lane in range(1, WIDTH):
            parts[m, 0] += parts[m, lane]
    n = parts[0, 0]
    for j in range(p):
        for i in range(d):
            sum_ud[i] += spread[i, j] * parts[MOMENTS + j, 0]
    place = MOMENTS + d
    is_diagonal = parts.shape[0] == place + d
    for i in range(p):
        for j in range(i):
            white[i, j] = 0.0 if is_diagonal else parts[place + i * (i + 1) // 2 + j, 0]
        white[i, i] = parts[place + (i if is_diagonal else i * (i + 3) // 2), 0]
    add_sandwich(spread, white, p, scratch[0], sum_udd)
    if p < d:
        for i in range(d):
            for j in range(d):
                sum_udd[i, j] += n * rest[i, j]
    return n, parts[MEAN_U, 0], parts[MEAN_LOG_U, 0]
