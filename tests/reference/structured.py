"""The structured variational E-step of the paper: q(z) q(w|z) q(u|z) for each row.

In the paper's letters, with t the measured vector (x elsewhere), for one component:

    Sigma_w = S (Sigma / <u> + S)^-1 Sigma / <u>,   <w> = Sigma_w (<u> Sigma^-1 mu + S^-1 t)
    C       = (<w> - mu)' Sigma^-1 (<w> - mu) + Tr(Sigma^-1 Sigma_w)
    q(u)    = Gamma(a, b),   a = (nu + p) / 2,   b = (nu + C) / 2,   <u> = a / b

so <u> is a fixed point of (nu + p) / (nu + C(<u>)). There can be several: all are found, and the
one with the highest free energy is taken.
"""

from typing import NamedTuple

import mpmath
import numpy as np
from scipy.optimize import brentq

from tests.reference import rows
from tests.reference.rows import Floats, Params, RowMoments
from tests.reference.scale import ScaleMoments

SCAN_STEP = 0.005  # in log u; the equation bends on the scale of 1
LOG_2PI = np.log(2 * np.pi)


class StructuredRow(NamedTuple):
    """The best q of one row and component, in the observed features.

    ``bound`` is the free energy without log pi: Q1 + Q2 + Q3 + Q5 + Q6.
    """

    bound: float
    ubar: float
    log_u: float
    mean: Floats  # <w>
    cov: Floats  # Sigma_w


