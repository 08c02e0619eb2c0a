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
from peculiar.kernels._jit import kernel, row_kernel
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
from peculiar.kernels.lanes.load import load_block
from peculiar.kernels.shared.block import BlockWork, add_sandwich, new_block_work, prepare_block
from peculiar.kernels.structs import LANES

Left = NDArray[np.bool_]

# Beyond, formulas that subtract numbers of the size of the dof lose digits; further beyond, all do.
LARGE_DOF = 1e7
_TOO_LARGE_DOF = 1e15

# Up to such a noise, summed over the axes, no digits are lost in units of the scatter.
LARGE_NOISE = 3e4


class BlockCode(NamedTuple):
    """Addresses of functions for finite and infinite dofs; 0 where there is none.

    Those that are balanced are for components that have a large dof, or are small beside the noise.
    """

    ordinary: int
    gaussian: int
    balanced: int
    balanced_gaussian: int


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
    precision: Floats  # (K, d): diagonal of the inverse of each scatter
    largest: Floats  # (d,): noise variances


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
        np.zeros((n_components, d)),
        np.zeros(d),
    )


@kernel
def _expect_block(code, rule, p, n_rows, space):
    """Moments of the rows of a block under every component; False if there is no code for one of them."""
    for k in range(rule.dofs.size):
        address = _choose_code(code, rule.dofs[k], space.precision[k], space.largest, p)
        if address == 0:
            return False
        nodes = rule.nodes[k, min(p, rule.nodes.shape[1] - 1)]
        expect_lanes(address, space.constants[k], nodes, space.x, space.noise, space.out[k], n_rows)
    return True


@kernel
def _choose_code(code, dof, precision, largest, p):
    """The address of the function for a component and the largest noise of a block; 0 if there is none."""
    is_gaussian = math.isinf(dof)
    if _TOO_LARGE_DOF < dof and not is_gaussian:
        return 0
    noise = 0.0
    for j in range(p):
        noise += largest[j] * precision[j]
    if noise > LARGE_NOISE or (dof > LARGE_DOF and not is_gaussian):
        return code.balanced_gaussian if is_gaussian else code.balanced
    return code.gaussian if is_gaussian else code.ordinary


@row_kernel
def sum_blocks(code, rule, components, rows, space, left, sums):
    """Add the expected sums of all rows in the layout to ``sums``, but for those that are left.

    ``code`` is a ``BlockCode``, ``rule`` a ``LaneRule``.
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
        if pattern != current:
            if current >= 0:
                _flush(rule, layout.size[current], space, sums)
            _prepare(rule, components, rows.units, features, p, space)
            current = pattern
        load_block(rows, first, last, features, p, space)
        if not _expect_block(code, rule, p, last - first, space):
            _leave(left[index], last - first)
            continue
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
def describe_blocks(code, rule, components, rows, space, left, results, latent):
    """Write what is known of each row in the layout, but for those that are left.

    Where there is room for clean values in ``latent``, ``code`` is for their moments, and rows with nothing
    observed are left.
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
        if p == 0:
            _leave(left[index], last - first)
            continue
        if pattern != current:
            _prepare(rule, components, rows.units, features, p, space)
            current = pattern
        load_block(rows, first, last, features, p, space)
        if not _expect_block(code, rule, p, last - first, space):
            _leave(left[index], last - first)
            continue
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
                _describe_clean(rule, components, features, p, m, space, latent, row)


@kernel
def _describe_clean(rule, components, features, p, m, space, latent, row):
    """Mean and covariance of one clean value, all components together.

    The results are the moments of the noise: the clean value is what was measured, less that. For a missing feature 0
    is taken to be measured.
    """
    mean, cov = latent.mean[row], latent.cov[row]
    d, noises, white = features.size, space.block.means, space.block.scratch[1]
    for i in range(d):
        mean[i] = 0.0
    for k in range(components.log_weights.size):
        resp = math.exp(space.out[k, 0, m])
        _noises(components, features, p, k, m, space, noises[k])
        for i in range(d):
            mean[i] += resp * noises[k, i]
    for k in range(components.log_weights.size):
        resp = math.exp(space.out[k, 0, m])
        if resp == 0.0:
            continue
        place = MOMENTS + d
        for i in range(p):
            for j in range(i + 1):
                product = space.out[k, MOMENTS + i, m] * space.out[k, MOMENTS + j, m]
                white[i, j] = resp * (space.out[k, place, m] - product)
                place += 1
        add_sandwich(space.block.spread[k], white, p, space.block.scratch[0], cov)
        for i in range(d):
            for j in range(d):
                cov[i, j] += resp * (noises[k, i] - mean[i]) * (noises[k, j] - mean[j])
        if p < d:
            _add_rest(resp * _inverse_u(rule, k, p, m, space), space.block.rest[k], cov)
    for i in range(d):
        mean[i] = -mean[i]
    for i in range(p):
        mean[features[i]] += space.x[i, m]


