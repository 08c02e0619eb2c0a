"""Matrices of a handful of rows, where a LAPACK call costs more than the work."""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel

# An off-diagonal element this small, absolutely or against its diagonal, cannot move 1 + u b in double precision.
_ABSOLUTE = 1e-18
_RELATIVE = 1e-16
_MAX_SWEEPS = 40
_PIVOT = 1e-16


@kernel
def cholesky(a, p, out):
    """Lower factor of the leading p x p part of a. Returns log|a|.

    A pivot that rounding has eaten (a scatter held at its floor in one direction, 1e15 times as wide in another) is
    taken as the least one that could have been seen, never as NaN.
    """
    log_det = 0.0
    for i in range(p):
        for j in range(i):
            total = a[i, j]
            for m in range(j):
                total -= out[i, m] * out[j, m]
            out[i, j] = total / out[j, j]
            out[j, i] = 0.0
        total = a[i, i]
        for m in range(i):
            total -= out[i, m] * out[i, m]
        total = max(total, _PIVOT * a[i, i])
        out[i, i] = math.sqrt(total)
        log_det += math.log(total)
    return log_det


@kernel
def invert_lower(factor, p, out):
    """Inverse of a lower triangular p x p matrix."""
    for j in range(p):
        for i in range(j):
            out[i, j] = 0.0
        out[j, j] = 1.0 / factor[j, j]
        for i in range(j + 1, p):
            total = 0.0
            for m in range(j, i):
                total -= factor[i, m] * out[m, j]
            out[i, j] = total / factor[i, i]


@kernel
def is_diagonal(a, p):
    """Whether no off-diagonal element of the symmetric p x p matrix could matter."""
    for i in range(p):
        for j in range(i):
            if abs(a[i, j]) > _RELATIVE * math.sqrt(abs(a[i, i] * a[j, j])) + _ABSOLUTE:
                return False
    return True


@kernel
def diagonalise(a, p, q):
    """Turn the symmetric p x p matrix a into its eigenvalues, in place on the diagonal; q gets the axes.

    Cyclic Jacobi rotations. Unlike QR iterations they keep the *small* eigenvalues of a graded matrix to
    full relative accuracy, and an object may have one feature measured 1e12 times worse than another.
    """
    for i in range(p):
        for j in range(p):
            q[i, j] = 0.0
        q[i, i] = 1.0
    for _ in range(_MAX_SWEEPS):
        if is_diagonal(a, p):
            return
        for i in range(p - 1):
            for j in range(i + 1, p):
                _rotate(a, p, q, i, j)


@kernel
def _rotate(a, p, q, i, j):
    """One Jacobi rotation, that makes a[i, j] zero."""
    off = a[j, i]
    if abs(off) <= _RELATIVE * math.sqrt(abs(a[i, i] * a[j, j])) + _ABSOLUTE:
        return
    theta = (a[j, j] - a[i, i]) / (2.0 * off)
    tan = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    cos = 1.0 / math.hypot(tan, 1.0)
    sin = tan * cos
    a[i, i] -= tan * off
    a[j, j] += tan * off
    a[i, j] = 0.0
    a[j, i] = 0.0
    for m in range(p):
        if m != i and m != j:
            ai = a[m, i]
            aj = a[m, j]
            a[m, i] = cos * ai - sin * aj
            a[i, m] = a[m, i]
            a[m, j] = sin * ai + cos * aj
            a[j, m] = a[m, j]
        qi = q[m, i]
        qj = q[m, j]
        q[m, i] = cos * qi - sin * qj
        q[m, j] = sin * qi + cos * qj
