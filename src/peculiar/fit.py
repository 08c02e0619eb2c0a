"""The EM loop: expect, add, maximise, stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from peculiar.backends import Backend
from peculiar.engines import Engine
from peculiar.errors import PeculiarError
from peculiar.model.dofs import ScalePrior
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import Scatter
from peculiar.model.scatter.base import eigenvalue_floor

BRIEF = 10
"""Iterations that each of several starts is given before the best goes on."""

Progress = Callable[[int, float, float], None]
"""Called with the iteration, the mean bound, and its change."""


@dataclass(frozen=True)
class Model:
    """What is fitted, apart from the parameters: one choice on each axis."""

    engine: Engine
    scatter: Scatter
    prior: ScalePrior


@dataclass(frozen=True)
class FitResult:
    """Parameters found, and how.

    Attributes
    ----------
    params : MixtureParams
        The best met.
    bounds : tuple of float
        Mean bound per row after each iteration.
    converged : bool
    """

    params: MixtureParams
    bounds: tuple[float, ...]
    converged: bool

    @property
    def bound(self) -> float:
        """Mean bound per row of the parameters."""
        return max(self.bounds, default=-math.inf)

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
    progress: Progress | None = None,
) -> FitResult:
    """Run EM from one start until the mean bound changes by less than ``tol``, or for ``max_iter`` iterations."""
    params = best = start
    stats = backend.summarise(model.engine, params)
    bound, best_bound = stats.mean_bound, -math.inf
    bounds: list[float] = []
    converged = False
    for iteration in range(1, max_iter + 1):
        params = maximise(stats, params, model.scatter, model.prior)
        stats = backend.summarise(model.engine, params)
        change, bound = stats.mean_bound - bound, stats.mean_bound
        if not math.isfinite(bound):
            raise PeculiarError(
                f"the objective became {bound} in iteration {iteration}; please report this, with the data"
            )
        bounds.append(bound)
        if bound >= best_bound:
            best, best_bound = params, bound
        if progress is not None:
            progress(iteration, bound, change)
        if abs(change) < tol:
            converged = True
            break
    return FitResult(best, tuple(bounds), converged)


def choose_start(backend: Backend, model: Model, starts: list[MixtureParams]) -> MixtureParams:
    """Run each start briefly; the parameters of the best."""
    if len(starts) == 1:
        return starts[0]
    results = [fit(backend, model, start, tol=0.0, max_iter=BRIEF) for start in starts]
    return max(results, key=lambda result: result.bound).params
