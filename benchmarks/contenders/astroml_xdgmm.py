"""astroML's XDGMM."""

from __future__ import annotations

import numpy as np
from astroML.density_estimation import XDGMM

from benchmarks.problems import Mixture, Problem, noise_cov


def fit(problem: Problem, iterations: int) -> Mixture:
    """The loop of its ``fit``, because ``fit`` takes no start."""
    model = XDGMM(len(problem.start.weights))
    model.alpha, model.mu, model.V = problem.start[:3]
    cov = noise_cov(problem)
    for _ in range(iterations):
        model._EMstep(problem.x, cov)  # noqa: SLF001 (as above)
        model.logL(problem.x, cov)  # its fit does so in every iteration, to know when to stop
    return Mixture(model.alpha, model.mu, model.V, np.full(len(model.alpha), np.inf))
