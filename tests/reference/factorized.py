"""The fully factorial variational E-step: q(w) q(u) q(z) for each row, shared by all components.

With P_k = Sigma_k^-1 and x the p observed features,

    q(w) = N(m, V),       V^-1 = S^-1 + <u> Lam,   V^-1 m = S^-1 x + <u> Lam eta
                          Lam = sum_k q_k P_k,     Lam eta = sum_k q_k P_k mu_k
    q(u) = Gamma(a, b),   a = p / 2 + sum_k q_k nu_k / 2,   b = sum_k q_k (nu_k + C_k) / 2
                          C_k = (m - mu_k)' P_k (m - mu_k) + Tr(P_k V)
    log q_k = log pi_k + (p / 2) <log u> - log|Sigma_k| / 2 - <u> C_k / 2
              + <log Gamma(u | nu_k / 2, nu_k / 2)> + const

taken in turn until nothing moves. Where that ends depends on where it starts: many starts are
tried, and the end with the highest free energy is taken.

A component of infinite dof has u = 1, and no law of u is good for it and for a finite one: either
all of q(z) rests on components of infinite dof, with u = 1, or all on finite ones. The better of
the two is taken.
"""

import functools
import itertools
from typing import NamedTuple

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, logsumexp, xlogy

from tests.reference import rows
from tests.reference.rows import Floats, Params, RowMoments

STILL = 1e-13  # as far as q(z) and log <u> may move in the last round
MOST_ROUNDS = 100_000
LOG_2PI = np.log(2 * np.pi)


class FactorizedRow(NamedTuple):
    """The best q of one row; w in the observed features."""

    bound: float
    resp: Floats  # q(z), (k,)
    log_resp: Floats
    ubar: float
    log_u: float
    inverse_u: float  # <1 / u>
    mean: Floats  # <w>
    cov: Floats


def row(x: Floats, S: Floats, params: Params) -> FactorizedRow:
    """The q with the highest free energy. A feature which is NaN in x is missing."""
    x, S, params = observed(x, S, params)
    gaussian = np.isinf(params.dofs)
    families = [family for family in (gaussian, ~gaussian) if family.any()]
    return max((_row_on(family, x, S, params) for family in families), key=lambda row: row.bound)


def observed(x: Floats, S: Floats, params: Params) -> tuple[Floats, Floats, Params]:
    """The row and the mixture in the observed features."""
    o = np.flatnonzero(~np.isnan(x))
    oo = np.ix_(o, o)
    scatters = np.array([scatter[oo] for scatter in params.scatters])
    return x[o], S[oo], params._replace(locations=params.locations[:, o], scatters=scatters)


def _row_on(family: NDArray[np.bool_], x: Floats, S: Floats, params: Params) -> FactorizedRow:
    """The best q with q(z) on some components only: all of finite dof, or all of infinite."""
    some = Params(*(part[family] for part in params))
    q, ubar = max(fixed_points(x, S, some), key=lambda end: free_energy(*end, x, S, some))
    log_q, _ = one_round(q[None], np.array([ubar]), x, S, some)
    mean, cov, _ = best_w(q[None], np.array([ubar]), x, S, some)
    resp, log_resp = np.zeros(family.size), np.full(family.size, -np.inf)
    resp[family], log_resp[family] = q, log_q[0]
    log_u, inverse_u = 0.0, 1.0
    if np.isfinite(some.dofs).all():
        a = shape_of_u(q, x.size, some)
        log_u = float(mpmath.digamma(a) - mpmath.log(a / ubar))
        inverse_u = a / ubar / (a - 1) if a > 1 else np.inf
    bound = free_energy(q, ubar, x, S, some)
    return FactorizedRow(bound, resp, log_resp, ubar, log_u, inverse_u, mean[0], cov[0])


