"""Moments of the latent scale u of one row under one component, in high precision.

In the whitened frame of the row the model is

    u ~ Gamma(dof / 2, rate dof / 2),      e_j | u ~ N(0, 1 / u + b_j),  j = 1 ... p

and every moment is a one-dimensional integral over s = log u. It is taken by Gauss-Legendre rules
on panels, in numbers of 30 digits (mpmath: no overflow, no underflow). Every moment is held to its
own relative accuracy: E[u] may come from a region which has e^-30 of the probability.

``trapezoid_moments`` is a second, independent way to the same numbers, for the tests of this file.
"""

import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

import mpmath
import numpy as np
from mpmath import mp, mpf
from mpmath.calculus.quadrature import GaussLegendre
from numpy.typing import NDArray

DIGITS = 30
RELATIVE_ERROR = mpf("1e-20")  # of each integral, as estimated
NEGLIGIBLE = 50.0  # e^-50 of a moment's largest integrand is left out
WIDEST_PANEL = 4.0  # the integrands are analytic only within pi of the real line

Floats = NDArray[np.float64]


class ScaleMoments(NamedTuple):
    """The log-density of (e, b) and posterior expectations of functions of u.

    ``std_log_u`` is the posterior standard deviation of log u: the size against which an error of
    E[log u], which crosses zero, is to be measured.
    """

    log_prob: float
    u: float
    log_u: float
    ut: Floats  # E[u / (1 + u b_j)]
    utt: Floats  # E[u / ((1 + u b_j) (1 + u b_l))]
    t: Floats  # E[1 / (1 + u b_j)]
    tt: Floats  # E[1 / ((1 + u b_j) (1 + u b_l))]
    std_log_u: float


def scale_moments(e: Iterable[float], b: Iterable[float], dof: float) -> ScaleMoments:
    """Moments of u given (e, b, dof), each to about 1e-15 relative.

    Parameters
    ----------
    e : array-like of shape (p,)
        Residuals in the frame.
    b : array-like of shape (p,)
        Noise variances in the frame, in units of the scatter.
    dof : float
        Degrees of freedom; ``inf`` fixes u = 1.
    """
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    with mp.workdps(DIGITS):
        if np.isinf(dof):
            one = integrands(mpf(0), e, b, None)
            return _moments_from_integrals(one, mpf(0), e.size)
        panels = _panels(_kept_intervals(e, b, dof), _panel_width(e.size, dof))
        integrals = _integrate(lambda s: integrands(s, e, b, dof), panels)
        return _moments_from_integrals(integrals, _log_norm(dof), e.size)


def mean_inverse_u(e: Iterable[float], b: Iterable[float], dof: float) -> float:
    """E[1 / u], of which the covariance of missing features is made; infinite if dof + p <= 2."""
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    if np.isinf(dof) or dof + e.size <= 2:
        return 1.0 if np.isinf(dof) else np.inf

    def two(s: mpf) -> list[mpf]:
        density = integrands(s, e, b, dof)[0]
        return [density, density / mp.exp(s)]

    with mp.workdps(DIGITS):
        grid = _scan_grid(e, b, dof, left_shape=(dof + e.size) / 2 - 1)
        log_density = _log_density(grid, e, b, dof)
        kept = _support(log_density) | _support(log_density - grid)
        assert not kept[[0, -1]].any(), "the scan is too short"
        intervals = _runs(grid, kept)
        evidence, inverse = _integrate(two, _panels(intervals, _panel_width(e.size, dof)))
        return float(inverse / evidence)


def trapezoid_moments(
    e: Iterable[float], b: Iterable[float], dof: float, lo: float, hi: float, n_nodes: int
) -> ScaleMoments:
    """The same moments by the plainest rule there is: equal steps of s from lo to hi."""
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    with mp.workdps(DIGITS):
        step = (mpf(hi) - mpf(lo)) / (n_nodes - 1)
        columns = [integrands(lo + i * step, e, b, dof) for i in range(n_nodes)]
        integrals = [step * mp.fsum(row) for row in zip(*columns)]
        return _moments_from_integrals(integrals, _log_norm(dof), e.size)


