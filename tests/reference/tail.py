"""Tail probabilities by two plain ways: integrals over a line, and random draws.

p = P( f(x') <= f(x) ), x' drawn from the mixture and measured with the noise S of x. Nothing here knows of rays.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import gammaln, log_ndtr, logsumexp

from tests.reference.rows import Params

Floats = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


def scale_rule(dof: float, sq_dist: float, p: int, left_shape: float) -> tuple[Floats, Floats]:
    """Values of u and log-weights of the prior, good for points up to this squared distance from a location.

    To the left, integrands fall as exp(left_shape * log u).
    """
    if np.isinf(dof):
        return np.ones(1), np.zeros(1)
    shape = (dof + p) / 2
    width = min(1.0, 2.0 / np.sqrt(shape))
    left = np.log(dof / (dof + sq_dist)) - 30.0 / left_shape - 2.0 * width
    right = np.log1p((80.0 + 4 * p) / dof)
    edges = np.linspace(left, right, int((right - left) / width) + 2)
    half = (edges[1] - edges[0]) / 2
    s = np.concatenate([edge + half + half * _NODES for edge in edges[:-1]])
    ds = np.tile(half * _WEIGHTS, edges.size - 1)
    h = dof / 2
    log_prior = h * np.log(h) - gammaln(h) + h * (s - np.exp(s))
    return np.exp(s), log_prior + np.log(ds)


def log_density(X: Floats, S: Floats, params: Params, inflate: float = 1.0) -> Floats:
    """log f of each row of X, all measured with S; with every covariance times ``inflate``."""
    terms = []
    for weight, mu, scatter, dof in zip(*params):
        L = np.linalg.cholesky(scatter)
        white = np.linalg.solve(L, (X - mu).T)
        noise, Q = np.linalg.eigh(np.linalg.solve(L, np.linalg.solve(L, S).T))
        y2 = (Q.T @ white) ** 2 / inflate
        u, log_w = scale_rule(dof, float(y2.sum(axis=0).max()), mu.size, (dof + mu.size) / 2)
        t = 1.0 / u + noise.clip(0.0)[:, None]  # (d, nodes)
        log_norm = log_w - 0.5 * np.log(2 * np.pi * inflate * t).sum(axis=0)
        log_norm = log_norm + np.log(weight) - np.log(np.diag(L)).sum()
        for start in range(0, len(X), 2000):
            part = y2[:, start : start + 2000].T @ (1.0 / t)
            terms.append(logsumexp(log_norm - 0.5 * part, axis=1))
    return np.logaddexp.reduce(np.concatenate(terms).reshape(len(params.weights), -1), axis=0)


def draw(rng, n: int, S: Floats, params: Params, inflate: Floats) -> Floats:
    """Measured values of n objects; the deviations from the locations are sqrt(inflate) times as large."""
    k = rng.choice(len(params.weights), n, p=params.weights)
    d = len(S)
    u = np.ones(n)
    for j, dof in enumerate(params.dofs):
        if np.isfinite(dof):
            u[k == j] = rng.gamma(dof / 2, 2 / dof, (k == j).sum())
    roots = np.linalg.cholesky(params.scatters)
    values, axes = np.linalg.eigh(S)
    noise_root = axes * np.sqrt(values.clip(0.0))
    clean = np.einsum("nij,nj->ni", roots[k], rng.normal(size=(n, d))) / np.sqrt(u)[:, None]
    deviation = clean + rng.normal(size=(n, d)) @ noise_root.T
    return params.locations[k] + deviation * np.sqrt(inflate)[:, None]


def tail_by_draws(
    rng, n: int, x: Floats, S: Floats, params: Params, inflate: Floats | None = None
) -> tuple[float, float]:
    """log p and its standard error (of log p, that is relative to p), from weighted draws.

    Draws come from a mixture of laws that are ``inflate`` times as broad; each is weighted by the ratio of densities.
    """
    inflate = np.ones(1) if inflate is None else np.asarray(inflate, dtype=float)
    X = draw(rng, n, S, params, rng.choice(inflate, n))
    level = log_density(x[None], S, params)[0]
    log_f = log_density(X, S, params)
    log_g = logsumexp([log_density(X, S, params, i) for i in inflate], axis=0) - np.log(
        inflate.size
    )
    log_w = np.where(log_f <= level, log_f - log_g, -np.inf)
    log_p = logsumexp(log_w) - np.log(n)
    assert np.isfinite(log_p), "no draw is as strange"
    w = np.exp(log_w - log_p)
    return float(log_p), float(w.std() / np.sqrt(n))


def log_tail_on_line(x: float, variance: float, params: Params) -> float:
    """log p for one feature: the strange intervals by their ends, the mass in each by an integral over u."""
    S = np.full((1, 1), variance)
    level = log_density(np.full((1, 1), x), S, params)[0]

    def excess(values: Floats) -> Floats:
        return log_density(np.reshape(values, (-1, 1)), S, params) - level

    scales = np.sqrt(params.scatters[:, 0, 0] + variance)
    reach = 10.0 * np.abs(np.append(params.locations[:, 0] - x, scales)).max()
    steps = np.concatenate([[0.0], np.geomspace(1e-3 * scales.min(), reach, 600)])
    grid = np.unique(
        [m + s * sign for m in params.locations[:, 0] for s in steps for sign in (-1, 1)]
    )
    values = excess(grid)
    changes = np.flatnonzero(np.diff(np.sign(values)))
    ends = [
        brentq(lambda r: excess(np.array([r]))[0], grid[i], grid[i + 1], xtol=1e-13, rtol=1e-13)
        for i in changes
    ]
    ends = [-np.inf, *ends, np.inf]
    masses = [_log_mass(ends[i], ends[i + 1], variance, params) for i in range(0, len(ends) - 1, 2)]
    return float(logsumexp(masses))


def _log_mass(low: float, high: float, variance: float, params: Params) -> float:
    """Log of the probability of an interval."""
    total = []
    for weight, mu, scatter, dof in zip(*params):
        far = max(abs(end - mu[0]) for end in (low, high) if np.isfinite(end))
        u, log_w = scale_rule(dof, far**2 / scatter[0, 0], 1, dof / 2)
        sd = np.sqrt(scatter[0, 0] / u + variance)
        a, b = (low - mu[0]) / sd, (high - mu[0]) / sd
        flip = a + b > 0  # the side on which both are small
        upper, lower = np.where(flip, -a, b), np.where(flip, -b, a)
        ratio = np.exp(np.minimum(log_ndtr(lower) - log_ndtr(upper), -1e-300))
        log_mass = log_ndtr(upper) + np.log1p(-np.minimum(ratio, 1.0 - 1e-16))
        total.append(np.log(weight) + logsumexp(log_w + log_mass))
    return float(logsumexp(total))


def log_tail_in_plane(x: Floats, S: Floats, params: Params, n_angles: int = 720) -> float:
    """Two features: f summed over a fine polar grid about the mean, wherever it is not above f(x).

    Between neighbours on a radius log f is taken as a straight line, and cut where it crosses the level.
    """
    level = float(log_density(x[None], S, params)[0])
    centre = params.weights @ params.locations
    spread = S + np.tensordot(params.weights, params.scatters, axes=1)
    between = (params.locations - centre).T * params.weights @ (params.locations - centre)
    root = np.linalg.cholesky(spread + between)
    rough = np.geomspace(0.1, 1e9, 600)
    total = []
    for angle in 2 * np.pi * np.arange(n_angles) / n_angles:
        way = root @ [np.cos(angle), np.sin(angle)]
        ahead = log_density(centre + rough[:, None] * way, S, params) - level
        contour, end = (
            rough[np.flatnonzero(ahead + 2 * np.log(rough) > depth)[-1]] for depth in (-3.0, -40.0)
        )
        far = np.geomspace(1.2 * contour, max(1.1 * end, 1.3 * contour), 300)[1:]
        radii = np.concatenate([np.linspace(0.0, 1.2 * contour, 1000), far])
        log_f = log_density(centre + radii[:, None] * way, S, params)
        total.append(_log_sum_below(radii, log_f, level))
    measure = np.log(np.linalg.det(root)) + np.log(2 * np.pi / n_angles)
    return float(logsumexp(total) + measure)


def _log_sum_below(r: Floats, log_f: Floats, level: float) -> float:
    """Log of the integral of r f over those parts of a radius on which f is not above the level."""
    a, b = r[:-1].copy(), r[1:].copy()
    fa, fb = log_f[:-1].copy(), log_f[1:].copy()
    crossing = a + (b - a) * np.divide(
        level - fa, fb - fa, out=np.full_like(a, 0.5), where=fa != fb
    )
    leaves, enters = (fa > level) & (fb <= level), (fa <= level) & (fb > level)
    a[leaves], fa[leaves] = crossing[leaves], level
    b[enters], fb[enters] = crossing[enters], level
    below = (fa <= level) & (fb <= level)
    gap = np.abs(fb - fa)
    share = np.where(gap > 1e-8, -np.expm1(-gap) / np.maximum(gap, 1e-8), 1.0)
    with np.errstate(divide="ignore"):
        parts = np.maximum(fa, fb) + np.log(share * (b - a) * 0.5 * (a + b))
    return float(logsumexp(parts[below])) if below.any() else -np.inf
