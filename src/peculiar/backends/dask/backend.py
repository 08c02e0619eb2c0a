"""Rows in partitions of Dask: each partition is asked for its sums, and these are added in a tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from peculiar.arrays import Floats
from peculiar.backends.base import RowSum
from peculiar.backends.dask.cluster import compute
from peculiar.backends.dask.tasks import Delayed, in_tree, mapped, once
from peculiar.backends.memory import MemoryBackend
from peculiar.engines.base import Engine
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations


@dataclass(frozen=True)
class DaskBackend:
    """Rows in partitions, wherever Dask has them.

    Parameters travel as arguments, once for each pass; nothing is left with a worker that could be lost with it. Sums
    are added in the order of the partitions: they do not depend on the number of workers.

    Attributes
    ----------
    parts : dict of Delayed
        By the numbers of the partitions, in their order. Each gives the
        :class:`~peculiar.observations.Observations` of one of them, in the units of ``sample``.
    sample : Observations
        The rows that stand for all (:mod:`peculiar.backends.sample`).
    n_rows : int
        Number of rows that observe anything.
    n_threads : int
        Of each task.
    seed : int
    """

    parts: dict[int, Delayed]
    sample: Observations
    n_rows: int
    n_threads: int = 1
    seed: int = 0

    @property
    def total_weight(self) -> float:
        """Each row counts once."""
        return float(self.n_rows)

    def seeded(self, seed: int) -> DaskBackend:
        """The same with another seed."""
        return dataclasses.replace(self, seed=seed)

    def with_rows(self, obs: Observations) -> MemoryBackend:
        """Some rows, in memory."""
        return MemoryBackend(obs, self.n_threads, self.seed)

    def summarise(self, engine: Engine, params: MixtureParams) -> SufficientStats:
        """Expected sums over all rows."""
        sums: SufficientStats = self._add_up(_Sums(engine, params, self.n_threads, self.seed))
        return sums

    def add_up(self, engine: Engine, params: MixtureParams, what: RowSum) -> Floats:
        """Sums over all rows of something that is known of each."""
        sums: Floats = self._add_up(_Sums(engine, params, self.n_threads, self.seed, what))
        return sums

    def _add_up(self, sums: _Sums) -> Any:
        parts, wanted = list(self.parts.values()), once(sums, "parameters")
        each = mapped(_sums_of, "sums", parts, [wanted] * len(parts), numbers=self.parts)
        return compute(in_tree(each), parts, self.parts)


@dataclass(frozen=True)
class _Sums:
    """What is to be added up; a few kB."""

    engine: Engine
    params: MixtureParams
    n_threads: int
    seed: int
    what: Callable[..., Floats] | None = None


def _sums_of(obs: Observations, wanted: _Sums) -> Any:
    rows = MemoryBackend(obs, wanted.n_threads, wanted.seed)
    if wanted.what is None:
        return rows.summarise(wanted.engine, wanted.params)
    return rows.add_up(wanted.engine, wanted.params, wanted.what)