def integrands(s: mpf, e: Floats, b: Floats, dof: float | None) -> list[mpf]:
    """Joint density of (log u, e) at s = log u, times 1, u, s, s^2, ut_j, t_j, utt_jl and tt_jl.

    The prior lacks its norm. Of the two matrices the triangle j <= l is given, row after row.
    ``dof=None`` leaves out the prior of u.
    """
    u = mp.exp(s)
    # Gamma(u | dof / 2, dof / 2) du = norm u^(dof / 2) e^(-u dof / 2) ds
    log_prior = mpf(0) if dof is None else mpf(dof) / 2 * (s - u)
    quadratic, product = mpf(0), mpf(1)
    ut, t = [], []
    for e_j, b_j in zip(e.tolist(), b.tolist()):
        variance = 1 / u + b_j
        quadratic += mpf(e_j) ** 2 / variance
        product *= 2 * mp.pi * variance
        ut.append(1 / variance)
        t.append(1 / (1 + u * b_j))
    density = mp.exp(log_prior - quadratic / 2) / mp.sqrt(product)
    values = [density, density * u, density * s, density * s * s]
    values += [density * ut_j for ut_j in ut]
    dt = [density * t_j for t_j in t]
    pairs = [dt[j] * t[l] for j in range(e.size) for l in range(j, e.size)]
    return values + dt + [u * pair for pair in pairs] + pairs


def _log_norm(dof: float) -> mpf:
    half = mpf(dof) / 2
    return half * mp.log(half) - mp.loggamma(half)


def _moments_from_integrals(integrals: list[mpf], log_norm: mpf, p: int) -> ScaleMoments:
    evidence = integrals[0]
    means = [integral / evidence for integral in integrals]
    u, log_u, sq_log_u = means[1:4]
    vectors, matrices = means[4 : 4 + 2 * p], means[4 + 2 * p :]
    n_pairs = p * (p + 1) // 2
    return ScaleMoments(
        log_prob=float(log_norm + mp.log(evidence)),
        u=float(u),
        log_u=float(log_u),
        ut=np.array(vectors[:p], dtype=float),
        utt=_symmetric(matrices[:n_pairs], p),
        t=np.array(vectors[p:], dtype=float),
        tt=_symmetric(matrices[n_pairs:], p),
        std_log_u=float(mp.sqrt(max(sq_log_u - log_u**2, mpf(0)))),
    )


def _symmetric(triangle: list[mpf], p: int) -> Floats:
    matrix = np.empty((p, p))
    values = iter(triangle)
    for j in range(p):
        for l in range(j, p):
            matrix[j, l] = matrix[l, j] = float(next(values))
    return matrix


# Where the integrands live: a dense scan in floats. It only has to tell e^-50 from 1.


def _kept_intervals(e: Floats, b: Floats, dof: float) -> list[tuple[float, float]]:
    """Intervals of s outside which each integrand is below e^-50 of its own maximum."""
    grid = _scan_grid(e, b, dof)
    log_density = _log_density(grid, e, b, dof)
    log_t = [-np.log1p(np.exp(grid) * b_j) for b_j in b]
    # 1 / (1 + u b)^2 with the largest b leans further to the left than any other factor, u further
    # to the right, so these two mark the ends.
    left = _support(log_density + 2 * log_t[int(np.argmax(b))])
    right = _support(log_density + grid)
    assert not left[0], "the scan is too short"
    assert not right[-1], "the scan is too short"
    ends = slice(np.flatnonzero(left)[0], np.flatnonzero(right)[-1] + 1)
    grid, log_density = grid[ends], log_density[ends]
    log_t = [values[ends] for values in log_t]
    kept = _support(log_density) | _support(log_density + grid)
    for j in range(e.size):
        kept |= _support(log_density + log_t[j]) | _support(log_density + grid + log_t[j])
        for l in range(j, e.size):
            pair = log_density + log_t[j] + log_t[l]
            kept |= _support(pair) | _support(pair + grid)
    return _runs(grid, kept)


