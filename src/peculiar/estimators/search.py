"""From settings and rows to the best mixture: of a given number of components, or of any."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.engines.model import Model
from peculiar.estimators.progress import (
    IterationPrinter,
    LevelPrinter,
    amount_progress,
    pass_progress,
)
from peculiar.estimators.starts import GivenStart
from peculiar.fitting.loop import FitResult, Progress, choose_start, fit
from peculiar.fitting.select.choose import (
    Candidate,
    Table,
    by_bic,
    by_message_length,
)
from peculiar.fitting.select.criteria import Bic, Criterion, MessageLength
from peculiar.fitting.select.descend import LEAST_START
from peculiar.fitting.shrink import Tried, choose_shrinkage, has_plenty
from peculiar.fitting.start import most_components
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import AutoScatter
from peculiar.observations import Observations
from peculiar.settings import make_rng


class Found(NamedTuple):
    """What a search has found, and the tables it was chosen from; None where there was nothing to choose."""

    result: FitResult
    seed: int  # of engines that draw random numbers
    pseudo_rows: float
    selection: Table | None
    shrinkage: Tried | None


@dataclass(frozen=True)
class Search:
    """How parameters are looked for. The settings are those of :class:`~peculiar.RobustMixture`.

    Attributes
    ----------
    given : GivenStart
        Parameters to start from, as far as the user has given any.
    random_state : object
        As the user gave it.
    n_init, max_components, max_iter, n_threads, verbose : int
    tol : float
    accelerate : bool
    """

    given: GivenStart
    random_state: Any
    n_init: int
    max_components: int
    tol: float
    max_iter: int
    accelerate: bool
    n_threads: int
    verbose: int

    def fit(self, obs: Observations, model: Model, number: int | Criterion) -> Found:
        """The best mixture of so many components, or of any number."""
        if isinstance(number, int):
            progress = IterationPrinter.of(self.verbose)
            found, table = self._fit_number(obs, model, number, progress), None
        else:
            found, table = self._fit_any(obs, model, number)
        return self._shrink(found, model, table)

    def _fit_any(
        self, obs: Observations, model: Model, criterion: Criterion
    ) -> tuple[Candidate, Table]:
        """The best mixture of any number of components, and what each number costs."""
        most = most_components(obs, self.max_components)
        if isinstance(criterion, Bic):
            found, table = self._by_bic(obs, model, criterion, most)
        else:
            found, table = self._by_message_length(obs, model, criterion, most)
        return found._replace(result=found.result.without_dead()), table

    def _shrink(self, found: Candidate, model: Model, selection: Table | None) -> Found:
        """The same, with scatters shrunk towards a diagonal if that is wanted and the rows ask for it."""
        (result, backend), scatter = found, model.scatter
        as_it_is = Found(result, backend.seed, 0.0, selection, None)
        if not isinstance(scatter, AutoScatter):
            return as_it_is
        if scatter.pseudo_rows is None and has_plenty(result.params, backend.obs.weights.sum()):
            return as_it_is
        choice = choose_shrinkage(
            backend, model, result.params, scatter.pseudo_rows, amount_progress()
        )
        if choice.scatter.prior_rows:
            shrunk = dataclasses.replace(model, scatter=choice.scatter)
            progress = IterationPrinter.of(self.verbose)
            result = self._climb(backend, shrunk, choice.start, progress).result
        tried = choice.tried if len(choice.tried) else None
        return Found(result, backend.seed, choice.scatter.prior_rows, selection, tried)

    def _by_bic(
        self, obs: Observations, model: Model, criterion: Bic, most: int
    ) -> tuple[Candidate, Table]:
        listener = IterationPrinter.of(0)  # if there is any; in print it would be too much
        candidates = (self._fit_number(obs, model, k + 1, listener) for k in range(most))
        return by_bic(candidates, model, LevelPrinter.of(self.verbose, criterion.column))

    def _by_message_length(
        self, obs: Observations, model: Model, criterion: MessageLength, most: int
    ) -> tuple[Candidate, Table]:
        rng = make_rng(self.random_state)
        n_start = most_components(obs, max(LEAST_START, most)) if most > 1 else 1
        starts = [self.given.broad(obs, model, n_start, rng) for _ in range(self.n_init)]
        backend = self._backend(obs, rng)
        progress = LevelPrinter.of(self.verbose, criterion.column)
        params, table = by_message_length(
            backend, model, starts, most, criterion, progress, pass_progress()
        )
        return self._climb(backend, model, params, IterationPrinter.of(self.verbose)), table

    def _fit_number(
        self, obs: Observations, model: Model, n_components: int, progress: Progress | None
    ) -> Candidate:
        rng = make_rng(self.random_state)
        starts = [self.given.start(obs, model, n_components, rng) for _ in range(self.n_init)]
        backend = self._backend(obs, rng)
        return self._climb(backend, model, choose_start(backend, model, starts), progress)

    def _backend(self, obs: Observations, rng: np.random.Generator) -> MemoryBackend:
        return MemoryBackend(obs, self.n_threads, seed=int(rng.integers(2**31)))

    def _climb(
        self,
        backend: MemoryBackend,
        model: Model,
        start: MixtureParams,
        progress: Progress | None,
    ) -> Candidate:
        """EM from one start."""
        result = fit(
            backend,
            model,
            start,
            tol=self.tol,
            max_iter=self.max_iter,
            accelerate=self.accelerate,
            progress=progress,
        )
        return Candidate(result, backend)
