"""What complete data would tell about the coordinates: the metric of an EM step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import polygamma

from peculiar.arrays import Floats
from peculiar.fitting.accelerate.coordinates import MIDDLE_DOF, Coordinates
from peculiar.model.prior import Scale
from peculiar.model.stats import SufficientStats


class Information:
    """What complete data would tell about the coordinates, per row.

    Diagonal in the axes of each scatter. With b the eigenvalues of its root and pi the share of the rows,
    pi E[u] / b_i^2 for the location and (pi / 2) (1 / b_i + 1 / b_j)^2 for the root.

    Parameters
    ----------
    coordinates : Coordinates
    stats : SufficientStats
    sizes, axes : ndarray of shape (K, d) and (K, d, d)
        Eigenvalues and eigenvectors of the roots.
    scale : Scale
    prior_rows : float, default=0.0
        What the prior of the scatters tells about the roots, in rows for each component.
    """

    def __init__(
        self,
        coordinates: Coordinates,
        stats: SufficientStats,
        sizes: Floats,
        axes: Floats,
        scale: Scale,
        prior_rows: float = 0.0,
    ) -> None:
        total = float(stats.n.sum())
        shares, inverse = stats.n / total, 1.0 / sizes
        sums = inverse[:, :, None] + inverse[:, None, :]
        self._split, self._axes = coordinates.split, axes
        self._weights = shares
        self._shifts = (stats.sum_u / total)[:, None] * np.square(inverse)
        about_roots = shares + prior_rows / total
        self._roots = 0.5 * about_roots[:, None, None] * np.square(sums)
        ordinary = stats.n_ordinary / total
        self._dofs = _dof_information(scale.dofs, ordinary, coordinates.n_dofs)
        self._wild = np.full(coordinates.n_wild, 4.0)

    def times(self, step: Floats) -> Floats:
        """From a step of EM to the gradient."""
        return self._scale(step, np.multiply)

    def divide(self, gradient: Floats) -> Floats:
        """From a gradient to the step; 0 for a component without rows."""
        return self._scale(gradient, _divide)

    def _scale(self, vector: Floats, scale: Callable[[Floats, Floats], Floats]) -> Floats:
        weights, shifts, roots, dofs, angle = self._split(vector)
        axes, across = self._axes, np.swapaxes(self._axes, 1, 2)
        turned = scale((across @ shifts[:, :, None])[:, :, 0], self._shifts)
        parts = (
            scale(weights, self._weights),
            (axes @ turned[:, :, None]).ravel(),
            (axes @ scale(across @ roots @ axes, self._roots) @ across).ravel(),
            scale(dofs, self._dofs),
            scale(angle, self._wild),
        )
        return np.concatenate(parts)


def _dof_information(dofs: Floats, shares: Floats, n_dofs: int) -> Floats:
    """That of the Gamma law of u about the coordinate of its dof."""
    half = 0.5 * np.where(np.isinf(dofs), 1.0, dofs)
    about_log = shares * half * (half * polygamma(1, half) - 1.0)
    each: Floats = about_log * np.square(1.0 + 2.0 * half / MIDDLE_DOF)
    return each.sum(keepdims=True) if n_dofs == 1 else each[:n_dofs]


def _divide(numerator: Floats, denominator: Floats) -> Floats:
    """0 where the denominator is."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0.0)
