"""Rows that do not fit into memory: they come in parts, and are read again for every pass."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from peculiar.arrays import Floats
from peculiar.backends.ahead import read_ahead
from peculiar.backends.base import RowSum
from peculiar.backends.memory import MemoryBackend
from peculiar.engines.base import Engine
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations

Result = TypeVar("Result")


@dataclass(frozen=True)
class PartsBackend:
    """Rows somewhere else, of which some are here at a time.

    Sums are added part by part, in the order of the table: they depend neither on the number of threads nor, but for
    rounding, on how the table is cut.

    Attributes
    ----------
    parts : callable
        Returns an iterator over all rows, from the first to the last; all are in the units of ``sample``.
    sample : Observations
        The rows that stand for all (:mod:`peculiar.backends.sample`).
    n_rows : int
        Number of rows that observe anything.
    n_threads : int
    seed : int
    """

    parts: Callable[[], Iterator[Observations]]
    sample: Observations
    n_rows: int
    n_threads: int = 1
    seed: int = 0

    @property
    def total_weight(self) -> float:
        """Each row counts once."""
        return float(self.n_rows)

    def seeded(self, seed: int) -> PartsBackend:
        """The same with another seed."""
        return dataclasses.replace(self, seed=seed)

    def with_rows(self, obs: Observations) -> MemoryBackend:
        """Some rows, in memory."""
        return MemoryBackend(obs, self.n_threads, self.seed)

    def summarise(self, engine: Engine, params: MixtureParams) -> SufficientStats:
        """Expected sums over all rows."""
        return functools.reduce(
            operator.add, self._map(lambda part: part.summarise(engine, params))
        )

    def add_up(self, engine: Engine, params: MixtureParams, what: RowSum) -> Floats:
        """Sums over all rows of something that is known of each."""
        return functools.reduce(
            operator.add, self._map(lambda part: part.add_up(engine, params, what))
        )

    def _map(self, work: Callable[[MemoryBackend], Result]) -> Iterator[Result]:
        for obs in read_ahead(self.parts):
            yield work(self.with_rows(obs))
