"""Log-likelihood of given parameters, by a plain route that shares no code with the package.

Everybody's parameters are judged by this, so that a fast wrong answer shows. Needs NumPy only.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.problems import Floats, Mixture, Problem, noise_cov, take_rows

LOG_2PI = math.log(2.0 * math.pi)
NEGLIGIBLE = 40.0  # e^-40 of the integrand's maximum is left out
GAUSSIAN_DOF = 1e7  # beyond, t and Gaussian differ by less than 1e-6 per row


def mean_log_likelihood(problem: Problem, mixture: Mixture, chunk: int = 1000) -> float:
    """Mean over rows of log sum_k weight_k p(x_n | k), with x_n's own noise."""
    total = 0.0
    for first in range(0, len(problem.x), chunk):
        total += float(log_density(take_rows(problem, slice(first, first + chunk)), mixture).sum())
    return total / len(problem.x)


def log_density(problem: Problem, mixture: Mixture) -> Floats:
    """Log-density of every row; (n,)."""
    cov = noise_cov(problem)
    joint = np.empty((len(problem.x), len(mixture.weights)))
    for k, (weight, location, scatter, dof) in enumerate(zip(*mixture, strict=True)):
        joint[:, k] = math.log(weight) + _log_t(problem.x - location, cov, scatter, float(dof))
    return _log_sum_exp(joint)


def _log_t(delta: Floats, cov: Floats, scatter: Floats, dof: float) -> Floats:
    """Log-density of t + noise for residuals (n, d) with noise covariances (n, d, d).

    With scatter = L L' and L^-1 S L^-T = Q diag(b) Q', e = Q' L^-1 delta, given the latent scale u

        log p = -(d log 2 pi + 2 log det L + sum log(1/u + b) + sum e^2 / (1/u + b)) / 2

    and u ~ Gamma(dof / 2, rate dof / 2) is integrated over s = log u.
    """
    lower = np.linalg.cholesky(scatter)
    inverse = np.linalg.inv(lower)
    b, axes = np.linalg.eigh(inverse @ cov @ inverse.T)
    b = np.maximum(b, 0.0)
    sq_e = ((delta @ inverse.T)[:, None, :] @ axes)[:, 0] ** 2
    constant = -0.5 * delta.shape[1] * LOG_2PI - float(np.log(np.diag(lower)).sum())
    if dof > GAUSSIAN_DOF:
        return np.asarray(constant + _log_given_u(np.zeros(1), sq_e, b)[:, 0])
    half = 0.5 * dof
    s, step = _nodes(dof, delta.shape[1], float(sq_e.sum(axis=1).max()))
    # Gamma(u | half, half) du = half^half / Gamma(half) u^half e^(-u half) ds
    log_prior = half * math.log(half) - math.lgamma(half) + half * (s - np.exp(s))
    return np.asarray(
        constant + math.log(step) + _log_sum_exp(log_prior + _log_given_u(s, sq_e, b))
    )


def _log_given_u(s: Floats, sq_e: Floats, b: Floats) -> Floats:
    """-(sum log(1/u + b) + sum e^2 / (1/u + b)) / 2 at u = e^s; (n, nodes)."""
    total = np.zeros((len(sq_e), len(s)))
    for j in range(b.shape[1]):
        variance = np.exp(-s) + b[:, j, None]
        total -= 0.5 * (np.log(variance) + sq_e[:, j, None] / variance)
    return total


def _nodes(dof: float, d: int, largest: float) -> tuple[Floats, float]:
    """Equal steps of s for the trapezoidal rule, and the step.

    The integrand is a mixture of Gamma densities of shape a = (dof + d) / 2, for which the rule's error is
    2 |Gamma(a + 2 pi i / step)| / Gamma(a): below 1e-12 here. Left of u = dof / (dof + e'e) it falls at least
    like the prior, and so it does right of the prior's mode.
    """
    step = min(0.3, 0.8 / math.sqrt(0.5 * (dof + d)))
    reach = 2.0 * NEGLIGIBLE / (0.5 * dof) + 2.0 * math.sqrt(2.0 * NEGLIGIBLE / (0.5 * dof))
    left = math.log(dof / (dof + largest)) - reach
    right = math.log((dof + d + 2.0) / dof) + math.log1p(reach)
    return np.arange(left, right + step, step), step


def _log_sum_exp(values: Floats) -> Floats:
    largest = values.max(axis=1, keepdims=True)
    summed: Floats = largest[:, 0] + np.log(np.exp(values - largest).sum(axis=1))
    return summed


def judged(problem: Problem, mixture: Mixture, n_rows: int) -> float:
    """Mean log-likelihood over the first rows; NaN for parameters that are no mixture."""
    if not all(np.isfinite(a).all() for a in mixture[:3]):
        return math.nan
    return mean_log_likelihood(take_rows(problem, slice(n_rows)), mixture)
