"""Extreme deconvolution in batched NumPy: the reference that all costs are divided by."""

from __future__ import annotations

import numpy as np

from benchmarks.problems import Mixture, Problem, noise_cov
from benchmarks.reference_xd import GaussianMixture, xd_iteration


def fit(problem: Problem, iterations: int) -> Mixture:
    cov = noise_cov(problem)
    params = GaussianMixture(*problem.start[:3])
    for _ in range(iterations):
        params, _ = xd_iteration(problem.x, cov, params)
    return Mixture(*params, np.full(len(params.weights), np.inf))