def fixed_points(x: Floats, S: Floats, params: Params) -> list[tuple[Floats, float]]:
    """Where the updates end from each of the starts: q(z) and <u>."""
    q, ubar = starts(x, params)
    ends: list[tuple[Floats, float]] = []
    for n_round in range(MOST_ROUNDS):
        log_q, new_ubar = one_round(q, ubar, x, S, params)
        new_q = np.exp(log_q)
        moved = np.abs(new_q - q).max(axis=1) + np.abs(np.log(new_ubar / ubar))
        still = moved < STILL
        ends += [(new_q[i], float(new_ubar[i])) for i in np.flatnonzero(still)]
        q, ubar = new_q[~still], new_ubar[~still]
        if n_round % 20 == 0:
            q, ubar = _distinct(q, ubar)
        if ubar.size == 0:
            q, ubar = _distinct(*(np.array(part) for part in zip(*ends)))
            return [(q[i], float(ubar[i])) for i in range(len(q))]
    raise AssertionError("the updates have not come to rest")


def starts(x: Floats, params: Params) -> tuple[Floats, Floats]:
    """Each component alone, each two, all, and some at random; each with <u> from far to near."""
    n_components, p = len(params.weights), x.size
    alone = np.eye(n_components)
    pairs = [(alone[k] + alone[l]) / 2 for k, l in itertools.combinations(range(n_components), 2)]
    random = np.random.default_rng(0).dirichlet(np.ones(n_components), 4)
    q = np.array([*alone, *pairs, alone.mean(axis=0), *random])
    if np.isinf(params.dofs).all():
        return q, np.ones(len(q))
    # <u> <= 1 + p / nu, and it is small if w is x, or the location of the farthest component.
    nu = params.dofs.min()
    distances = [
        (w - mu) @ np.linalg.solve(scatter, w - mu)
        for w in (x, *params.locations)
        for mu, scatter in zip(params.locations, params.scatters)
    ]
    lo, hi = np.log(nu / (nu + p + max(distances))), np.log((nu + p) / nu)
    ubar = np.exp(np.linspace(lo, hi, 6 + int((hi - lo) / 2)))
    return np.repeat(q, ubar.size, axis=0), np.tile(ubar, len(q))


def _distinct(q: Floats, ubar: Floats) -> tuple[Floats, Floats]:
    """Starts which have met are followed once."""
    places = np.round(np.column_stack([q, np.log(ubar)]), 8)
    first = np.unique(places, axis=0, return_index=True)[1]
    return q[first], ubar[first]


# Several q at a time: below, q is (starts, k) and ubar is (starts,).


def one_round(
    q: Floats, ubar: Floats, x: Floats, S: Floats, params: Params
) -> tuple[Floats, Floats]:
    """The best q(w), with it the best q(u), with both the best q(z): log q_k, and <u>."""
    _, _, C = best_w(q, ubar, x, S, params)
    log_u = np.zeros(len(q))
    prior = np.zeros(C.shape)  # <log Gamma(u | nu_k / 2, nu_k / 2)>
    if np.isfinite(params.dofs).all():
        a = shape_of_u(q, x.size, params)
        b = np.sum(q * (params.dofs + C), axis=1) / 2
        ubar = a / b
        log_u = psi_minus_log(a) + np.log(ubar)
        # log u - u + 1 is small where nu is large
        curve = psi_minus_log(a) + np.log1p(ubar - 1) - (ubar - 1)
        for k, nu in enumerate(params.dofs):
            prior[:, k] = log_norm(nu) + nu / 2 * curve - log_u
    log_q = (
        np.log(params.weights)
        + x.size / 2 * log_u[:, None]
        - np.linalg.slogdet(params.scatters)[1] / 2
        - ubar[:, None] * C / 2
        + prior
    )
    return log_q - logsumexp(log_q, axis=1, keepdims=True), ubar


