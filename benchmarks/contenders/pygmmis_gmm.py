"""pygmmis, with a covariance per sample. It starts a pool of processes, one per core; their CPU time counts."""

from __future__ import annotations

import numpy as np
import pygmmis

from benchmarks.problems import Mixture, Problem, noise_cov


def fit(problem: Problem, iterations: int) -> Mixture:
    start = problem.start
    gmm = pygmmis.GMM(K=len(start.weights), D=problem.x.shape[1])
    gmm.amp[:], gmm.mean[:], gmm.covar[:] = start[:3]
    pygmmis.fit(
        gmm, problem.x, covar=noise_cov(problem), init_method="none", tol=0.0, maxiter=iterations
    )
    return Mixture(gmm.amp, gmm.mean, gmm.covar, np.full(gmm.K, np.inf))
