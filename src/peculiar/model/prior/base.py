"""What a law of the scale u has to answer."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Protocol, Self

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.model.stats import SufficientStats


class Scale(NamedTuple):
    """Parameters of the law of u.

    Attributes
    ----------
    dofs : ndarray of shape (K,)
        Of the ordinary part: u is Gamma(dof/2, rate dof/2), or 1 where it is infinite.
    wild_fraction : float
        Probability of the wild part.
    """

    dofs: Floats
    wild_fraction: float = 0.0


class ScalePrior(Protocol):
    """The law of u: which parameters it has, and what the sums say about them."""

    name: ClassVar[str]

    @property
    def least_dof(self) -> float:
        """No estimated dof is smaller."""
        ...

    @property
    def has_wild(self) -> bool:
        """Whether there is a wild part. An engine must know how to integrate over it."""
        ...

    def start(self, n_components: int) -> Scale:
        """Parameters to begin with."""
        ...

    def update(self, stats: SufficientStats, old: Scale) -> Scale:
        """Parameters that best explain the expected sums."""
        ...

    def without_wild(self) -> ScalePrior | Self:
        """The law of ordinary objects: the same without its wild part, if it has one."""
        ...

    def n_dofs(self, n_components: int) -> int:
        """How many dofs are estimated."""
        ...

    def n_parameters(self, n_components: int) -> int:
        """Free parameters, all components together."""
        ...

    def draw(self, rng: np.random.Generator, scale: Scale, labels: Ints) -> Floats:
        """One scale u for an object of each component named."""
        ...