def best_w(
    q: Floats, ubar: Floats, x: Floats, S: Floats, params: Params
) -> tuple[Floats, Floats, Floats]:
    """Mean and covariance of the best q(w), and C_k, without S^-1.

    With T = Lam^-1 / <u> + S:  m - eta = Lam^-1 / <u> T^-1 (x - eta),  V = Lam^-1 / <u> T^-1 S.
    """
    P = np.linalg.inv(params.scatters)
    eta, Lam = mean_component(q, params)
    prior = np.linalg.inv(Lam) / ubar[:, None, None]
    gain = prior @ np.linalg.inv(prior + S)
    mean = eta + np.einsum("sij,sj->si", gain, x - eta)
    cov = gain @ S
    C = np.zeros(q.shape)
    for k, mu in enumerate(params.locations):
        C[:, k] = np.einsum("si,ij,sj->s", mean - mu, P[k], mean - mu)
        C[:, k] += np.trace(P[k] @ cov, axis1=1, axis2=2)
    return mean, cov, C


def mean_component(q: Floats, params: Params) -> tuple[Floats, Floats]:
    """The location eta and the precision Lam of what q(z) makes of the components."""
    P = np.linalg.inv(params.scatters)
    Lam = np.tensordot(q, P, axes=1)
    P_mu = np.einsum("kij,kj->ki", P, params.locations)
    return np.linalg.solve(Lam, (q @ P_mu)[:, :, None])[:, :, 0], Lam


def shape_of_u(q: Floats, p: int, params: Params) -> Floats:
    """The a of q(u) = Gamma(a, b)."""
    return p / 2 + q @ params.dofs / 2


def psi_minus_log(a: Floats) -> Floats:
    """digamma(a) - log(a), to its own relative accuracy: <log u> - log <u>."""
    series = 1 / (2 * a) + 1 / (12 * a**2) - 1 / (120 * a**4) + 1 / (252 * a**6) - 1 / (240 * a**8)
    return np.where(a > 30, -series, digamma(a) - np.log(a))


@functools.cache
def log_norm(nu: float) -> float:
    """h log h - h - log Gamma(h), h = nu / 2: log Gamma(u | h, h) = this + h (log u - u + 1) - log u."""
    with mpmath.mp.workdps(30):
        h = mpmath.mpf(nu) / 2
        return float(h * mpmath.log(h) - h - mpmath.loggamma(h))


# The free energy of one q.


def free_energy(q: Floats, ubar: float, x: Floats, S: Floats, params: Params) -> float:
    """Free energy of q(z), q(u) = Gamma(a, a / ubar) and the best q(w) for them.

    S may be singular: the terms with w are those of one component N(eta, Lam^-1 / ubar), less what
    the components differ from it,

        log N(x | eta, Lam^-1 / ubar + S) + (p / 2) (<log u> - log ubar)
        - (log|Lam| + sum_k q_k log|Sigma_k|) / 2
        - (ubar / 2) sum_k q_k (eta - mu_k)' P_k (eta - mu_k)
    """
    p = x.size
    (eta,), (Lam,) = mean_component(q[None], params)
    T = np.linalg.inv(Lam) / ubar + S
    F = -0.5 * (np.linalg.slogdet(2 * np.pi * T)[1] + (x - eta) @ np.linalg.solve(T, x - eta))
    F -= 0.5 * np.linalg.slogdet(Lam)[1]
    for q_k, pi, mu, scatter in zip(q, *params[:3]):
        F -= q_k / 2 * np.linalg.slogdet(scatter)[1]
        F -= q_k * ubar / 2 * (eta - mu) @ np.linalg.solve(scatter, eta - mu)
        F += q_k * np.log(pi) - xlogy(q_k, q_k)
    if np.isinf(params.dofs).all():
        return float(F)
    a = shape_of_u(q, p, params)
    return float(F + p / 2 * psi_minus_log(a)) + _terms_of_u(q, a, a / ubar, params.dofs)


