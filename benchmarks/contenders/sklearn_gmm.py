"""scikit-learn's GaussianMixture: no errors, no heavy tails."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from benchmarks.problems import Mixture, Problem


def fit(problem: Problem, iterations: int) -> Mixture:
    start = problem.start
    model = GaussianMixture(
        len(start.weights),
        tol=0.0,
        reg_covar=0.0,
        max_iter=iterations,
        weights_init=start.weights,
        means_init=start.locations,
        precisions_init=np.linalg.inv(start.scatters),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that is what max_iter is for here
        model.fit(problem.x)
    infinite = np.full(len(start.weights), np.inf)
    return Mixture(model.weights_, model.means_, model.covariances_, infinite)