@kernel
def _noises(components, features, p, k, m, space, out):
    """Means of the noises of all features under component k; of a missing one, less its expected value."""
    spread, white = space.block.spread[k], space.block.scratch[0, 0]
    for j in range(p):
        white[j] = space.out[k, MOMENTS + j, m]
    for i in range(features.size):
        out[i] = 0.0
        for j in range(p):
            out[i] += spread[i, j] * white[j]
    if p == features.size:
        return
    for j in range(p):  # the residual in units of the scatter
        white[j] = 0.0
        for i in range(j + 1):
            residual = space.x[i, m] - components.locations[k, features[i]]
            white[j] += space.block.inverse[k, j, i] * residual
    for n in range(p, features.size):
        i = features[n]
        out[i] -= components.locations[k, i]
        for j in range(p):
            out[i] -= spread[i, j] * white[j]


@kernel
def _inverse_u(rule, k, p, m, space):
    """E[1 / u] of one row. It has the place of E[log u]; where it is infinite, that of the wild part alone."""
    value = space.out[k, MEAN_LOG_U, m]
    if rule.dofs[k] + p > 2.0:
        return value
    wild = space.out[k, space.sums.shape[1] - N_WILD_RESULTS, m] if rule.has_wild else 0.0
    return math.inf if wild < 1.0 else value


@kernel
def _add_rest(inverse_u, rest, cov):
    """What the observed features do not say of the missing ones. E[1 / u] may be infinite: no 0 * inf."""
    for i in range(rest.shape[0]):
        for j in range(rest.shape[0]):
            if rest[i, j] != 0.0:
                cov[i, j] += inverse_u * rest[i, j]


@kernel
def _describe_nothing(rule, components, row, results):
    """A row with nothing observed: what is known of any object."""
    results.log_prob[row] = 0.0
    results.wild[row] = rule.wild_fraction
    for k in range(components.log_weights.size):
        results.log_resp[row, k] = components.log_weights[k]
        results.u[row, k] = rule.mean_u


@kernel
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


# ------------------------------------------------------------------------- constants of a pattern


@kernel
def _prepare(rule, components, units, features, p, space):
    """What the rows of a pattern share. Features they do not observe are made to have neither residual nor noise."""
    block = space.block
    prepare_block(components, units, features, p, block)
    for k in range(block.log_norm.size):
        _pack(rule.constants[k, p], components, k, features, p, block, space.constants[k])
        for j in range(p):
            total = 0.0
            for i in range(j, p):
                total += block.inverse[k, i, j] * block.inverse[k, i, j]
            space.precision[k, j] = total
    _clear(space.x, p)
    _clear(space.noise, 0)


@kernel
def _clear(a, first):
    """Set the rows from ``first`` on to zero."""
    for i in range(first, a.shape[0]):
        for m in range(a.shape[1]):
            a[i, m] = 0.0


@kernel
def _pack(numbers, components, k, features, p, block, constants):
    """Numbers of the rule, location, inverse factor, factor and scatter of a component, in a row.

    Features that are not observed have a scatter of 1.
    """
    d = features.size
    inverse = FIRST_LOCATION + d
    factor, scatter = inverse + d * d, inverse + 2 * d * d
    for i in range(constants.size):
        constants[i] = 0.0
    for i in range(numbers.size):
        constants[i] = numbers[i]
    for i in range(p):
        constants[FIRST_LOCATION + i] = components.locations[k, features[i]]
        for j in range(i + 1):
            place = i * d + j
            constants[inverse + place] = block.inverse[k, i, j]
            constants[factor + place] = block.spread[k, features[i], j]
            constants[scatter + place] = components.scatters[k, features[i], features[j]]
    for i in range(p, d):
        constants[factor + i * d + i] = constants[scatter + i * d + i] = 1.0


@kernel
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