def _runs(grid: Floats, kept: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Intervals made of neighbouring kept points."""
    step = grid[1] - grid[0]
    where = np.flatnonzero(kept)
    runs = np.split(where, np.flatnonzero(np.diff(where) > 1) + 1)
    return [(grid[run[0]] - step / 2, grid[run[-1]] + step / 2) for run in runs]


def _scan_grid(e: Floats, b: Floats, dof: float, left_shape: float | None = None) -> Floats:
    """Equal steps of s, fine against the narrowest peak, over every place mass could be."""
    p = e.size
    # The mode of u lies between the posterior without noise and the prior's, and 1 / b_j can matter
    # to the weights. Outwards from there the density falls at least like that of a Gamma of
    # shape dof / 2 (right) and (dof + p) / 2 (left): exponents of s, or a Gaussian if they are large.
    left = (
        np.log((dof + p) / (dof + np.sum(e**2)))
        - np.log1p(b.max())
        - _reach(left_shape or (dof + p) / 2)
    )
    right = np.log((dof + p + 2) / dof) + np.log1p(_reach(dof / 2))
    step = 0.2 / np.sqrt((dof + p) / 2 + 1.0)
    return np.linspace(left, right, int((right - left) / step) + 2)


def _reach(shape: float) -> float:
    """How far from its mode a Gamma law of this shape is negligible, in s to the left."""
    return 2 * NEGLIGIBLE / shape + 2 * np.sqrt(2 * NEGLIGIBLE / shape)


def _log_density(s: Floats, e: Floats, b: Floats, dof: float) -> Floats:
    u = np.exp(s)
    total = dof / 2 * (s - u + 1.0)
    for e_j, b_j in zip(e, b):
        total = total + 0.5 * (s - np.log1p(u * b_j)) - 0.5 * u * e_j**2 / (1 + u * b_j)
    return total


def _support(log_values: Floats) -> NDArray[np.bool_]:
    return log_values > log_values.max() - NEGLIGIBLE


# The quadrature: Gauss-Legendre with 12 and 24 nodes on each panel, halved where they differ.


def _panel_width(p: int, dof: float) -> float:
    return min(WIDEST_PANEL, 6.0 / np.sqrt((dof + p) / 2))


def _panels(intervals: list[tuple[float, float]], width: float) -> list[tuple[mpf, mpf]]:
    panels = []
    for lo, hi in intervals:
        edges = [mpf(edge) for edge in np.linspace(lo, hi, int((hi - lo) / width) + 2)]
        panels += list(itertools.pairwise(edges))
    return panels


def _integrate(f: Callable[[mpf], list[mpf]], panels: list[tuple[mpf, mpf]]) -> list[mpf]:
    """Integrals of all values of f, each to its own relative accuracy."""
    # 12 nodes off by sqrt(eps) leave 24 nodes off by about eps: the error is squared as the number
    # of nodes is doubled (the estimate of mpmath's own quadrature).
    todo, done = panels, []
    while todo:
        results = [(panel, *_two_rules(f, panel)) for panel in todo]
        fine = [result[2] for result in results]
        scale = [mp.fsum(abs(v) for v in column) for column in zip(*(fine + done))]
        tolerance = [mp.sqrt(RELATIVE_ERROR) * size for size in scale]
        todo = []
        for (lo, hi), coarse_sum, fine_sum in results:
            if all(abs(c - f) <= tol for c, f, tol in zip(coarse_sum, fine_sum, tolerance)):
                done.append(fine_sum)
            else:
                todo += [(lo, (lo + hi) / 2), ((lo + hi) / 2, hi)]
    return [mp.fsum(column) for column in zip(*done)]


def _two_rules(
    f: Callable[[mpf], list[mpf]], panel: tuple[mpf, mpf]
) -> tuple[list[mpf], list[mpf]]:
    """The integrals over one panel with 12 and with 24 nodes."""
    sums = []
    for degree in (3, 4):
        nodes, weights = zip(*_RULE.get_nodes(*panel, degree, mp.prec))
        sums.append([mp.fdot(weights, row) for row in zip(*(f(s) for s in nodes))])
    return sums[0], sums[1]


_RULE = GaussLegendre(mpmath.mp)
