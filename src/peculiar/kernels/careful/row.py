"""One row in the frames of its components, and what is made of its moments there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.frame import noise_axes
from peculiar.kernels.careful.moments import INVERSE_U, U, n_moments

SQUARES = 2
"""Which of the vectors has the squared residuals, once ``turn_row`` was there."""


class RowWork(NamedTuple):
    """One row in the frame of every component."""

    e: Floats  # (K, d): residual
    b: Floats  # (K, d): noise
    q: Floats  # (K, d, d): axes, if turned
    turned: NDArray[np.bool_]  # (K,)
    moments: Floats  # (K, n_moments)
    log_resp: Floats  # (K,)
    scratch: Floats  # (d + 1, d)
    vectors: Floats  # (4, d)
    matrix: Floats  # (d, d)


def new_row_work(n_components: int, d: int) -> RowWork:
    """Room for it."""
    return RowWork(
        np.zeros((n_components, d)),
        np.zeros((n_components, d)),
        np.zeros((n_components, d, d)),
        np.zeros(n_components, dtype=np.bool_),
        np.zeros((n_components, n_moments.py_func(d))),
        np.zeros(n_components),
        np.zeros((d + 1, d)),
        np.zeros((4, d)),
        np.zeros((d, d)),
    )


@kernel
def turn_row(components, rows, row, k, features, p, inverse, work):
    """Residual and noise of a row in the frame of component k, left in ``work``."""
    values, units, location = rows.values[row], rows.units, components.locations[k]
    x, white, e2 = work.vectors[0], work.vectors[1], work.vectors[SQUARES]
    e, b, q = work.e[k], work.b[k], work.q[k]
    for j in range(p):
        f = features[j]
        x[j] = (values[f] - units.shift[f]) * units.per_unit[f] - location[f]
    for i in range(p):
        total = 0.0
        for j in range(i + 1):
            total += inverse[i, j] * x[j]
        white[i] = total
    turned = noise_axes(rows, row, features, p, inverse, work.scratch, b, q)
    work.turned[k] = turned
    turn_residual(white, turned, q, p, e, e2)


@kernel
def turn_residual(white, turned, q, p, e, e2):
    """A whitened residual along the axes of the noise, the columns of q unless these are those of L; and its square."""
    for j in range(p):
        total = white[j]
        if turned:
            total = 0.0
            for i in range(p):
                total += q[i, j] * white[i]
        e[j] = total
        e2[j] = total * total


@kernel
def expect_nothing(dofs, components, work):
    """A row with nothing observed: what is known of any object; its log-density is 0."""
    for k in range(dofs.size):
        work.log_resp[k] = components.log_weights[k]
        work.moments[k, U] = 1.0
        dof = dofs[k]
        work.moments[k, INVERSE_U] = 1.0 if math.isinf(dof) else math.inf
        if 2.0 < dof < math.inf:
            work.moments[k, INVERSE_U] = dof / (dof - 2.0)
    return 0.0


@kernel
def normalise(log_joint):
    """Turn log p(x, k) into log p(k | x), in place; returns log p(x)."""
    largest = -math.inf
    for k in range(log_joint.size):
        largest = max(largest, log_joint[k])
    total = 0.0
    for k in range(log_joint.size):
        total += math.exp(log_joint[k] - largest)
    log_prob = largest + math.log(total)
    for k in range(log_joint.size):
        log_joint[k] -= log_prob
    return log_prob


@kernel
def add_first(k, start, p, work, out):
    """Add Q (m * e) to out, m being the moments from ``start`` on: a mean of w - mu, whitened."""
    m, e, q = work.moments[k], work.e[k], work.q[k]
    turned = work.turned[k]
    for j in range(p):
        part = m[start + j] * e[j]
        if turned:
            for i in range(p):
                out[i] += q[i, j] * part
        else:
            out[j] += part


@kernel
def add_second(k, start, centre, p, work, out):
    """Add Q M Q' to the lower triangle of out: second moments of w - mu, whitened.

    M_ji = e_j e_i (m_ji - centre * m_j m_i) + [i = j] b_j m_j, with the moments m_j from ``start`` on and the m_ji
    behind them.
    """
    m, e, b, q = work.moments[k], work.e[k], work.b[k], work.q[k]
    matrix = work.scratch
    pair = start + p
    for j in range(p):
        for i in range(j + 1):
            spread = m[pair] - centre * m[start + j] * m[start + i]
            matrix[j, i] = matrix[i, j] = e[j] * e[i] * spread
            pair += 1
        matrix[j, j] += b[j] * m[start + j]
    if not work.turned[k]:
        for j in range(p):
            for i in range(j + 1):
                out[j, i] += matrix[j, i]
        return
    row = work.vectors[0]
    for i in range(p):
        for j in range(p):
            total = 0.0
            for n in range(p):
                total += q[i, n] * matrix[n, j]
            row[j] = total
        for j in range(i + 1):
            total = 0.0
            for n in range(p):
                total += row[n] * q[j, n]
            out[i, j] += total
