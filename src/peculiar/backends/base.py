"""What a backend has to answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self

from peculiar.arrays import Floats
from peculiar.engines.base import Engine, RowMoments
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations

if TYPE_CHECKING:
    from peculiar.backends.memory import MemoryBackend

RowSum = Callable[[RowMoments, Floats], Floats]
"""From what is known of some rows, and their weights, to sums over these rows."""


class Backend(Protocol):
    """Rows, somewhere: calls the engine on batches of them and adds what it returns.

    An implementation may hold the rows, read them in parts, or ask other machines; what is asked of it is a sum over
    rows, with the parameters as arguments. Sums are added in a fixed order.
    """

    @property
    def sample(self) -> Observations:
        """The rows that stand for all in what is decided before a fit (:mod:`peculiar.backends.sample`)."""
        ...

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    @property
    def total_weight(self) -> float:
        """Sum of the weights of the rows."""
        ...

    @property
    def seed(self) -> int:
        """For engines that draw random numbers: every pass over the rows draws the same."""
        ...

    def seeded(self, seed: int) -> Self:
        """The same with another seed."""
        ...

    def with_rows(self, obs: Observations) -> MemoryBackend:
        """Some rows of it, or others, in memory."""
        ...

    def summarise(self, engine: Engine, params: MixtureParams) -> SufficientStats:
        """Expected sums over all rows."""
        ...

    def add_up(self, engine: Engine, params: MixtureParams, what: RowSum) -> Floats:
        """Sums over all rows of something that is known of each."""
        ...
