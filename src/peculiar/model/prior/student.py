"""Student and Gaussian: u is Gamma(dof/2, rate dof/2), or 1 where the dof is infinite."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.model.dofs import GREATEST_DOF, LEAST_DOF, START_DOF, solve_dofs
from peculiar.model.prior.base import Scale
from peculiar.model.stats import SufficientStats


class _Student(ABC):
    """What all the ways to get at dof share."""

    least_dof: ClassVar[float] = LEAST_DOF
    has_wild: ClassVar[bool] = False

    @abstractmethod
    def n_dofs(self, n_components: int) -> int:
        """How many dofs are estimated."""

    def without_wild(self) -> Self:
        """There is none."""
        return self

    def n_parameters(self, n_components: int) -> int:
        """Free parameters, all components together."""
        return self.n_dofs(n_components)

    def draw(self, rng: np.random.Generator, scale: Scale, labels: Ints) -> Floats:
        """One scale u for an object of each component named."""
        dofs = scale.dofs[labels]
        finite = np.where(np.isinf(dofs), 1.0, dofs)
        return np.where(np.isinf(dofs), 1.0, rng.gamma(0.5 * finite, 2.0 / finite))


@dataclass(frozen=True)
class EstimatedDofs(_Student):
    """A dof per component, estimated."""

    name: ClassVar[str] = "estimate"

    def start(self, n_components: int) -> Scale:
        """Moderately heavy tails."""
        return Scale(np.full(n_components, START_DOF))

    def update(self, stats: SufficientStats, old: Scale) -> Scale:
        """Solve for each component that has any weight."""
        n = stats.n_ordinary
        alive = n > 0
        excess = np.zeros(len(n))
        excess[alive] = stats.sum_excess[alive] / n[alive]
        return Scale(np.where(alive, _next_dofs(excess, old.dofs), old.dofs))

    def n_dofs(self, n_components: int) -> int:
        """One each."""
        return n_components


@dataclass(frozen=True)
class SharedDof(_Student):
    """One dof for all components, estimated."""

    name: ClassVar[str] = "shared"

    def start(self, n_components: int) -> Scale:
        """Moderately heavy tails."""
        return Scale(np.full(n_components, START_DOF))

    def update(self, stats: SufficientStats, old: Scale) -> Scale:
        """Solve with the sums of all components."""
        excess = stats.sum_excess.sum() / stats.n_ordinary.sum()
        return Scale(_next_dofs(np.full(len(old.dofs), excess), old.dofs))

    def n_dofs(self, n_components: int) -> int:
        """One."""
        return 1


@dataclass(frozen=True)
class FixedDofs(_Student):
    """Dofs that are known: one number, or one for each component."""

    dofs: tuple[float, ...]
    name: ClassVar[str] = "fixed"

    def start(self, n_components: int) -> Scale:
        """The known values."""
        return Scale(np.broadcast_to(np.array(self.dofs), n_components).astype(float))

    def update(self, stats: SufficientStats, old: Scale) -> Scale:
        """Nothing to learn."""
        return Scale(old.dofs)

    def n_dofs(self, n_components: int) -> int:
        """None."""
        return 0


def _next_dofs(excess: Floats, old: Floats) -> Floats:
    """Roots, where a dof that is finite stays so: only rounding could make it infinite."""
    dofs = solve_dofs(excess)
    return np.where(np.isinf(dofs) & np.isfinite(old), GREATEST_DOF, dofs)
