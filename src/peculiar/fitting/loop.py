"""The EM loop: expect, add, maximise, accelerate, stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from peculiar.backends import Backend
from peculiar.engines.model import Model
from peculiar.errors import PeculiarError
from peculiar.fitting.accelerate import Extrapolation, Memory
from peculiar.fitting.journal import FORGETFUL, Journal
from peculiar.fitting.stopping import gain_to_come, is_lost_in_noise
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams, take
from peculiar.model.scatter.base import eigenvalue_floor
from peculiar.model.stats import SufficientStats

BRIEF = 10
"""Iterations that each of several starts is given before the best goes on."""

ROUNDING = 1e-10
"""Relative fall of the bound that is let pass. A larger one is not taken: a scatter at its floor has few digits."""

LARGEST_ROUNDING = 1e-5
"""A fall beyond this is more than rounding, and the fit has not converged."""

Progress = Callable[[int, float, float], None]
"""Called with the iteration, the mean bound, and its change."""


@dataclass(frozen=True)
class FitResult:
    """Parameters found, and how.

    Attributes
    ----------
    params : MixtureParams
        The best met.
    bounds : tuple of float
        Mean bound per row after each iteration; with the preference of the scatter structure, if it has one.
    converged : bool
    to_come : float
        What is estimated to be still to gain.
    n_evaluations : int
        Passes over the data: one for the start, one for each iteration, and one for each step that was taken back.
    """

    params: MixtureParams
    bounds: tuple[float, ...]
    converged: bool
    to_come: float
    n_evaluations: int

    @property
    def bound(self) -> float:
        """Mean bound per row of the parameters."""
        return max(self.bounds, default=-math.inf)

    def without_dead(self) -> FitResult:
        """The same, without components of weight 0."""
        alive = np.isfinite(self.params.log_weights)
        return self if alive.all() else replace(self, params=take(self.params, alive))

    @property
    def collapsed(self) -> list[int]:
        """Components held at the floor in some direction."""
        values = np.asarray(np.linalg.eigvalsh(self.params.scatters), dtype=np.float64)
        return [int(k) for k in np.flatnonzero(values[:, 0] < 1.01 * eigenvalue_floor(values))]


@dataclass(frozen=True)
class State:
    """Where EM is: all that its next iterations depend on.

    Attributes
    ----------
    params : MixtureParams
    stats : SufficientStats
        The sums at these parameters.
    best : MixtureParams
        The best met.
    memory : Memory or None
        What was learnt for longer steps; None if none are made.
    bounds : tuple of float
        As in :class:`FitResult`, like all that follows.
    to_come : float
    converged : bool
    n_evaluations : int
    is_over : bool
        Whether there is no next iteration.
    """

    params: MixtureParams
    stats: SufficientStats
    best: MixtureParams
    memory: Memory | None = None
    bounds: tuple[float, ...] = ()
    to_come: float = math.inf
    converged: bool = False
    n_evaluations: int = 1
    is_over: bool = False


@dataclass(frozen=True)
class Climb:
    """EM from one start, from state to state.

    Attributes
    ----------
    backend : Backend
    model : Model
    start : MixtureParams
    tol : float
    max_iter : int
    accelerate : bool
    progress : callable or None
    """

    backend: Backend
    model: Model
    start: MixtureParams
    tol: float
    max_iter: int
    accelerate: bool = False
    progress: Progress | None = None

    def begin(self) -> State:
        """The start, and the sums there."""
        use_longer = self.accelerate and not self.model.engine.is_random  # else of noise
        memory = Memory() if use_longer else None
        return State(self.start, self._evaluate(self.start), self.start, memory)

    def advance(self, state: State) -> State:
        """One iteration."""
        tried = self._step(state)
        bound, change = tried.stats.mean_bound, tried.stats.mean_bound - state.stats.mean_bound
        is_random = self.model.engine.is_random
        if state.bounds and not is_random and change < -ROUNDING * max(abs(bound), 1.0):
            # No step leads further up: what is left is rounding.
            converged = change > -LARGEST_ROUNDING
            n = tried.n_evaluations
            return replace(state, n_evaluations=n, converged=converged, is_over=True)
        iteration = len(state.bounds) + 1
        if not math.isfinite(bound):
            raise PeculiarError(
                f"the objective became {bound} in iteration {iteration}; please report this, with the data"
            )
        if self.progress is not None:
            self.progress(iteration, bound, change)
        bounds = (*state.bounds, bound)
        to_come = gain_to_come(bounds, tried.memory.expected_gain if tried.memory else 0.0)
        converged = to_come < self.tol or (is_random and is_lost_in_noise(bounds))
        return replace(
            tried,
            best=tried.params if bound >= max(state.bounds, default=-math.inf) else state.best,
            bounds=bounds,
            to_come=to_come,
            converged=converged,
            is_over=converged or iteration >= self.max_iter,
        )

    def result(self, state: State) -> FitResult:
        """What the last state says."""
        return FitResult(
            state.best, state.bounds, state.converged, state.to_come, state.n_evaluations
        )

    def _step(self, state: State) -> State:
        """The state with other parameters: those of a longer step, or of the plain one if that one leads down."""
        model, memory = self.model, state.memory
        plain = maximise(state.stats, state.params, model.scatter, model.prior)
        trial, n_evaluations = plain, state.n_evaluations + 1
        if memory is not None:
            longer = Extrapolation(model.scatter, model.prior)
            trial, memory = longer.propose(memory, state.params, state.stats, plain)
        reached = self._evaluate(trial)
        if memory is not None and trial is not plain:
            is_kept = reached.mean_bound >= state.stats.mean_bound
            memory = memory.after(is_kept=is_kept)
            if not is_kept:
                trial, reached, n_evaluations = plain, self._evaluate(plain), n_evaluations + 1
        return replace(
            state, params=trial, stats=reached, memory=memory, n_evaluations=n_evaluations
        )

    def _evaluate(self, params: MixtureParams) -> SufficientStats:
        """The sums at some parameters: an E-step. The bound has the preference for some scatters in it."""
        stats = self.backend.summarise(self.model.engine, params)
        return replace(stats, bound=stats.bound + self.model.scatter.log_prior(params.scatters))


def fit(
    backend: Backend,
    model: Model,
    start: MixtureParams,
    *,
    tol: float,
    max_iter: int,
    accelerate: bool = False,
    progress: Progress | None = None,
    journal: Journal = FORGETFUL,
) -> FitResult:
    """Run EM from one start until less than ``tol`` per row is to come, or for ``max_iter`` iterations.

    An accelerated step that would lower the bound is taken back, and the plain one made instead; if even that would
    lower it, EM stops before. With a random engine no step is accelerated, and EM also stops when the bound has not
    risen for a while.
    """
    return journal.run(Climb(backend, model, start, tol, max_iter, accelerate, progress))


def choose_start(
    backend: Backend, model: Model, starts: list[MixtureParams], journal: Journal = FORGETFUL
) -> MixtureParams:
    """Run each start briefly; the parameters of the best."""
    if len(starts) == 1:
        return starts[0]
    results = [
        fit(backend, model, start, tol=0.0, max_iter=BRIEF, journal=journal) for start in starts
    ]
    return max(results, key=lambda result: result.bound).params
