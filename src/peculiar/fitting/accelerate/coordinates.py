"""The parameters of a mixture as a flat vector in which every number is allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from peculiar.arrays import Floats
from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
from peculiar.model.prior.wild import within_range

MIDDLE_DOF = 10.0
"""Below this dof its coordinate is like its logarithm, above like its inverse."""


@dataclass(frozen=True)
class Coordinates:
    """Parameters as a flat vector in which every number is allowed.

    Log-weights; locations in units of the component; square roots of the scatters, in the same units;
    -log(1 + 10 / dof) for the dofs that are estimated; and arcsin(sqrt(eps)) for the fraction of wild objects, if it
    is. A scatter may have to shrink to nothing in some direction, a dof to grow to infinity, a fraction to vanish. In
    these coordinates that is a finite way along which the bound is smooth; in logarithms it would be endless.

    The units of a component are its ``frame``, a matrix with ``frame frame' = scatter`` when the coordinates
    were made. A linear map of the data rotates them, and no step depends on rotations.

    Attributes
    ----------
    origin : ndarray of shape (K, d)
        Locations whose coordinates are 0.
    frame : ndarray of shape (K, d, d)
    dofs : ndarray of shape (K,)
        The dofs, where none is estimated.
    n_dofs : int
        How many are estimated: 0, 1 (shared) or K.
    wild_fraction : float
        The fraction of wild objects, where it is not estimated.
    n_wild : int
        How many of these are estimated: 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.model.prior import FixedDofs
    >>> params = MixtureParams(
    ...     np.zeros(1), np.zeros((1, 2)), np.array([[[4.0, 0.0], [0.0, 1.0]]]), np.ones(1)
    ... )
    >>> coordinates = Coordinates.about(params, FixedDofs((1.0,)))
    >>> coordinates.of(params)  # log-weight; location; square root of the scatter
    array([0., 0., 0., 1., 0., 0., 1.])
    >>> coordinates.params(np.array([0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 3.0])).scatters
    array([[[4., 0.],
            [0., 9.]]])
    """

    origin: Floats
    frame: Floats
    dofs: Floats
    n_dofs: int
    wild_fraction: float = 0.0
    n_wild: int = 0

    @classmethod
    def about(cls, params: MixtureParams, prior: ScalePrior) -> Coordinates:
        """Coordinates in which these components have size 1."""
        n_dofs = prior.n_dofs(params.n_components)
        n_wild = prior.n_parameters(params.n_components) - n_dofs
        frame: Floats = np.linalg.cholesky(params.scatters).astype(np.float64, copy=False)
        return cls(params.locations, frame, params.dofs, n_dofs, params.wild_fraction, n_wild)

    def of(self, params: MixtureParams) -> Floats:
        """The vector of some parameters."""
        shifts = np.linalg.solve(self.frame, (params.locations - self.origin)[:, :, None])
        roots = _compose(*self.sizes(params))
        bent = _bend(params.dofs[: self.n_dofs])
        angle = np.full(self.n_wild, math.asin(math.sqrt(params.wild_fraction)))
        return np.concatenate([params.log_weights, shifts.ravel(), roots.ravel(), bent, angle])

    def params(self, vector: Floats, least: ArrayLike = 0.0) -> MixtureParams:
        """The parameters of a vector, weights normalised, and no component flatter than ``least``, (K,) or a number."""
        log_weights, shifts, roots, bent, angle = self.split(vector)
        values, vectors = np.linalg.eigh(roots)
        turned = self.frame @ _compose(
            np.maximum(np.abs(values), np.reshape(least, (-1, 1))), vectors
        )
        dofs = np.broadcast_to(_unbend(bent), self.dofs.shape).copy() if self.n_dofs else self.dofs
        return MixtureParams(
            log_weights - np.logaddexp.reduce(log_weights),
            self.origin + (self.frame @ shifts[:, :, None])[:, :, 0],
            turned @ np.swapaxes(turned, 1, 2),
            dofs,
            wild_fraction=self._fraction(angle),
        )

    def _fraction(self, angle: Floats) -> float:
        """Of wild objects; where it is estimated it is held in its range."""
        if not self.n_wild:
            return self.wild_fraction
        return within_range(math.sin(float(angle[0])) ** 2)

    def split(self, vector: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Parts of a vector, in the shapes of the parameters."""
        n, d = self.origin.shape
        first, second = n * (1 + d), n * (1 + d + d * d)
        third = second + self.n_dofs
        return (
            vector[:n],
            vector[n:first].reshape(n, d),
            vector[first:second].reshape(n, d, d),
            vector[second:third],
            vector[third:],
        )

    def sizes(self, params: MixtureParams) -> tuple[Floats, Floats]:
        """Eigenvalues (rising) and eigenvectors of the square roots of the scatters."""
        half = np.linalg.solve(self.frame, params.scatters)
        whole = np.linalg.solve(self.frame, np.swapaxes(half, 1, 2))
        values, vectors = np.linalg.eigh(0.5 * (whole + np.swapaxes(whole, 1, 2)))
        least = np.finfo(float).eps * values[:, -1:]
        return np.sqrt(np.maximum(values, least)), vectors


def _compose(values: Floats, vectors: Floats) -> Floats:
    """Symmetric matrices from their eigenvalues and eigenvectors."""
    result: Floats = (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    return result


def _bend(dofs: Floats) -> Floats:
    """From (0, inf] to (-inf, 0]."""
    bent: Floats = -np.log1p(MIDDLE_DOF / dofs)
    return bent


def _unbend(bent: Floats) -> Floats:
    """The other way round; infinite from 0 on."""
    with np.errstate(divide="ignore", over="ignore"):
        dofs: Floats = MIDDLE_DOF / np.expm1(np.maximum(-bent, 0.0))
    return dofs
