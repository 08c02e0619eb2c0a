"""The EM loop: expect, add, maximise, accelerate, stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from peculiar.backends import Backend
from peculiar.engines.model import Model
from peculiar.errors import PeculiarError
from peculiar.fitting.accelerate import Extrapolation
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


def fit(
    backend: Backend,
    model: Model,
    start: MixtureParams,
    *,
    tol: float,
    max_iter: int,
    accelerate: bool = False,
    progress: Progress | None = None,
) -> FitResult:
    """Run EM from one start until less than ``tol`` per row is to come, or for ``max_iter`` iterations.

    An accelerated step that would lower the bound is taken back, and the plain one made instead; if even that would
    lower it, EM stops before. With a random engine no step is accelerated, and EM also stops when the bound has not
    risen for a while.
    """
    evaluate = _Evaluation(backend, model)
    is_random = model.engine.is_random  # then extrapolation would be of noise
    use_longer = accelerate and not is_random
    extrapolation = Extrapolation(model.scatter, model.prior) if use_longer else None
    params, stats = start, evaluate(start)
    bounds: list[float] = []
    best, best_bound, to_come, converged = start, -math.inf, math.inf, False
    for iteration in range(1, max_iter + 1):
        plain = maximise(stats, params, model.scatter, model.prior)
        trial = extrapolation.propose(params, stats, plain) if extrapolation else plain
        reached = evaluate(trial)
        if trial is not plain and not reached.mean_bound >= stats.mean_bound:
            trial, reached = plain, evaluate(plain)
        bound, change = reached.mean_bound, reached.mean_bound - stats.mean_bound
        if bounds and not is_random and change < -ROUNDING * max(abs(bound), 1.0):
            # No step leads further up: what is left is rounding.
            converged = change > -LARGEST_ROUNDING
            break
        if not math.isfinite(bound):
            raise PeculiarError(
                f"the objective became {bound} in iteration {iteration}; please report this, with the data"
            )
        params, stats = trial, reached
        bounds.append(bound)
        if bound >= best_bound:
            best, best_bound = params, bound
        if progress is not None:
            progress(iteration, bound, change)
        to_come = gain_to_come(bounds, extrapolation.expected_gain if extrapolation else 0.0)
        converged = to_come < tol or (is_random and is_lost_in_noise(bounds))
        if converged:
            break
    return FitResult(best, tuple(bounds), converged, to_come, evaluate.count)


class _Evaluation:
    """The sums at some parameters: an E-step, counted. The bound has the preference for some scatters in it."""

    def __init__(self, backend: Backend, model: Model) -> None:
        self.backend, self.model, self.count = backend, model, 0

    def __call__(self, params: MixtureParams) -> SufficientStats:
        self.count += 1
        stats = self.backend.summarise(self.model.engine, params)
        return replace(stats, bound=stats.bound + self.model.scatter.log_prior(params.scatters))


def choose_start(backend: Backend, model: Model, starts: list[MixtureParams]) -> MixtureParams:
    """Run each start briefly; the parameters of the best."""
    if len(starts) == 1:
        return starts[0]
    results = [fit(backend, model, start, tol=0.0, max_iter=BRIEF) for start in starts]
    return max(results, key=lambda result: result.bound).params
