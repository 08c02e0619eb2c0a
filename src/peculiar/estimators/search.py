"""From settings and rows to the best mixture: of a given number of components, or of any."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.backends import Backend, MemoryBackend
from peculiar.engines.model import Model
from peculiar.errors import NotShrunkWarning
from peculiar.estimators.progress import (
    IterationPrinter,
    LevelPrinter,
    amount_progress,
    pass_progress,
)
from peculiar.estimators.starts import GivenStart
from peculiar.fitting.journal import FORGETFUL, Journal
from peculiar.fitting.loop import FitResult, Progress, choose_start, fit
from peculiar.fitting.select.choose import (
    Candidate,
    Table,
    by_bic,
    by_message_length,
)
from peculiar.fitting.select.criteria import Bic, Criterion, MessageLength, ParameterCount
from peculiar.fitting.select.descend import LEAST_START, ways_down
from peculiar.fitting.shrink import Tried, choose_shrinkage, has_plenty
from peculiar.fitting.small_groups import add_small_groups
from peculiar.fitting.start import most_components
from peculiar.model.params import MixtureParams, from_scaled
from peculiar.model.scatter import AutoScatter, FullScatter, Scatter
from peculiar.population import Population
from peculiar.population.company import company
from peculiar.population.groups import RARITY, judge_components
from peculiar.settings import make_rng
from peculiar.warn import warn_caller

NOT_TRIED = (
    "a component has few rows for each parameter of its scatter. With all rows in memory scatter='auto' would try how "
    "far to shrink it; here scatters are left as they are. Give scatter='full' or 'diag', or fewer components"
)


class Found(NamedTuple):
    """What a search has found, and the tables it was chosen from; None where there was nothing to choose."""

    result: FitResult
    seed: int  # of engines that draw random numbers
    pseudo_rows: float
    selection: Table | None
    shrinkage: Tried | None


class Shrinkage(NamedTuple):
    """The structure of the scatters that a fit ended with, and what was tried to find it, if anything was."""

    scatter: Scatter
    tried: Tried | None


def are_strange(params: MixtureParams, model: Model, backend: Backend) -> NDArray[np.bool_]:
    """Which components, in scaled units, are strange groups by the usual rarity, (K,)."""
    obs, shares = backend.sample, np.exp(params.log_weights)
    population = Population(from_scaled(params, obs.scaling), model, backend.seed, 1)
    strange: NDArray[np.bool_] = ~judge_components(company(population, obs), shares, RARITY)[1]
    return strange


@dataclass(frozen=True)
class Search:
    """How parameters are looked for. The settings are those of :class:`~peculiar.RobustMixture`.

    Attributes
    ----------
    given : GivenStart
        Parameters to start from, as far as the user has given any.
    random_state : object
        As the user gave it.
    n_init, max_components, max_iter, verbose : int
    tol : float
    accelerate : bool
    journal : Journal
        What has been done of the search already.
    """

    given: GivenStart
    random_state: Any
    n_init: int
    max_components: int
    tol: float
    max_iter: int
    accelerate: bool
    verbose: int
    journal: Journal = FORGETFUL

    def fit(self, rows: Backend, model: Model, number: int | Criterion) -> Found:
        """The best mixture of so many components, or of any number."""
        if isinstance(number, int):
            progress = IterationPrinter.of(self.verbose)
            found, table = self._fit_number(rows, model, number, progress), None
        else:
            found, table = self._fit_any(rows, model, number)
        found, shrinkage = self._shrink(found, model)
        if isinstance(number, MessageLength) and isinstance(model.scatter, AutoScatter):
            found = self._add_groups(found, model, shrinkage.scatter, number)
        result, backend = found
        return Found(result, backend.seed, shrinkage.scatter.prior_rows, table, shrinkage.tried)

    def _fit_any(
        self, rows: Backend, model: Model, criterion: Criterion
    ) -> tuple[Candidate, Table]:
        """The best mixture of any number of components, and what each number costs."""
        most = most_components(rows.sample, self.max_components)
        if isinstance(criterion, Bic):
            found, table = self._by_bic(rows, model, criterion, most)
        else:
            found, table = self._by_message_length(rows, model, criterion, most)
        return found._replace(result=found.result.without_dead()), table

    def _shrink(self, found: Candidate, model: Model) -> tuple[Candidate, Shrinkage]:
        """The same, with scatters shrunk towards a diagonal if that is wanted and the rows ask for it."""
        (result, backend), scatter = found, model.scatter
        if not isinstance(scatter, AutoScatter):
            return found, Shrinkage(scatter, None)
        if scatter.pseudo_rows is None:
            if has_plenty(result.params, backend.total_weight):
                return found, Shrinkage(FullScatter(), None)
            if not isinstance(backend, MemoryBackend):
                warn_caller(NOT_TRIED, NotShrunkWarning)
                return found, Shrinkage(FullScatter(), None)
        choice = choose_shrinkage(
            backend, model, result.params, scatter.pseudo_rows, amount_progress(), self.journal
        )
        if choice.scatter.prior_rows:
            shrunk = dataclasses.replace(model, scatter=choice.scatter)
            progress = IterationPrinter.of(self.verbose)
            found = self._climb(backend, shrunk, choice.start, progress)
        return found, Shrinkage(choice.scatter, choice.tried if len(choice.tried) else None)

    def _add_groups(
        self, found: Candidate, model: Model, scatter: Scatter, message: MessageLength
    ) -> Candidate:
        """The same, with groups that are too small for a scatter of their own."""
        result, backend = found
        alone = dataclasses.replace(model, scatter=scatter)
        grown = add_small_groups(backend, alone, result.params, message)
        progress = IterationPrinter.of(self.verbose)
        while grown.n_groups:
            strange = are_strange(grown.params, alone, backend)
            if strange[-grown.n_groups :].all() and grown.is_settled:
                return found
            grown = grown.only(strange)
            if grown.n_groups:
                with_groups = dataclasses.replace(model, scatter=grown.scatter)
                found = self._climb(backend, with_groups, grown.params, progress)
                grown = grown._replace(params=found.result.params, is_settled=True)
        return Candidate(result, backend)

    def _by_bic(
        self, rows: Backend, model: Model, criterion: Bic, most: int
    ) -> tuple[Candidate, Table]:
        listener = IterationPrinter.of(0)  # if there is any; in print it would be too much
        candidates = (self._fit_number(rows, model, k + 1, listener) for k in range(most))
        progress = LevelPrinter.of(self.verbose, criterion.column)
        return by_bic(candidates, model, progress, self.journal)

    def _by_message_length(
        self, rows: Backend, model: Model, criterion: MessageLength, most: int
    ) -> tuple[Candidate, Table]:
        rng = make_rng(self.random_state)
        n_start = most_components(rows.sample, max(LEAST_START, most)) if most > 1 else 1
        count = ParameterCount.of(model, rows.sample.n_features)
        n_ways = max(self.n_init, ways_down(rows.total_weight, count))
        starts = [self.given.broad(rows.sample, model, n_start, rng) for _ in range(n_ways)]
        backend = rows.seeded(int(rng.integers(2**31)))
        progress = LevelPrinter.of(self.verbose, criterion.column)
        params, table = by_message_length(
            backend, model, starts, most, criterion, progress, pass_progress(), self.journal
        )
        return self._climb(backend, model, params, IterationPrinter.of(self.verbose)), table

    def _fit_number(
        self, rows: Backend, model: Model, n_components: int, progress: Progress | None
    ) -> Candidate:
        rng, some = make_rng(self.random_state), rows.sample
        starts = [self.given.start(some, model, n_components, rng) for _ in range(self.n_init)]
        backend = rows.seeded(int(rng.integers(2**31)))
        start = choose_start(backend, model, starts, self.journal)
        return self._climb(backend, model, start, progress)

    def _climb(
        self,
        backend: Backend,
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
            journal=self.journal,
        )
        return Candidate(result, backend)
