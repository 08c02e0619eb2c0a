"""A point estimate of u for each row and component, in the place of its posterior law.

The point is where the joint density of x and s = log u is highest,

    log N(x | mu, Sigma e^-s + S) + log p(s),   p(s) = h^h / Gamma(h) exp(h (s - e^s)),   h = nu / 2

The density of log u is meant, not that of u: the latter has no maximum for nu + p <= 2 (without
noise it goes with u^((nu + p) / 2 - 1), infinite at u = 0). The height of the maximum stands for
log p(x | k), and u = e^s is taken as known.

For nu = inf, u = 1 and the height is log N(x | mu, Sigma + S). That is not the limit of the
above: the height of p(s) itself grows like sqrt(nu).
"""

from typing import NamedTuple

import mpmath
import numpy as np
from scipy.optimize import brentq

from tests.reference import rows
from tests.reference.rows import Floats, Params, RowMoments
from tests.reference.scale import ScaleMoments

SCAN_STEP = 0.005  # in log u; the slope bends on the scale of 1


class MapRow(NamedTuple):
    """The highest point of one row and component: its height, and s = log u."""

    log_prob: float
    log_u: float


def map_row(x: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> MapRow:
    """The highest of all maxima; NaN in x is missing."""
    row = x, S, mu, scatter, nu
    candidates = [MapRow(log_joint(s, *row), s) for s in maxima(*row)]
    return max(candidates, key=lambda point: point.log_prob)


def log_joint(s: float, x: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> float:
    """Log of the joint density of x and s = log u; for nu = inf that of x alone, given s."""
    log_normal = rows.log_prob_given_scale(np.exp([s]), x, S, mu, scatter)[0]
    return float(log_normal) + (0.0 if np.isinf(nu) else log_prior(s, nu))


def log_prior(s: float, nu: float) -> float:
    """Log density of s = log u, u ~ Gamma(nu / 2, rate nu / 2)."""
    # In 30 digits: for nu = 1e6 the terms are of the order of 1e7 and cancel.
    with mpmath.mp.workdps(30):
        s, h = mpmath.mpf(s), mpmath.mpf(nu) / 2
        return float(h * mpmath.log(h) - mpmath.loggamma(h) + h * (s - mpmath.exp(s)))


def maxima(x: Floats, S: Floats, mu: Floats, scatter: Floats, nu: float) -> list[float]:
    """All s with a maximum of the joint density: where a fine scan of its slope changes sign."""
    if np.isinf(nu):
        return [0.0]
    o = ~np.isnan(x)
    oo = np.ix_(o, o)
    r, scatter, S, p = (x - mu)[o], scatter[oo], S[oo], int(o.sum())

    def slope(s: Floats) -> Floats:
        """Twice the derivative: Tr(T^-1 Sigma/u) - r' T^-1 (Sigma/u) T^-1 r + nu (1 - u)."""
        prior = scatter / np.exp(s)[:, None, None]
        T_inv = np.linalg.inv(prior + S)
        y = T_inv @ r
        fit = np.trace(T_inv @ prior, axis1=1, axis2=2) - np.einsum("si,sij,sj->s", y, prior, y)
        return fit - nu * np.expm1(s)

    # 0 <= Tr(T^-1 Sigma/u) <= p and 0 <= r' T^-1 (Sigma/u) T^-1 r <= u r' Sigma^-1 r: the density
    # rises for u < nu / (nu + r' Sigma^-1 r) and falls for u > (nu + p) / nu.
    lo = np.log(nu / (nu + r @ np.linalg.solve(scatter, r))) - 0.1
    hi = np.log((nu + p) / nu) + 0.1
    grid = np.linspace(lo, hi, int((hi - lo) / SCAN_STEP) + 2)
    rises = slope(grid) > 0
    return [
        brentq(lambda s: slope(np.array([s]))[0], grid[i], grid[i + 1], xtol=1e-15, rtol=1e-15)
        for i in np.flatnonzero(rises[:-1] & ~rises[1:])
    ]


def map_scale_moments(e: Floats, b: Floats, dof: float) -> ScaleMoments:
    """The twin of ``tests.reference.scale.scale_moments`` with a point in the place of p(u|x).

    A point has no spread. As the size by which to measure errors of log u, std_log_u is that of
    Gamma((nu + p) / 2), the law of u without noise.
    """
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    p = e.size
    point = map_row(e, np.diag(b), np.zeros(p), np.eye(p), dof)
    u = float(np.exp(point.log_u))
    t = 1.0 / (1.0 + u * b)
    tt = np.outer(t, t)
    std_log_u = 0.0 if np.isinf(dof) else float(mpmath.sqrt(mpmath.psi(1, (dof + p) / 2)))
    return ScaleMoments(point.log_prob, u, point.log_u, u * t, u * tt, t, tt, std_log_u)


def row_moments(x: Floats, S: Floats, mu: Floats, scatter: Floats, dof: float) -> RowMoments:
    """Height and moments of one row in all d features, in the form the M-step takes.

    Given u all is Gaussian; the missing features have the covariance which goes with 1 / u = e^-s.
    """
    point = map_row(x, S, mu, scatter, dof)
    u = float(np.exp(point.log_u))
    (d,), (cov,) = rows.latent_given_scale(np.array([u]), x, S, mu, scatter)
    dd = np.outer(d, d) + cov
    return RowMoments(point.log_prob, u, point.log_u, u * d, u * dd, d, dd)


def em_step(
    params: Params, X: Floats, S: Floats, weights: Floats | None = None, **settings: str
) -> tuple[Params, float]:
    """One iteration: the next mixture, and the mean height of the given one."""
    return rows.em_step(params, X, S, weights, moments=row_moments, **settings)


def mean_bound(params: Params, X: Floats, S: Floats, weights: Floats | None = None) -> float:
    """Mean per row with something observed of log sum_k pi_k exp(height)."""
    return rows.mean_log_likelihood(params, X, S, weights, moments=row_moments)
