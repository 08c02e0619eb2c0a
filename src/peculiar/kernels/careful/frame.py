"""The frame of a row: axes in which the scatter is 1 / u and the noise is b.

With Sigma = L L' and L^-1 S L^-T = Q diag(b) Q', the covariance is Sigma / u + S = (L Q) diag(1/u + b) (L Q)'.
S is never inverted, so exact values (S = 0) are no special case. Features come in the order of their noise when that
differs by orders of magnitude (see ``Layout``): then no small number is the difference of large ones.
"""

from __future__ import annotations

from peculiar.kernels._jit import kernel
from peculiar.kernels.shared.linalg import diagonalise, is_diagonal


@kernel
def noise_axes(rows, row, features, p, inverse, scratch, b, q):
    """Noise of a row in the frame of a component: variances in b and, if it returns True, axes in the columns of q.

    ``inverse`` is L^-1, ``scratch`` is (d + 1, d).
    """
    if rows.cov.shape[0] > 0:
        _whiten_covariances(rows.cov[row], features, p, rows.units.per_unit, inverse, scratch, q)
    elif rows.std.shape[0] > 0:
        _whiten_variances(rows.std[row], features, p, rows.units.per_unit, inverse, scratch)
    else:
        b[:p] = 0.0
        return False
    turned = not is_diagonal(scratch, p)
    if turned:
        diagonalise(scratch, p, q)
    for j in range(p):
        b[j] = max(scratch[j, j], 0.0)
    return turned


@kernel
def _whiten_variances(stds, features, p, per_unit, inverse, scratch):
    """L^-1 S L^-T of independent errors, in ``scratch``."""
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


@kernel
def _whiten_covariances(cov, features, p, per_unit, inverse, scratch, part):
    """L^-1 S L^-T of correlated errors, in ``scratch``; L^-1 S is left in ``part``."""
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(i + 1):
                unit = per_unit[features[m]] * per_unit[features[j]]
                total += inverse[i, m] * cov[features[m], features[j]] * unit
            part[i, j] = total
    for i in range(p):
        for j in range(i + 1):
            total = 0.0
            for m in range(j + 1):
                total += part[i, m] * inverse[j, m]
            scratch[i, j] = total
            scratch[j, i] = total
