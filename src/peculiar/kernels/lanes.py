"""A block of rows, one row a lane, against one component after another.

Everything here works on arrays whose last axis runs over the ``LANES`` rows of a block, so that the innermost loops
are plain, long and vectorised. Rows that need more care are marked on the way and done again one by one (see ``row``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.kernels._jit import by_type, inlined, kernel
from peculiar.kernels.lane_exact import integrate_lanes
from peculiar.kernels.lane_limits import gaussian_lanes, student_lanes
from peculiar.kernels.lane_math import lane_exp, lane_log
from peculiar.kernels.lane_structured import maximise_lanes
from peculiar.kernels.reflect import tridiagonalise, turn_back
from peculiar.kernels.structs import (
    LANES,
    DiagonalNoise,
    ExactRule,
    Floats,
    FullNoise,
    NoNoise,
    StructuredRule,
)

expect_lanes = by_type({ExactRule: integrate_lanes, StructuredRule: maximise_lanes})
"""Moments of u on all lanes: ``expect_lanes(rule, k, p, want_moments, space, first, second, out)``."""


class LaneSpace(NamedTuple):
    """Where the lanes of a block are worked on; the last axis of everything has length ``LANES``."""

    x: Floats  # (d,): values in scaled units
    noise: (
        Floats  # (d, d): covariances (lower triangle) or variances (first column), in scaled units
    )
    y: Floats  # (d,): whitened residuals
    b: Floats  # (d, d): whitened noise; then its tridiagonal form
    v: Floats  # (d, d): reflectors
    tau: Floats  # (d,)
    w: Floats  # (d,)
    beta: Floats  # (d,): off-diagonal of the tridiagonal form
    head: Floats  # (): length of the residual, with a sign
    ub: Floats  # (d,)
    minors: Floats  # (d + 1,)
    slopes: Floats  # (2, d + 1)
    work: Floats  # (3, max(d, 3))
    rows: Floats  # (8,)
    first: Floats  # (K, d): E[u (w - mu)], whitened
    second: Floats  # (K, d, d): E[u (w - mu)(w - mu)'], whitened, lower triangle
    out: Floats  # (K, 4): log joint, E[u], E[log u], mark


def new_lane_space(n_components: int, d: int) -> LaneSpace:
    """Room for it."""
    return LaneSpace(
        np.zeros((d, LANES)),
        np.zeros((d, d, LANES)),
        np.zeros((d, LANES)),
        np.zeros((d, d, LANES)),
        np.zeros((d, d, LANES)),
        np.zeros((d, LANES)),
        np.zeros((d, LANES)),
        np.zeros((d, LANES)),
        np.zeros(LANES),
        np.zeros((d, LANES)),
        np.zeros((d + 1, LANES)),
        np.zeros((2, d + 1, LANES)),
        np.zeros((3, max(d, 3), LANES)),
        np.zeros((8, LANES)),
        np.zeros((n_components, d, LANES)),
        np.zeros((n_components, d, d, LANES)),
        np.zeros((n_components, 4, LANES)),
    )


@inlined
def load_values(rows, first, last, features, p, x):
    """Values of a block, scaled. Lanes beyond its end repeat its last row."""
    order, values, units = rows.layout.order, rows.values, rows.units
    for j in range(p):
        f = features[j]
        shift, per_unit = units.shift[f], units.per_unit[f]
        out = x[j]
        for m in range(LANES):
            out[m] = (values[order[min(first + m, last - 1)], f] - shift) * per_unit


@kernel
def _load_nothing(noise, rows, first, last, features, p, out):
    return


@kernel
def _load_variances(noise, rows, first, last, features, p, out):
    order, std, per_unit = rows.layout.order, noise.std, rows.units.per_unit
    for j in range(p):
        f = features[j]
        unit = per_unit[f]
        to = out[j, 0]
        for m in range(LANES):
            scaled = std[order[min(first + m, last - 1)], f] * unit
            to[m] = scaled * scaled


@kernel
def _load_covariances(noise, rows, first, last, features, p, out):
    order, cov, per_unit = rows.layout.order, noise.cov, rows.units.per_unit
    for i in range(p):
        for j in range(i + 1):
            unit = per_unit[features[i]] * per_unit[features[j]]
            to = out[i, j]
            for m in range(LANES):
                to[m] = cov[order[min(first + m, last - 1)], features[i], features[j]] * unit


load_noise = by_type(
    {NoNoise: _load_nothing, DiagonalNoise: _load_variances, FullNoise: _load_covariances}
)
"""Noise of a block, scaled: ``load_noise(noise, rows, first, last, features, p, out)``."""


@inlined
def whiten_values(x, features, location, inverse, p, y):
    """y = L^-1 (x - mu)."""
    for i in range(p):
        out = y[i]
        for m in range(LANES):
            out[m] = 0.0
        for j in range(i + 1):
            factor, centre, xj = inverse[i, j], location[features[j]], x[j]
            for m in range(LANES):
                out[m] += factor * (xj[m] - centre)


@kernel
def _whiten_variances(noise, inverse, p, given, scratch, b):
    for i in range(p):
        for j in range(i + 1):
            out = b[i, j]
            for m in range(LANES):
                out[m] = 0.0
            for n in range(j + 1):
                factor, variance = inverse[i, n] * inverse[j, n], given[n, 0]
                for m in range(LANES):
                    out[m] += factor * variance[m]


@kernel
def _whiten_covariances(noise, inverse, p, given, scratch, b):
    for i in range(p):
        for j in range(i + 1):  # row i of L^-1 S
            part = scratch[j]
            for m in range(LANES):
                part[m] = 0.0
            for n in range(i + 1):
                factor, cov = inverse[i, n], given[n, j] if n >= j else given[j, n]
                for m in range(LANES):
                    part[m] += factor * cov[m]
        for j in range(i + 1):
            out = b[i, j]
            for m in range(LANES):
                out[m] = 0.0
            for n in range(j + 1):
                factor, part = inverse[j, n], scratch[n]
                for m in range(LANES):
                    out[m] += factor * part[m]


whiten_noise = by_type({DiagonalNoise: _whiten_variances, FullNoise: _whiten_covariances})
"""B = L^-1 S L^-T (lower triangle): ``whiten_noise(noise, inverse, p, given, scratch, b)``."""


@kernel
def _expect_exact_values(
    noise, rule, components, k, features, p, want_moments, inverse, space, first, second, out
):
    whiten_values(space.x, features, components.locations[k], inverse, p, space.y)
    student_lanes(rule.dofs[k], p, space.y, want_moments, space, first, second, out)


@kernel
def _expect_noisy_values(
    noise, rule, components, k, features, p, want_moments, inverse, space, first, second, out
):
    whiten_values(space.x, features, components.locations[k], inverse, p, space.y)
    whiten_noise(noise, inverse, p, space.noise, space.w, space.b)
    tridiagonalise(
        space.y, space.b, p, space.v, space.tau, space.w, space.rows[7], space.head, space.beta
    )
    if math.isinf(rule.dofs[k]):
        gaussian_lanes(p, want_moments, space, first, second, out)
    else:
        expect_lanes(rule, k, p, want_moments, space, first, second, out)
    if want_moments:
        turn_back(first, second, p, space.v, space.tau, space.w, space.rows[7])


expect_component = by_type(
    {
        NoNoise: _expect_exact_values,
        DiagonalNoise: _expect_noisy_values,
        FullNoise: _expect_noisy_values,
    }
)
"""Moments of all lanes under component k, in whitened coordinates; log_prob lacks -log|Sigma| / 2.

