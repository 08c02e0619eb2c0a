"""One exact EM step on data, in the model's own terms: x ~ N(mu, Sigma / u + S) given u.

Rows and components are looped over; no frame, no factorisation kept. The integral over u is a
composite Gauss-Legendre rule in s = log u over the range found by a scan. A feature which is NaN in
a row is dropped from that row: with R picking the observed features,

    T(u)        = R Sigma R' / u + S
    E[w - mu|u] = (Sigma / u) R' T^-1 (x - R mu)
    cov(w|u)    = Sigma / u - (Sigma / u) R' T^-1 R (Sigma / u)

in all features, the missing ones included.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import digamma, gammaln, logsumexp

Floats = NDArray[np.float64]

NEGLIGIBLE = 45.0
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(20)


class Params(NamedTuple):
    """A mixture: weights (k,), locations (k, d), scatters (k, d, d), dofs (k,)."""

    weights: Floats
    locations: Floats
    scatters: Floats
    dofs: Floats


class RowMoments(NamedTuple):
    """What one row under one component tells: log p(x|k) and expectations given x and k.

    d = w - mu in all features, about the location of the component.
    """

    log_prob: float
    u: float
    log_u: float
    ud: Floats  # E[u d]
    udd: Floats  # E[u d d']
    d: Floats  # E[d]
    dd: Floats  # E[d d']


def noise_covariances(X: Floats, X_std: Floats | None = None) -> Floats:
    """Noise covariances (n, d, d) from standard deviations, or no noise at all."""
    n, d = X.shape
    S = np.zeros((n, d, d))
    if X_std is not None:
        for i in range(n):
            S[i] = np.diag(np.where(np.isnan(X[i]), 0.0, X_std[i]) ** 2)
    return S


def row_moments(x: Floats, S: Floats, mu: Floats, scatter: Floats, dof: float) -> RowMoments:
    """Log-density and moments of one row with something observed, under one component."""
    s, ds = _rule(x, S, mu, scatter, dof)
    u = np.exp(s)
    log_mass = _log_joint(s, x, S, mu, scatter, dof) + np.log(ds)
    log_prob = logsumexp(log_mass)
    mass = np.exp(log_mass - log_prob)  # posterior probability of each node
    m, V = latent_given_scale(u, x, S, mu, scatter)
    mm = m[:, :, None] * m[:, None, :]
    return RowMoments(
        log_prob=float(log_prob),
        u=float(mass @ u),
        log_u=float(mass @ s),
        ud=(mass * u) @ m,
        udd=np.tensordot(mass * u, mm + V, axes=1),
        d=mass @ m,
        dd=np.tensordot(mass, mm + V, axes=1),
    )


def latent_given_scale(
    u: Floats, x: Floats, S: Floats, mu: Floats, scatter: Floats
) -> tuple[Floats, Floats]:
    """Mean of w - mu and covariance of w, in all features, given x and each of the scales u."""
    o = ~np.isnan(x)
    prior = scatter / u[:, None, None]  # Sigma / u
    gain = prior[:, :, o] @ np.linalg.inv(_total_covariance(u, x, S, scatter))
    return gain @ (x - mu)[o], prior - gain @ prior[:, o, :]


def log_prob_given_scale(u: Floats, x: Floats, S: Floats, mu: Floats, scatter: Floats) -> Floats:
    """Log of N(x | mu, Sigma / u + S) over the observed features, for each of the scales u."""
    r = (x - mu)[~np.isnan(x)]
    T = _total_covariance(u, x, S, scatter)
    log_det = np.linalg.slogdet(2 * np.pi * T)[1]
    return -0.5 * (log_det + np.linalg.inv(T) @ r @ r)


def _total_covariance(u: Floats, x: Floats, S: Floats, scatter: Floats) -> Floats:
    oo = np.ix_(~np.isnan(x), ~np.isnan(x))
    return scatter[oo] / u[:, None, None] + S[oo]


def _log_joint(s: Floats, x: Floats, S: Floats, mu: Floats, scatter: Floats, dof: float) -> Floats:
    """Log of the joint density of x and s = log u, for each s."""
    u = np.exp(s)
    log_likelihood = log_prob_given_scale(u, x, S, mu, scatter)
    if np.isinf(dof):
        return log_likelihood
    half = dof / 2
    return log_likelihood + half * np.log(half) - gammaln(half) + half * (s - u)


def _rule(x: Floats, S: Floats, mu: Floats, scatter: Floats, dof: float) -> tuple[Floats, Floats]:
    """Nodes and weights in s = log u for which all moments are good to about 1e-12."""
    if np.isinf(dof):
        return np.zeros(1), np.ones(1)
    observed = ~np.isnan(x)
    p = int(observed.sum())
    r = (x - mu)[observed]
    part = scatter[np.ix_(observed, observed)]
    sq_dist = r @ np.linalg.solve(part, r)
    sharpness = np.sqrt((dof + p) / 2)
    lo = np.log((dof + p) / (dof + sq_dist)) - 100.0 / max(dof + p - 2, 0.4) - 20.0 / sharpness
    hi = np.log1p((150.0 + 10.0 * p) / dof) + 20.0 / sharpness
    grid = np.linspace(lo, hi, int((hi - lo) * sharpness * 4) + 50)
    log_joint = _log_joint(grid, x, S, mu, scatter, dof)
    kept = _support(log_joint) | _support(log_joint + grid)  # the density, and the moments with u
    assert not kept[[0, -1]].any(), "the scan is too short"
    kept |= _support(log_joint - grid)  # cov(w) goes with 1/u; it is infinite for dof + p <= 2
    first, last = np.flatnonzero(kept)[[0, -1]]
    lo, hi = grid[max(first - 1, 0)], grid[min(last + 1, grid.size - 1)]
    edges = np.linspace(lo, hi, int((hi - lo) / min(2.0, 4.0 / sharpness)) + 2)
    half = (edges[1] - edges[0]) / 2
    s = np.concatenate([(left + half) + half * NODES for left in edges[:-1]])
    return s, np.tile(half * NODE_WEIGHTS, edges.size - 1)


def _support(log_values: Floats) -> NDArray[np.bool_]:
    return log_values > log_values.max() - NEGLIGIBLE


class Expected(NamedTuple):
    """The E-step: for each row with something observed its index, memberships and moments."""

    rows: list[int]
    log_prob: Floats  # of the rows under the mixture, (rows,)
    resp: Floats  # (rows, k)
    moments: list[list[RowMoments]]  # [row][component]


def expect(params: Params, X: Floats, S: Floats, *, moments=row_moments, of_row=None) -> Expected:
    """Memberships and moments of all rows; rows with nothing observed are left out.

    ``moments`` takes the components one by one. Where they depend on each other, ``of_row(x, S,
    params)`` gives the moments of a row under all of them.
    """

    def one_by_one(x: Floats, S: Floats, params: Params) -> list[RowMoments]:
        return [moments(x, S, *component) for component in zip(*params[1:])]

    rows = [i for i in range(len(X)) if not np.isnan(X[i]).all()]
    table = [(of_row or one_by_one)(X[i], S[i], params) for i in rows]
    log_joint = np.array([[m.log_prob for m in row] for row in table]) + np.log(params.weights)
    log_prob = logsumexp(log_joint, axis=1)
    return Expected(rows, log_prob, np.exp(log_joint - log_prob[:, None]), table)


def mean_log_likelihood(
    params: Params, X: Floats, S: Floats, weights: Floats | None = None, **how
) -> float:
    """Weighted mean of log p(x) over the rows with something observed; ``how`` as in `expect`."""
    expected = expect(params, X, S, **how)
    weights = np.ones(len(X)) if weights is None else weights
    return float(np.average(expected.log_prob, weights=weights[expected.rows]))


def latent(params: Params, x: Floats, S: Floats, **how) -> tuple[Floats, Floats]:
    """Mean and covariance of the clean value w of one row; ``how`` as in `expect`."""
    expected = expect(params, x[None], S[None], **how)
    d = x.size
    mean, second = np.zeros(d), np.zeros((d, d))
    for q, m, mu in zip(expected.resp[0], expected.moments[0], params.locations):
        mean += q * (mu + m.d)
        second += q * (m.dd + np.outer(mu, m.d) + np.outer(m.d, mu) + np.outer(mu, mu))
    return mean, second - np.outer(mean, mean)


def maximise(old: Params, expected: Expected, weights: Floats, scatter: str, dof: str) -> Params:
    """The M-step: the parameters which best explain the expectations."""
    n_components, d = old.locations.shape
    q = weights[expected.rows, None] * expected.resp
    locations, scatters = np.zeros((n_components, d)), np.zeros((n_components, d, d))
    gaps = np.zeros(n_components)  # sum of q (E[log u] - E[u])
    for k in range(n_components):
        of_k = [row[k] for row in expected.moments]
        sum_u = sum(q_i * m.u for q_i, m in zip(q[:, k], of_k))
        shift = sum(q_i * m.ud for q_i, m in zip(q[:, k], of_k)) / sum_u
        locations[k] = old.locations[k] + shift
        for q_i, m in zip(q[:, k], of_k):
            # E[u (w - new) (w - new)'] with w - new = d - shift
            cross = np.outer(m.ud, shift)
            scatters[k] += q_i * (m.udd - cross - cross.T + m.u * np.outer(shift, shift))
            gaps[k] += q_i * (m.log_u - m.u)
        scatters[k] /= q[:, k].sum()
        if scatter == "diag":
            scatters[k] = np.diag(np.diag(scatters[k]))
    if dof == "estimate":
        dofs = np.array([solve_dof(gaps[k] / q[:, k].sum()) for k in range(n_components)])
    elif dof == "shared":
        dofs = np.full(n_components, solve_dof(gaps.sum() / q.sum()))
    else:
        dofs = old.dofs
    return Params(q.sum(axis=0) / q.sum(), locations, scatters, dofs)


def solve_dof(gap: float) -> float:
    """The root nu of log(nu / 2) + 1 - digamma(nu / 2) + gap; infinite if there is none."""

    def equation(log_nu: float) -> float:
        half = np.exp(log_nu) / 2
        return float(np.log(half) + 1.0 - digamma(half) + gap)

    lo, hi = np.log(1e-3), np.log(1e10)
    if equation(hi) >= 0:
        return np.inf
    return float(np.exp(brentq(equation, lo, hi, xtol=1e-14, rtol=1e-14)))


def em_step(
    params: Params,
    X: Floats,
    S: Floats,
    weights: Floats | None = None,
    *,
    scatter: str = "full",
    dof: str = "estimate",
    **how,
) -> tuple[Params, float]:
    """One EM iteration.

    Parameters
    ----------
    params : Params
        The current mixture.
    X : array of shape (n, d)
        Measured values, NaN where missing.
    S : array of shape (n, d, d)
        Noise covariances.
    weights : array of shape (n,), optional
        How many times each row counts.
    scatter : {"full", "diag"}
    dof : {"estimate", "shared", "fixed"}
    how
        Whose expectation over u and w it is: ``moments`` or ``of_row``, as in `expect`.

    Returns
    -------
    params : Params
        The next mixture.
    bound : float
        The mean log-likelihood (or bound) of the *given* mixture.
    """
    weights = np.ones(len(X)) if weights is None else weights
    expected = expect(params, X, S, **how)
    bound = float(np.average(expected.log_prob, weights=weights[expected.rows]))
    return maximise(params, expected, weights, scatter, dof), bound
