"""Directions that are spread evenly over the sphere, the same in every run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from peculiar.kernels.structs import Floats

_SEED = 20070620


@lru_cache(maxsize=64)
def crosses(p: int, n: int) -> Floats:
    """Orthonormal frames, (n, p, p): each is a cross of 2 p directions, its rows and their opposites.

    The mean over one cross is exact for polynomials of degree 3. Each is rotated at random, independently of the others,
    by the same rotations in every run; in the plane, by the angles of van der Corput, which fill each other's gaps.

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
    q, r = np.linalg.qr(rng.standard_normal((n, p, p)))
    signs = np.sign(np.diagonal(r, axis1=1, axis2=2))
    return np.ascontiguousarray(q * signs[:, None, :])


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