def literal_free_energy(
    q: Floats, a: float, b: float, m: Floats, V: Floats, x: Floats, S: Floats, params: Params
) -> float:
    """Free energy of any q(z) N(w | m, V) Gamma(u | a, b), every expectation written out.

    S and V must be invertible, and all dofs finite.
    """
    p = x.size
    S_inv = np.linalg.inv(S)
    ubar, log_u = a / b, float(mpmath.digamma(a) - mpmath.log(b))
    # <log p(x | w)>
    F = -p / 2 * LOG_2PI - np.linalg.slogdet(S)[1] / 2
    F += -(x - m) @ S_inv @ (x - m) / 2 - np.trace(S_inv @ V) / 2
    # <log p(w | u, z)> + <log p(z)>
    for q_k, pi, mu, scatter in zip(q, *params[:3]):
        P = np.linalg.inv(scatter)
        C = (m - mu) @ P @ (m - mu) + np.trace(P @ V)
        log_w = -p / 2 * LOG_2PI - np.linalg.slogdet(scatter)[1] / 2 + p / 2 * log_u - ubar / 2 * C
        F += q_k * (log_w + np.log(pi))
    # entropies of q(w) and q(z)
    F += p / 2 + p / 2 * LOG_2PI + np.linalg.slogdet(V)[1] / 2
    F -= np.sum(xlogy(q, q))
    return float(F) + _terms_of_u(q, a, b, params.dofs)


def _terms_of_u(q: Floats, a: float, b: float, dofs: Floats) -> float:
    """<log p(u | z)> and the entropy of q(u) = Gamma(a, b)."""
    # In 30 digits: for nu = 1e6 the terms are of the order of 1e7 and cancel.
    with mpmath.mp.workdps(30):
        a, b = mpmath.mpf(a), mpmath.mpf(b)
        ubar, log_u = a / b, mpmath.digamma(a) - mpmath.log(b)
        total = a - mpmath.log(b) + mpmath.loggamma(a) + (1 - a) * mpmath.digamma(a)
        for q_k, nu in zip(q.tolist(), dofs.tolist()):
            h = mpmath.mpf(nu) / 2
            log_gamma = h * mpmath.log(h) - mpmath.loggamma(h) + (h - 1) * log_u - h * ubar
            total += q_k * log_gamma
        return float(total)


# The form the M-step takes.


def row_moments(x: Floats, S: Floats, params: Params) -> list[RowMoments]:
    """Moments of one row in all d features, about the location of each component.

    Given the observed features, u and the component the missing ones keep their exact conditional
    law, as in ``tests.reference.structured``. log_prob is such that pi_k exp(log_prob) is q_k of
    exp(bound): the bound of the row is the logsumexp it is for other engines.
    """
    o, m = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
    best = row(x, S, params)
    moments = []
    for k, (pi, mu, scatter) in enumerate(zip(*params[:3])):
        G = scatter[np.ix_(m, o)] @ np.linalg.inv(scatter[np.ix_(o, o)])
        P = scatter[np.ix_(m, m)] - G @ scatter[np.ix_(o, m)]
        # w - mu = R (w_o - mu_o) + noise of covariance P / u in the missing features
        R = np.zeros((x.size, o.size))
        R[o], R[m] = np.eye(o.size), G
        d = R @ (best.mean - mu[o])
        dd = np.outer(d, d) + R @ best.cov @ R.T
        udd = best.ubar * dd
        if m.size:
            udd[np.ix_(m, m)] += P
            dd[np.ix_(m, m)] += best.inverse_u * P
        log_prob = float(best.bound + best.log_resp[k] - np.log(pi))
        moments += [RowMoments(log_prob, best.ubar, best.log_u, best.ubar * d, udd, d, dd)]
    return moments


def em_step(
    params: Params, X: Floats, S: Floats, weights: Floats | None = None, **settings: str
) -> tuple[Params, float]:
    """One variational EM iteration: the next mixture, and the mean bound of the given one."""
    return rows.em_step(params, X, S, weights, of_row=row_moments, **settings)


def mean_bound(params: Params, X: Floats, S: Floats, weights: Floats | None = None) -> float:
    """Mean free energy per row with something observed."""
    return rows.mean_log_likelihood(params, X, S, weights, of_row=row_moments)
