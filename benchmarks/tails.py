"""What outlier detection costs on the DR3 quasars: the wild tail beside a plain fit, p-values beside plain scores.

What is compared takes turns in one process: on a shared machine two processes may differ by more than the bar.
"""

from __future__ import annotations

import dataclasses
import math
import time
import warnings
from collections.abc import Callable
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue import Measurements, measure
from peculiar.datasets import load_dr3_quasars
from peculiar.errors import MissingDataError
from peculiar.report import rank

TAIL_COST, WILD_COST = 100.0, 1.4
LIST_COSTS = {3: 120.0, 6: 150.0}
GROWTH, GROWTH_KS, GROWTH_ROWS = 1.2, (8, 16, 32), 3000
REPEATS, ITERATIONS = 7, 11

Rows = dict[str, Any]


def load_rows() -> Rows | None:
    """Colours of the quasars and the covariances of their errors; None without the catalogue."""
    try:
        catalogue = load_dr3_quasars()
    except MissingDataError:
        return None
    return {"X": catalogue.X, "X_cov": catalogue.X_cov}


def p_value_cost(rows: Rows) -> float:
    """CPU time of the p-values of all rows, in calls of ``score_samples``."""
    model = RobustMixture(3, wild_fraction="estimate", random_state=0, n_jobs=1).fit(**rows)
    tail, score = _least_cpu(
        lambda: model.tail_probabilities(**rows), lambda: model.score_samples(**rows)
    )
    return tail / score


def list_cost(rows: Rows, n_components: int) -> float:
    """CPU time of all that `peculiar rank` does after the fit, but for the file, in calls of ``score_samples``."""
    settings = {"wild_fraction": "estimate", "random_state": 0, "n_jobs": 1}
    model = RobustMixture(n_components, **settings).fit(**rows)
    detector, measured = OutlierDetector.from_mixture(model), _as_measurements(rows)
    ranking, score = _least_cpu(
        lambda: rank(detector, measured), lambda: model.score_samples(**rows), repeats=3
    )
    return ranking / score


def p_value_growth(rows: Rows) -> float:
    """The power of K with which the cost of p-values grows, from the least to the largest number of components."""
    settings = {"wild_fraction": "estimate", "random_state": 0, "n_jobs": 1, "max_iter": 60}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [RobustMixture(k, **settings).fit(**rows) for k in GROWTH_KS]
    step = max(1, len(rows["X"]) // GROWTH_ROWS)
    some = {name: values[::step] for name, values in rows.items()}
    costs = _least_cpu(*(lambda m=m: m.tail_probabilities(**some) for m in models), repeats=3)
    return math.log(costs[-1] / costs[0]) / math.log(GROWTH_KS[-1] / GROWTH_KS[0])


def _as_measurements(rows: Rows) -> Measurements:
    """The rows as the ranking takes them."""
    columns = {f"x{j}": rows["X"][:, j] for j in range(rows["X"].shape[1])}
    plain = measure(columns, ", ".join(columns), no_error=tuple(columns))
    return dataclasses.replace(plain, X_cov=rows["X_cov"], X_std=None)


def wild_cost(rows: Rows) -> float:
    """CPU time of an iteration with a wild tail, in iterations without one; both with a dof of 15."""
    costs = _least_cpu(
        *(lambda eps=eps, n=n: _fit(rows, eps, n) for eps in (0.02, 0.0) for n in (ITERATIONS, 1))
    )
    return (costs[0] - costs[1]) / (costs[2] - costs[3])


def _fit(rows: Rows, wild_fraction: float, iterations: int) -> None:
    settings = {"dof": 15.0, "tol": 0.0, "accelerate": False, "n_jobs": 1, "random_state": 0}
    model = RobustMixture(3, wild_fraction=wild_fraction, max_iter=iterations, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that is what max_iter is for here
        model.fit(**rows)


def _least_cpu(*works: Callable[[], Any], repeats: int = REPEATS) -> list[float]:
    """The least of several for each, taken in turns; the first call may compile."""
    seconds: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(repeats):
        for work, spent in zip(works, seconds, strict=True):
            began = time.process_time()
            work()
            spent.append(time.process_time() - began)
    return [min(spent) for spent in seconds]
