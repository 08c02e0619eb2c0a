"""A wild part: some objects are far from everything, whatever component they are counted to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.kernels.structs import N_WILD
from peculiar.model.prior.base import Scale, ScalePrior
from peculiar.model.stats import SufficientStats

WILD_SCALES = 1e-4, 0.1
"""Range of a wild u: such objects scatter 3 to 100 times as far as ordinary ones."""

START_FRACTION = 0.05

LEAST_ORDINARY_DOF = 15.0
"""Smallest dof that is estimated beside a wild part. With a smaller one the ordinary law has a wild tail of its own (of
u = 0.1 or less in one object of 57 for a dof of 4; in one of 230,000 for 15), which takes the outliers for itself."""

LEAST_FRACTION, GREATEST_FRACTION = 1e-12, 0.5
"""Range of an estimated fraction. From 0 it could not rise again; and a majority is not wild: with a fraction near 1
the wild part would be the population, and its components so small that nobody is ordinary."""


def within_range(fraction: float) -> float:
    """An estimated fraction, held in its range: of all that are allowed, the one that EM's bound is highest at."""
    return min(max(fraction, LEAST_FRACTION), GREATEST_FRACTION)


@lru_cache
def wild_nodes() -> tuple[Floats, Floats]:
    """Nodes u and their probabilities: the log-uniform law of a wild u, as Gauss and Legendre would sum over it.

    The nodes are the same for all rows, so that EM climbs as if there were nothing but these scales. Compared with the
    integral, the density of an object that could be either is right to 1e-4 for 4 features and 1e-2 for 10, that of
    one which is wild for certain to 2 % and 20 %.

    Returns
    -------
    u, probability : ndarray of shape (N_WILD,)

    Examples
    --------
    The mean of u is (0.1 - 1e-4) / log(1000):

    >>> u, probability = wild_nodes()
    >>> float(u @ probability), float(probability.sum())
    (0.01446..., 1.0)
    """
    nodes, weights = np.polynomial.legendre.leggauss(N_WILD)
    low, high = (math.log(u) for u in WILD_SCALES)
    return np.exp(low + 0.5 * (high - low) * (nodes + 1.0)), 0.5 * weights


@dataclass(frozen=True)
class WithWild:
    """Another law with probability 1 - eps, and u log-uniform on ``WILD_SCALES`` with probability eps.

    Locations and shapes of the components are shared by both parts, and so is eps by all components.

    Parameters
    ----------
    ordinary : ScalePrior
        The other law.
    fraction : float
        eps, or where its estimation starts.
    is_estimated : bool
        Whether eps is estimated: it is then the mean posterior probability of the wild part.
    """

    ordinary: ScalePrior
    fraction: float = START_FRACTION
    is_estimated: bool = True

    name: ClassVar[str] = "wild"
    least_dof: ClassVar[float] = LEAST_ORDINARY_DOF
    has_wild: ClassVar[bool] = True

    def start(self, n_components: int) -> Scale:
        """Some wild objects."""
        return self._hold(self.ordinary.start(n_components), self.fraction)

    def update(self, stats: SufficientStats, old: Scale) -> Scale:
        """The ordinary law from the ordinary part of the sums, eps from how large the other part is."""
        fraction = old.wild_fraction
        if self.is_estimated:
            fraction = within_range(float(stats.n_wild.sum() / stats.n.sum()))
        return self._hold(self.ordinary.update(stats, old), fraction)

    def _hold(self, scale: Scale, fraction: float) -> Scale:
        """With this fraction, and no estimated dof below the least one."""
        is_free = self.ordinary.n_dofs(len(scale.dofs)) > 0
        dofs = np.maximum(scale.dofs, self.least_dof) if is_free else scale.dofs
        return Scale(dofs, fraction)

    def without_wild(self) -> ScalePrior:
        """The other law."""
        return self.ordinary

    def n_dofs(self, n_components: int) -> int:
        """Those of the ordinary part."""
        return self.ordinary.n_dofs(n_components)

    def n_parameters(self, n_components: int) -> int:
        """Those of the ordinary part, and eps."""
        return self.ordinary.n_parameters(n_components) + self.is_estimated

    def draw(self, rng: np.random.Generator, scale: Scale, labels: Ints) -> Floats:
        """One scale u for an object of each component named."""
        ordinary = self.ordinary.draw(rng, scale, labels)
        low, high = (math.log(u) for u in WILD_SCALES)
        is_wild = rng.random(len(labels)) < scale.wild_fraction
        return np.where(is_wild, np.exp(rng.uniform(low, high, len(labels))), ordinary)
