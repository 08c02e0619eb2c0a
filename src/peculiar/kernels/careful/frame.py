"""The frame of a row: axes in which the scatter is 1 / u and the noise is b.

With Sigma = L L' and L^-1 S L^-T = Q diag(b) Q', the covariance is Sigma / u + S = (L Q) diag(1/u + b) (L Q)'.
S is never inverted, so exact values (S = 0) are no special case. Features come in the order of their noise when that
differs by orders of magnitude (see ``Layout``): then no small number is the difference of large ones.
"""

from __future__ import annotations

from peculiar.kernels._jit import by_type, inlined, kernel
from peculiar.kernels.shared.linalg import diagonalise, is_diagonal
from peculiar.kernels.structs import DiagonalNoise, FullNoise, NoNoise


@kernel
def _no_noise(noise, row, features, p, per_unit, inverse, scratch, b, q):
    b[:p] = 0.0
    return False


@kernel
def _diagonal_noise(noise, row, features, p, per_unit, inverse, scratch, b, q):
    stds = noise.std[row]
    std = scratch[p]
    for j in range(p):
        std[j] = stds[features[j]] * per_unit[features[j]]
    for i in range(p):
        for j in range(i + 1):
            total = 0.0
            for m in range(j + 1):
                total += (inverse[i, m] * std[m]) * (inverse[j, m] * std[m])
            scratch[i, j] = total
            scratch[j, i] = total
    return _axes(scratch, p, b, q)


@kernel
def _full_noise(noise, row, features, p, per_unit, inverse, scratch, b, q):
    cov = noise.cov[row]
    # q serves as scratch for L^-1 S
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(i + 1):
                unit = per_unit[features[m]] * per_unit[features[j]]
                total += inverse[i, m] * cov[features[m], features[j]] * unit
            q[i, j] = total
    for i in range(p):
        for j in range(i + 1):
            total = 0.0
            for m in range(j + 1):
                total += q[i, m] * inverse[j, m]
            scratch[i, j] = total
            scratch[j, i] = total
    return _axes(scratch, p, b, q)


@inlined
def _axes(scratch, p, b, q):
    """Eigenvalues of the whitened noise in b, axes in q; False if the axes are those of L."""
    turned = not is_diagonal(scratch, p)
    if turned:
        diagonalise(scratch, p, q)
    for j in range(p):
        b[j] = max(scratch[j, j], 0.0)
    return turned


noise_axes = by_type({NoNoise: _no_noise, DiagonalNoise: _diagonal_noise, FullNoise: _full_noise})
"""Noise of a row in the frame of a component.

``noise_axes(noise, row, features, p, per_unit, inverse, scratch, b, q)`` writes the noise variances into b
and, if it returns True, the axes into the columns of q; ``inverse`` is L^-1, ``scratch`` is (d + 1, d).
"""