def structured_row(t: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> StructuredRow:
    """The q with the highest free energy. All features of t are observed."""
    candidates = [
        _row_at(ubar, t, S, mu, scatter, nu) for ubar in fixed_points(t, S, mu, scatter, nu)
    ]
    return max(candidates, key=lambda row: row.bound)


def fixed_points(t: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> list[float]:
    """All solutions of u = (nu + p) / (nu + C(u)), by a fine scan of log u and brentq."""
    if np.isinf(nu):
        return [1.0]
    p, r = t.size, t - mu

    def equation(log_u: Floats) -> Floats:
        return log_u + np.log(nu + C(np.exp(log_u), t, S, mu, scatter)) - np.log(nu + p)

    # 0 <= C(u) <= r' Sigma^-1 r + p / u
    lo = np.log(nu / (nu + r @ np.linalg.solve(scatter, r))) - 0.1
    hi = np.log((nu + p) / nu) + 0.1
    grid = np.linspace(lo, hi, int((hi - lo) / SCAN_STEP) + 2)
    signs = np.sign(equation(grid))
    roots = [grid[i] for i in np.flatnonzero(signs == 0)]
    for i in np.flatnonzero(signs[:-1] * signs[1:] < 0):
        inside = grid[i], grid[i + 1]
        roots += [brentq(lambda s: equation(np.array([s]))[0], *inside, xtol=1e-15, rtol=1e-15)]
    return [float(np.exp(root)) for root in roots]


def C(u: Floats, t: Floats, S: Floats, mu: Floats, scatter: Floats) -> Floats:
    """The paper's C for each u, without S^-1: r' T^-1 Sigma T^-1 r / u^2 + Tr(T^-1 S) / u."""
    T_inv = np.linalg.inv(scatter / u[:, None, None] + S)
    y = T_inv @ (t - mu)
    return np.sum(y @ scatter * y, axis=1) / u**2 + np.trace(T_inv @ S, axis1=1, axis2=2) / u


def _row_at(
    ubar: float, t: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float
) -> StructuredRow:
    T_inv = np.linalg.inv(scatter / ubar + S)
    mean = mu + scatter / ubar @ T_inv @ (t - mu)
    cov = scatter / ubar @ T_inv @ S
    if np.isinf(nu):
        bound = rows.log_prob_given_scale(np.ones(1), t, S, mu, scatter)[0]
        return StructuredRow(float(bound), 1.0, 0.0, mean, cov)
    a = (nu + t.size) / 2
    log_u = float(mpmath.digamma(a) - mpmath.log(a / ubar))
    bound = free_energy(ubar, t, S, mu, scatter, nu)
    return StructuredRow(bound, ubar, log_u, mean, cov)


def free_energy(ubar: float, t: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> float:
    """Free energy of q(u) = Gamma((nu + p) / 2, (nu + p) / (2 ubar)) and the best q(w) for it.

    S may be singular: Q1 + Q3 + Q5 = log N(t | mu, T(ubar)) + (p / 2) (<log u> - log ubar).
    """
    p = t.size
    a = (nu + p) / 2
    log_u = float(mpmath.digamma(a) - mpmath.log(a / ubar))
    log_normal = rows.log_prob_given_scale(np.array([ubar]), t, S, mu, scatter)[0]
    return float(log_normal + p / 2 * (log_u - np.log(ubar))) + _Q2_plus_Q6(ubar, a, nu)


def literal_free_energy(
    ubar: float, t: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float
) -> float:
    """The same as the paper prints it, Q1 ... Q6 without Q4 = log pi; S must be invertible.

    One slip is corrected: Q3 has (d / 2) <log u> where the paper prints (d / 2) a / b.
    """
    d = t.size
    a = (nu + d) / 2
    b = a / ubar
    log_u = float(mpmath.digamma(a) - mpmath.log(b))
    S_inv, scatter_inv = np.linalg.inv(S), np.linalg.inv(scatter)
    cov = S @ np.linalg.inv(scatter / ubar + S) @ scatter / ubar
    mean = cov @ (ubar * scatter_inv @ mu + S_inv @ t)
    Q1 = (
        -d / 2 * LOG_2PI
        - np.linalg.slogdet(S)[1] / 2
        - np.trace(cov @ S_inv) / 2
        - (mean - t) @ S_inv @ (mean - t) / 2
    )
    Q3 = (
        -d / 2 * LOG_2PI
        - np.linalg.slogdet(scatter)[1] / 2
        + d / 2 * log_u
        - a / b * (mean - mu) @ scatter_inv @ (mean - mu) / 2
        - a / b * np.trace(cov @ scatter_inv) / 2
    )
    Q5 = d / 2 + d / 2 * LOG_2PI + np.linalg.slogdet(cov)[1] / 2
    return float(Q1 + Q3 + Q5) + _Q2_plus_Q6(ubar, a, nu)


def _Q2_plus_Q6(ubar: float, a: float, nu: float) -> float:
    # In 30 digits: for nu = 1e6 the terms are of the order of 1e7 and cancel.
    with mpmath.mp.workdps(30):
        ubar, a, nu = mpmath.mpf(ubar), mpmath.mpf(a), mpmath.mpf(nu)
        b = a / ubar
        log_u = mpmath.digamma(a) - mpmath.log(b)
        Q2 = (
            (nu / 2 - 1) * log_u
            - nu / 2 * a / b
            + nu / 2 * mpmath.log(nu / 2)
            - mpmath.loggamma(nu / 2)
        )
        Q6 = -((a - 1) * log_u + a * mpmath.log(b) - a - mpmath.loggamma(a))
        return float(Q2 + Q6)


def structured_scale_moments(e: Floats, b: Floats, dof: float) -> ScaleMoments:
    """The twin of ``tests.reference.scale.scale_moments`` with q(u) in the place of p(u|x)."""
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    p = e.size
    row = structured_row(e, np.diag(b), np.zeros(p), np.eye(p), dof)
    t = 1.0 / (1.0 + row.ubar * b)
    tt = np.outer(t, t)
    std_log_u = 0.0 if np.isinf(dof) else float(mpmath.sqrt(mpmath.psi(1, (dof + p) / 2)))
    return ScaleMoments(
        row.bound, row.ubar, row.log_u, row.ubar * t, row.ubar * tt, t, tt, std_log_u
    )


def row_moments(x: Floats, S: Floats, mu: Floats, scatter: Floats, dof: float) -> RowMoments:
    """Bound and moments of one row in all d features, in the form the M-step takes.

    Given the observed features and u the missing ones keep their exact conditional law,

        w_m | w_o, u ~ N(mu_m + G (w_o - mu_o), P / u),   G = Sigma_mo Sigma_oo^-1,
                                                         P = Sigma_mm - G Sigma_om

    so they cost nothing in the bound.
    """
    o, m = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
    oo = scatter[np.ix_(o, o)]
    row = structured_row(x[o], S[np.ix_(o, o)], mu[o], oo, dof)
    G = scatter[np.ix_(m, o)] @ np.linalg.inv(oo)
    P = scatter[np.ix_(m, m)] - G @ scatter[np.ix_(o, m)]
    a = (dof + o.size) / 2
    if np.isinf(dof):
        mean_inverse_u = 1.0
    else:  # <1/u> of Gamma(a, b)
        mean_inverse_u = a / row.ubar / (a - 1) if a > 1 else np.inf
    delta = row.mean - mu[o]
    dd_oo = np.outer(delta, delta) + row.cov
    d, dd, udd = np.zeros(mu.size), np.zeros_like(scatter), np.zeros_like(scatter)
    d[o], d[m] = delta, G @ delta
    for target, weight, spread in ((dd, 1.0, mean_inverse_u), (udd, row.ubar, 1.0)):
        target[np.ix_(o, o)] = weight * dd_oo
        target[np.ix_(m, o)] = weight * G @ dd_oo
        target[np.ix_(o, m)] = weight * dd_oo @ G.T
        target[np.ix_(m, m)] = weight * G @ dd_oo @ G.T + spread * P
    return RowMoments(row.bound, row.ubar, row.log_u, row.ubar * d, udd, d, dd)


def em_step(
    params: Params, X: Floats, S: Floats, weights: Floats | None = None, **settings: str
) -> tuple[Params, float]:
    """One variational EM iteration: the next mixture, and the mean bound of the given one."""
    return rows.em_step(params, X, S, weights, moments=row_moments, **settings)


def mean_bound(params: Params, X: Floats, S: Floats, weights: Floats | None = None) -> float:
    """Mean free energy per row with something observed."""
    return rows.mean_log_likelihood(params, X, S, weights, moments=row_moments)