``expect_component(noise, rule, components, k, features, p, want_moments, inverse, space, first, second, out)``
"""


@inlined
def blank_lane(lane, k, p, space):
    """Clear a lane that holds no row: with weight 0 it must still be finite."""
    for i in range(3):
        space.out[k, i, lane] = 0.0
    for i in range(p):
        space.first[k, i, lane] = 0.0
        for j in range(i + 1):
            space.second[k, i, j, lane] = 0.0


@inlined
def normalise_lanes(log_norm, out, largest, log_prob):
    """Turn log p(x | k), in out[k, 0], into log p(k | x); log p(x) goes to log_prob."""
    n_components = log_norm.size
    for m in range(LANES):
        largest[m] = -math.inf
        log_prob[m] = 0.0
    for k in range(n_components):
        joint = out[k, 0]
        for m in range(LANES):
            joint[m] += log_norm[k]
        for m in range(LANES):
            largest[m] = max(largest[m], joint[m])
    for k in range(n_components):
        joint = out[k, 0]
        for m in range(LANES):
            log_prob[m] += lane_exp(joint[m] - largest[m])
    for m in range(LANES):
        log_prob[m] = largest[m] + lane_log(log_prob[m])
    for k in range(n_components):
        joint = out[k, 0]
        for m in range(LANES):
            joint[m] -= log_prob[m]


@kernel
def dot(a, b):
    """Sum of a * b over the lanes, in four parts: a single chain of additions would be slower."""
    s0 = s1 = s2 = s3 = 0.0
    for m in range(0, LANES, 4):
        s0 += a[m] * b[m]
        s1 += a[m + 1] * b[m + 1]
        s2 += a[m + 2] * b[m + 2]
        s3 += a[m + 3] * b[m + 3]
    return (s0 + s1) + (s2 + s3)
