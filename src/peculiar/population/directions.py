"""Directions that are spread evenly over the sphere, the same in every run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from peculiar.arrays import Floats

_SEED = 20070620
_N_CHOSEN = 64
_N_CANDIDATES = 50
_MOST_FEATURES = 12  # choosing costs p^3, and gains less the more dimensions there are


@lru_cache(maxsize=64)
def crosses(p: int, n: int) -> Floats:
    """Orthonormal frames, (n, p, p): each is a cross of 2 p directions, its rows and their opposites.

    The mean over one cross is exact for polynomials of degree 3. Crosses are rotated at random, by the same rotations
    in every run. Each of the first crosses is the best of many: the one whose axes are furthest from those before
    (least Riesz energy), so that they fill each other's gaps. Their scatter then overstates the error of their mean. In
    the plane, the angles follow the van der Corput sequence.

    Parameters
    ----------
    p : int
        Dimension.
    n : int
        Number of crosses.

    Returns
    -------
    ndarray of shape (n, p, p)
    """
    if p == 1:
        return np.ones((n, 1, 1))
    if p == 2:
        angles = 0.5 * np.pi * (_van_der_corput(n) + 0.25 / n)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.ascontiguousarray(np.stack([cos, sin, -sin, cos], axis=1).reshape(n, 2, 2))
    rng = np.random.default_rng([_SEED, p])
    frames = _rotations(rng, n, p)
    if p <= _MOST_FEATURES:
        for i in range(1, min(n, _N_CHOSEN)):
            candidates = _rotations(rng, _N_CANDIDATES, p)
            frames[i] = candidates[np.argmin(_energy(candidates, frames[:i]))]
    return frames


def _rotations(rng: np.random.Generator, n: int, p: int) -> Floats:
    """Uniformly distributed orthogonal matrices, (n, p, p)."""
    q, r = np.linalg.qr(rng.standard_normal((n, p, p)))
    signs = np.sign(np.diagonal(r, axis1=1, axis2=2))
    return np.ascontiguousarray(q * signs[:, None, :])


def _energy(candidates: Floats, chosen: Floats) -> Floats:
    """How near the axes of each candidate are to those already chosen."""
    p = candidates.shape[-1]
    cosines = candidates.reshape(-1, p) @ chosen.reshape(-1, p).T
    sq_sines = np.maximum(1.0 - cosines**2, 1e-12)
    energy: Floats = (sq_sines ** (-0.5 * p)).reshape(len(candidates), -1).sum(axis=1)
    return energy


def _van_der_corput(n: int) -> Floats:
    """0, 1/2, 1/4, 3/4, 1/8, ...: any number of them are spread evenly over [0, 1)."""
    values = np.zeros(n)
    for i in range(n):
        digit, rest = 0.5, i
        while rest:
            values[i] += digit * (rest % 2)
            digit *= 0.5
            rest //= 2
    return values
