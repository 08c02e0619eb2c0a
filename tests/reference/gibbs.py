"""The Gibbs sampler of one row: z given (w, u), then u given (w, z), then w given (u, z, x).

    p(z = k | w, u)   prop. to pi_k N(w | mu_k, Sigma_k / u) Gamma(u | nu_k / 2, rate nu_k / 2)
    u | w, z          ~ Gamma((nu + p) / 2, rate (nu + Delta^2) / 2),  Delta^2 = d' Sigma^-1 d
    w | u, z, x       ~ N(mu + (Sigma / u) T^-1 r, (Sigma / u) T^-1 S),  T = Sigma / u + S

with d = w - mu, r = x - mu and the mu, Sigma, nu of component z; all in the p observed features.
The dofs are all finite, or all infinite, in which case u = 1: between the two kinds z could never
change, because u = 1 is certain for the one and has no probability for the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.special import gammaln

from tests.reference.rows import Floats, Params

N_BATCHES = 40


class GibbsMoments(NamedTuple):
    """Estimates for one row: memberships, and expectations given the component, d = w - mu_k."""

    resp: Floats  # (k,)
    u: Floats  # E[u|k], (k,)
    log_u: Floats  # E[log u|k], (k,)
    ud: Floats  # E[u d|k], (k, d)
    udd: Floats  # E[u d d'|k], (k, d, d)


def row_moments(
    x: Floats,
    S: Floats,
    params: Params,
    rng: Generator,
    *,
    n_sweeps: int = 10_000,
    n_burn_in: int = 2_000,
) -> tuple[GibbsMoments, GibbsMoments]:
    """Estimates for one row, and their standard errors.

    Moments of missing features are not sampled. With G = Sigma_mo Sigma_oo^-1

        E[u d_m] = G E[u d_o],   E[u d_m d_m'] = G E[u d_o d_o'] G' + Sigma_mm - G Sigma_om
    """
    z, u, w = (chain[n_burn_in:] for chain in sample(x, S, params, rng, n_sweeps))
    o, m = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
    n_components, dim = params.locations.shape
    estimates = [np.zeros(n_components) for _ in range(3)]
    estimates += [np.zeros((n_components, dim)), np.zeros((n_components, dim, dim))]
    errors = [np.zeros_like(estimate) for estimate in estimates]
    everywhere = np.ones(len(z))
    for k, (mu, scatter) in enumerate(zip(params.locations, params.scatters)):
        G = scatter[np.ix_(m, o)] @ np.linalg.inv(scatter[np.ix_(o, o)])
        R = np.zeros((dim, o.size))
        R[o], R[m] = np.eye(o.size), G
        d = (w - mu[o]) @ R.T  # of the missing features, the mean given the observed ones
        here = (z == k).astype(float)
        udd = u[:, None, None] * d[:, :, None] * d[:, None, :]
        estimates[0][k], errors[0][k] = mean_and_error(here, everywhere)
        for i, values in enumerate((u, np.log(u), u[:, None] * d, udd), start=1):
            estimates[i][k], errors[i][k] = mean_and_error(values, here)
        estimates[4][k][np.ix_(m, m)] += scatter[np.ix_(m, m)] - G @ scatter[np.ix_(o, m)]
    return GibbsMoments(*estimates), GibbsMoments(*errors)


def sample(
    x: Floats, S: Floats, params: Params, rng: Generator, n_sweeps: int
) -> tuple[Floats, Floats, Floats]:
    """The chain: z (sweeps,), u (sweeps,) and w in the observed features (sweeps, p)."""
    o = np.flatnonzero(~np.isnan(x))
    oo = np.ix_(o, o)
    x, S, mu = x[o], S[oo], params.locations[:, o]
    scatter = np.array([full[oo] for full in params.scatters])
    nu, p = params.dofs, o.size
    assert np.isfinite(nu).all() or np.isinf(nu).all(), "z would never change"
    chain = np.zeros(n_sweeps, dtype=int), np.zeros(n_sweeps), np.zeros((n_sweeps, p))
    P, log_det = np.linalg.inv(scatter), np.linalg.slogdet(scatter)[1]
    log_norm = np.log(params.weights) - log_det / 2
    if np.isfinite(nu[0]):
        log_norm += nu / 2 * np.log(nu / 2) - gammaln(nu / 2)
    u, w = 1.0, x
    for i in range(n_sweeps):
        sq_dist = np.array([(w - mu[k]) @ P[k] @ (w - mu[k]) for k in range(len(mu))])
        log_joint = log_norm + p / 2 * np.log(u) - u * sq_dist / 2
        if np.isfinite(nu[0]):
            log_joint += (nu / 2 - 1) * np.log(u) - nu / 2 * u
        mass = np.exp(log_joint - log_joint.max()).cumsum()
        z = int(np.searchsorted(mass, rng.random() * mass[-1], side="right"))
        if np.isfinite(nu[0]):
            u = rng.gamma((nu[z] + p) / 2, 2 / (nu[z] + sq_dist[z]))
        gain = scatter[z] / u @ np.linalg.inv(scatter[z] / u + S)
        w = draw_normal(mu[z] + gain @ (x - mu[z]), gain @ S, rng)
        chain[0][i], chain[1][i], chain[2][i] = z, u, w
    return chain


def draw_normal(mean: Floats, cov: Floats, rng: Generator) -> Floats:
    """One draw of N(mean, cov); cov may be singular, or zero."""
    variances, axes = np.linalg.eigh((cov + cov.T) / 2)
    return mean + axes @ (np.sqrt(variances.clip(0)) * rng.normal(size=mean.size))


def mean_and_error(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weighted mean over the sweeps, and its standard error by batch means.

    The error of the ratio sum(weight value) / sum(weight) is that of the mean of
    weight (value - ratio) / mean(weight), whose means over long batches are nearly independent.
    """
    weights = weights.reshape(-1, *np.ones(values.ndim - 1, dtype=int))
    mean = (weights * values).sum(axis=0) / weights.sum()
    influence = weights * (values - mean) / weights.mean()
    batches = np.array([part.mean(axis=0) for part in np.array_split(influence, N_BATCHES)])
    return mean, batches.std(axis=0, ddof=1) / np.sqrt(N_BATCHES)
