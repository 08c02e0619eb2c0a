"""The plain mixture of Student-t distributions: no noise, nothing missing.

Peel and McLachlan (2000), Statistics and Computing 10, 339, in their letters: memberships tau,
weights u = (nu + p) / (nu + delta), delta the squared Mahalanobis distance.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma
from scipy.stats import multivariate_t

from tests.reference.rows import Floats, Params


def em_step(params: Params, y: Floats, *, dof: str = "estimate") -> Params:
    """One EM iteration; ``dof`` is "estimate" (one for each), "shared" or "fixed"."""
    n, p = y.shape
    g = len(params.weights)
    tau, u = np.zeros((n, g)), np.zeros((n, g))
    for j in range(n):
        for i, (pi, mu, Sigma, nu) in enumerate(zip(*params)):
            delta = (y[j] - mu) @ np.linalg.inv(Sigma) @ (y[j] - mu)
            tau[j, i] = pi * multivariate_t(mu, Sigma, df=nu).pdf(y[j])
            u[j, i] = (nu + p) / (nu + delta)
        tau[j] /= tau[j].sum()
    mu, Sigma = np.zeros_like(params.locations), np.zeros_like(params.scatters)
    gaps = np.zeros(g)
    for i in range(g):
        n_i = tau[:, i].sum()
        mu[i] = sum(tau[j, i] * u[j, i] * y[j] for j in range(n)) / (tau[:, i] @ u[:, i])
        for j in range(n):
            Sigma[i] += tau[j, i] * u[j, i] * np.outer(y[j] - mu[i], y[j] - mu[i]) / n_i
        half = (params.dofs[i] + p) / 2
        log_u = np.log(u[:, i]) + digamma(half) - np.log(half)
        gaps[i] = tau[:, i] @ (log_u - u[:, i])
    if dof == "estimate":
        nu = np.array([_solve(gaps[i] / tau[:, i].sum()) for i in range(g)])
    elif dof == "shared":
        nu = np.full(g, _solve(gaps.sum() / n))
    else:
        nu = params.dofs
    return Params(tau.sum(axis=0) / n, mu, Sigma, nu)


def mean_log_likelihood(params: Params, y: Floats) -> float:
    """Mean over the rows of the log-density of the mixture."""
    density = sum(
        pi * multivariate_t(mu, Sigma, df=nu).pdf(y) for pi, mu, Sigma, nu in zip(*params)
    )
    return float(np.log(density).mean())


def _solve(gap: float) -> float:
    return brentq(
        lambda nu: -digamma(nu / 2) + np.log(nu / 2) + 1 + gap, 1e-2, 1e8, xtol=1e-13, rtol=1e-14
    )
