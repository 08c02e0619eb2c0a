"""The law of the scale u of a component, Gamma(dof/2, rate dof/2), and how its dof is estimated.

    log(dof/2) + 1 - digamma(dof/2) + (sum q E[log u] - sum q E[u]) / sum q = 0

The left side falls in dof from infinity to the (negative) surplus; there is no root only when u is 1 throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import polygamma

from peculiar.kernels.structs import Floats
from peculiar.model.stats import SufficientStats

LEAST_DOF, GREATEST_DOF = 0.1, 1e6
"""Range of an estimated dof. Beyond 1e6 a t cannot be told from a Gaussian."""

START_DOF = 10.0


class ScalePrior(Protocol):
    """The law of u: which parameters it has, and what the sums say about them.

    A new law (say, one with a wild tail) also brings a rule for the engine's kernel that understands it.
    """

    name: ClassVar[str]

    def start(self, n_components: int) -> Floats:
        """Dofs to begin with."""
        ...

    def update(self, stats: SufficientStats, old: Floats) -> Floats:
        """Dofs that best explain the expected sums."""
        ...

    def n_parameters(self, n_components: int) -> int:
        """Free parameters, all components together."""
        ...

    def draw(self, rng: np.random.Generator, dofs: Floats) -> Floats:
        """One scale u for each dof given."""
        ...


class _GammaScale:
    """u is Gamma(dof/2, dof/2): what all the ways to get at dof share."""

    def draw(self, rng: np.random.Generator, dofs: Floats) -> Floats:
        """One scale u for each dof given."""
        finite = np.where(np.isinf(dofs), 1.0, dofs)
        return np.where(np.isinf(dofs), 1.0, rng.gamma(0.5 * finite, 2.0 / finite))


@dataclass(frozen=True)
class EstimatedDofs(_GammaScale):
    """A dof per component, estimated."""

    name: ClassVar[str] = "estimate"

    def start(self, n_components: int) -> Floats:
        """Moderately heavy tails."""
        return np.full(n_components, START_DOF)

    def update(self, stats: SufficientStats, old: Floats) -> Floats:
        """Solve for each component that has any weight."""
        alive = stats.n > 0
        excess = np.zeros(len(old))
        excess[alive] = (stats.sum_u - stats.sum_log_u)[alive] / stats.n[alive] - 1.0
        return np.where(alive, _next_dofs(excess, old), old)

    def n_parameters(self, n_components: int) -> int:
        """One each."""
        return n_components


@dataclass(frozen=True)
class SharedDof(_GammaScale):
    """One dof for all components, estimated."""

    name: ClassVar[str] = "shared"

    def start(self, n_components: int) -> Floats:
        """Moderately heavy tails."""
        return np.full(n_components, START_DOF)

    def update(self, stats: SufficientStats, old: Floats) -> Floats:
        """Solve with the sums of all components."""
        excess = (stats.sum_u - stats.sum_log_u).sum() / stats.n.sum() - 1.0
        return _next_dofs(np.full(len(old), excess), old)

    def n_parameters(self, n_components: int) -> int:
        """One."""
        return 1


@dataclass(frozen=True)
class FixedDofs(_GammaScale):
    """Dofs that are known: one number, or one for each component."""

    dofs: tuple[float, ...]
    name: ClassVar[str] = "fixed"

    def start(self, n_components: int) -> Floats:
        """The known values."""
        return np.broadcast_to(np.array(self.dofs), n_components).astype(float)

    def update(self, stats: SufficientStats, old: Floats) -> Floats:
        """Nothing to learn."""
        return old

    def n_parameters(self, n_components: int) -> int:
        """None."""
        return 0


def _next_dofs(excess: Floats, old: Floats) -> Floats:
    """Roots, where a dof that is finite stays so: only rounding could make it infinite."""
    dofs = solve_dofs(excess)
    return np.where(np.isinf(dofs) & np.isfinite(old), GREATEST_DOF, dofs)


def solve_dofs(excess: Floats) -> Floats:
    """Roots of log(dof/2) - digamma(dof/2) = excess, held in the allowed range; inf where excess <= 0.

    Parameters
    ----------
    excess : ndarray
        Mean of E[u] - E[log u] - 1, which is not negative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.special import digamma
    >>> float(solve_dofs(np.array([np.log(2.5) - digamma(2.5)]))[0])
    5.0
    """
    least, greatest = 0.5 * LEAST_DOF, 0.5 * GREATEST_DOF
    wanted = np.clip(excess, log_minus_digamma(greatest), log_minus_digamma(least))
    # log x - digamma(x) is close to 1 / (2 x) + 1 / (12 x^2)
    x = (1.0 + np.sqrt(1.0 + 4.0 * wanted / 3.0)) / (4.0 * wanted)
    for _ in range(20):
        reached = log_minus_digamma(x)
        slope = 1.0 - x * polygamma(1, x)  # negative
        # Newton in logarithms: between 1 / (2 x) and 1 / x the curve is almost a straight line there
        step = np.log(wanted / reached) * reached / slope
        x = np.clip(x * np.exp(step), least, greatest)
        if np.all(np.abs(step) < 1e-7):  # the next would be its square
            break
    return np.where(excess > 0.0, 2.0 * x, np.inf)


def log_minus_digamma(x: ArrayLike) -> Floats:
    """log(x) - digamma(x), about 1 / (2 x) for large x, where the two logarithms would cancel.

    By the asymptotic series from 12 on, and from there downwards by digamma(x + 1) = digamma(x) + 1 / x.

    Parameters
    ----------
    x : array-like
        Positive.

    Returns
    -------
    ndarray
    """
    small = np.asarray(x, dtype=np.float64)
    n_up = np.maximum(np.ceil(12.0 - small), 0.0)
    steps = np.arange(12.0)
    shift = np.where(steps < n_up[..., None], 1.0 / (small[..., None] + steps), 0.0).sum(axis=-1)
    large = small + n_up
    r = 1.0 / np.square(large)
    series = r * (
        1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760))))
    )
    result: Floats = 0.5 / large + series + shift - np.log1p(n_up / small)
    return result
