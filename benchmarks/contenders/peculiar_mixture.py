"""`peculiar`, through its public interface only."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.problems import Mixture, Problem
from peculiar import RobustMixture


def fit_exact(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    """Student-t's with errors, the scale integrated numerically."""
    return _fit(problem, iterations, engine="exact", **settings)


def fit_structured(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    """Student-t's with errors, by the variational engine."""
    return _fit(problem, iterations, engine="structured", **settings)


def fit_xd(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    """Gaussians with errors: extreme deconvolution."""
    return _fit(problem, iterations, dof=np.inf, **settings)


def fit_t(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    """Student-t's; the values are taken as exact."""
    return _fit(_without_errors(problem), iterations, **settings)


def fit_gmm(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    """Gaussians; the values are taken as exact."""
    return _fit(_without_errors(problem), iterations, dof=np.inf, **settings)


def score_exact(problem: Problem, iterations: int) -> Mixture:
    """Score all rows so many times, with the exact engine."""
    return _score(problem, iterations, "exact")


def score_structured(problem: Problem, iterations: int) -> Mixture:
    """Score all rows so many times, with the structured engine."""
    return _score(problem, iterations, "structured")


def _fit(problem: Problem, iterations: int, **settings: Any) -> Mixture:
    start = problem.start
    if "dof" not in settings:
        settings["dofs_init"] = start.dofs
    model = RobustMixture(
        len(start.weights),
        weights_init=start.weights,
        locations_init=start.locations,
        scatters_init=start.scatters,
        tol=0,
        max_iter=iterations,
        **{"accelerate": False, "n_jobs": 1, **settings},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that is what max_iter is for here
        model.fit(problem.x, **_errors(problem))
    return Mixture(model.weights_, model.locations_, model.scatters_, model.dofs_)


def _score(problem: Problem, iterations: int, engine: str) -> Mixture:
    start = problem.start
    model = RobustMixture.from_parameters(*start, engine=engine, n_jobs=1)
    for _ in range(iterations):
        model.score_samples(problem.x, **_errors(problem))
    return start


def _errors(problem: Problem) -> dict[str, Any]:
    given = {"X_std": problem.std, "X_cov": problem.cov}
    return {name: errors for name, errors in given.items() if errors is not None}


def _without_errors(problem: Problem) -> Problem:
    return problem._replace(std=None, cov=None)
