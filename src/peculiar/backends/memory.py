"""Rows in memory, batches in threads.

Batches have a fixed size and their sums are added in order, so that results do not depend on the number of threads.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from peculiar.arrays import Floats
from peculiar.backends.base import RowSum
from peculiar.backends.sample import sample_rows
from peculiar.backends.threads import in_threads
from peculiar.engines.base import Engine, RowMoments
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations

BLOCKS_PER_BATCH = 64
"""Enough for a thread. Where random numbers are drawn for each row, one block is."""

Result = TypeVar("Result")


class MemoryBackend:
    """All rows in this process.

    Parameters
    ----------
    obs : Observations
    n_threads : int, default=1
    seed : int, default=0
        For engines that draw random numbers: every pass over the rows draws the same.
    """

    def __init__(self, obs: Observations, n_threads: int = 1, seed: int = 0) -> None:
        self.obs = obs
        self.n_threads = n_threads
        self.seed = seed

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.obs.n_rows

    @property
    def total_weight(self) -> float:
        """Sum of the weights of the rows."""
        return float(self.obs.weights.sum())

    @cached_property
    def sample(self) -> Observations:
        """The rows that stand for all in what is decided before a fit."""
        rows = sample_rows(self.obs.values)
        return self.obs if len(rows) == self.n_rows else self.obs.take(rows)

    def seeded(self, seed: int) -> MemoryBackend:
        """The same with another seed."""
        return MemoryBackend(self.obs, self.n_threads, seed)

    def with_rows(self, obs: Observations) -> MemoryBackend:
        """The same with other rows."""
        return MemoryBackend(obs, self.n_threads, self.seed)

    def summarise(self, engine: Engine, params: MixtureParams) -> SufficientStats:
        """Expected sums over all rows."""
        return functools.reduce(
            operator.add,
            self._map(engine, lambda batch: engine.summarise(batch, params, self.seed)),
        )

    def add_up(self, engine: Engine, params: MixtureParams, what: RowSum) -> Floats:
        """Sums over all rows of something that is known of each."""
        return what(self.describe(engine, params), self.obs.weights)

    def describe(
        self, engine: Engine, params: MixtureParams, *, latent: bool = False
    ) -> RowMoments:
        """What is known of each row, in the order of the table."""
        out = RowMoments.empty(self.obs, params.n_components, latent=latent)
        self._map(engine, lambda batch: engine.describe(batch, params, out, self.seed))
        return out

    def _map(self, engine: Engine, work: Callable[[Observations], Result]) -> list[Result]:
        """Do the work on every batch; results come in the order of the batches."""
        return in_threads(work, self._blocks if engine.is_random else self._batches, self.n_threads)

    @cached_property
    def _batches(self) -> list[Observations]:
        return self.obs.batches(BLOCKS_PER_BATCH)

    @cached_property
    def _blocks(self) -> list[Observations]:
        return self.obs.batches(1)
