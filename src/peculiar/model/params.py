"""Parameters of the mixture."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.kernels.structs import Components
from peculiar.model.prior.base import Scale
from peculiar.observations import Scaling


@dataclass(frozen=True)
class MixtureParams:
    """Weights, locations, scatters and degrees of freedom of K components.

    Attributes
    ----------
    log_weights : ndarray of shape (K,)
    locations : ndarray of shape (K, d)
    scatters : ndarray of shape (K, d, d)
        Dense for every scatter structure.
    dofs : ndarray of shape (K,)
        ``inf`` for a Gaussian component.
    aligned : bool
        Whether all scatters are diagonal and are to stay so: engines then leave the rest out of their sums.
    wild_fraction : float
        Probability that an object is wild, whatever its component.
    """

    log_weights: Floats
    locations: Floats
    scatters: Floats
    dofs: Floats
    aligned: bool = False
    wild_fraction: float = 0.0

    @property
    def n_components(self) -> int:
        """Number of components."""
        return len(self.log_weights)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.locations.shape[1])

    # What follows is asked for with every batch of rows; to make it anew would keep other threads waiting.

    @cached_property
    def scale(self) -> Scale:
        """Parameters of the law of u."""
        return Scale(_plain(self.dofs), self.wild_fraction)

    @cached_property
    def components(self) -> Components:
        """What the kernels need besides the law of u."""
        return Components(
            _plain(self.log_weights),
            _plain(self.locations),
            _plain(self.scatters),
        )

    @cached_property
    def precisions(self) -> Floats:
        """Diagonals of the inverses of the scatters, (K, d); infinite if one of them is singular, up to rounding."""
        try:
            return np.diagonal(np.linalg.inv(self.scatters), axis1=1, axis2=2)
        except np.linalg.LinAlgError:
            return np.full_like(self.locations, np.inf)


def _plain(array: Floats) -> Floats:
    """Contiguous and writable: for others, such as those of a memory-mapped model, kernels would be compiled anew."""
    return np.require(array, requirements=["C", "W"])


def take(params: MixtureParams, chosen: NDArray[np.bool_] | Ints) -> MixtureParams:
    """A mixture of some of the components, in the proportions they have."""
    log_weights = params.log_weights[chosen]
    return dataclasses.replace(
        params,
        log_weights=log_weights - np.logaddexp.reduce(log_weights),
        locations=params.locations[chosen],
        scatters=params.scatters[chosen],
        dofs=params.dofs[chosen],
    )


def to_scaled(params: MixtureParams, scaling: Scaling) -> MixtureParams:
    """Parameters of (x - shift) / scale, from those of x."""
    scale = scaling.scale
    return dataclasses.replace(
        params,
        locations=(params.locations - scaling.shift) / scale,
        scatters=params.scatters / scale[:, None] / scale,
    )


def from_scaled(params: MixtureParams, scaling: Scaling) -> MixtureParams:
    """Parameters of x, from those of (x - shift) / scale."""
    scale = scaling.scale
    return dataclasses.replace(
        params,
        locations=params.locations * scale + scaling.shift,
        scatters=params.scatters * scale[:, None] * scale,
    )


def natural_scaling(params: MixtureParams) -> Scaling:
    """Units in which the components are of size 1 and near 0."""
    weights = np.exp(params.log_weights)
    shift = weights @ params.locations
    scale = np.sqrt(weights @ np.diagonal(params.scatters, axis1=1, axis2=2))
    return Scaling(shift, scale)
