"""What it costs to find the number of components, in passes of extreme deconvolution in batched NumPy.

One pass is over a million pairs of a row and a component, with four features and full errors. It is measured before and
after the search: on a shared machine the minutes in between may differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.problems import Spec, make_problem, noise_cov
from benchmarks.reference_xd import GaussianMixture, xd_iteration
from benchmarks.tails import Rows
from peculiar import OutlierDetector, RobustMixture

SEARCH_PASSES, SMALL_SEARCH_PASSES = 60.0, 4.0
SMALL = 1500


def search_passes(rows: Rows) -> float:
    """For all rows of a catalogue, from twenty components."""
    model = RobustMixture("mml", wild_fraction="estimate", random_state=0, n_jobs=1)
    return _in_passes(lambda: model.fit(**rows))


def small_search_passes() -> float:
    """For a small table of two features and the default detector, strange groups and shrinkage included."""
    rng = np.random.default_rng(0)
    errors = rng.uniform(0.1, 1.0, (SMALL, 2))
    X = rng.standard_normal((SMALL, 2)) + 6.0 * rng.integers(0, 3, (SMALL, 1))
    X += errors * rng.standard_normal(X.shape)
    OutlierDetector(random_state=0).fit(X[:300], X_std=errors[:300])  # compiles
    return _in_passes(lambda: OutlierDetector(random_state=0).fit(X, X_std=errors))


def _in_passes(work: Callable[[], object]) -> float:
    """CPU time of some work over that of one pass."""
    problem = make_problem(Spec(200_000, 4, 5, "full"))
    cov, start = noise_cov(problem), GaussianMixture(*problem.start[:3])

    def one_pass() -> object:
        return xd_iteration(problem.x, cov, start)

    passes = [_cpu(one_pass) for _ in range(2)]
    cost = _cpu(work)
    passes += [_cpu(one_pass) for _ in range(2)]
    return cost / min(passes)


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
