"""The map twin finds the most probable log u; its height has no maximum over the dof."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import gammaln
from scipy.stats import gamma

from tests.reference import map_scale, rows, structured
from tests.reference.problems import (
    RNG_SEED,
    SEVERAL_MAXIMA,
    frame,
    noisy_mixture,
    random_row,
)
from tests.reference.rows import Params


@pytest.mark.parametrize("case", SEVERAL_MAXIMA.values(), ids=SEVERAL_MAXIMA.keys())
def test_map_finds_the_highest_of_many(case):
    e, b, dof = (np.asarray(part, dtype=float) for part in case)
    p = e.size
    row = (e, np.diag(b), np.zeros(p), np.eye(p), float(dof))
    best = map_scale.map_row(*row)
    assert len(map_scale.maxima(*row)) >= 2
    grid = np.linspace(-40, 3, 1076)
    top = int(np.argmax([map_scale.log_joint(s, *row) for s in grid]))
    found = minimize_scalar(
        lambda s: -map_scale.log_joint(s, *row),
        bracket=(grid[top - 1], grid[top], grid[top + 1]),
    )
    assert_allclose(best.log_prob, -found.fun, rtol=1e-12)
    assert_allclose(best.log_u, found.x, atol=1e-5)


@pytest.mark.parametrize("nu", [0.5, 3.0, 40.0])
def test_map_maximises_the_density_of_log_u(nu):
    # The density of s = log u is that of u times u, and it integrates to 1.
    s = np.linspace(-3, 2, 7)
    ours = [map_scale.log_prior(s_i, nu) for s_i in s]
    assert_allclose(ours, gamma(nu / 2, scale=2 / nu).logpdf(np.exp(s)) + s, rtol=1e-12)
    mass = quad(lambda s: np.exp(map_scale.log_prior(s, nu)), -60, 5, points=[-5, -1, 0, 1])[0]
    assert_allclose(mass, 1.0, rtol=1e-6)


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0, 1e6])
def test_map_has_the_stationary_points_of_structured(rank, dof):
    # The two objectives are the same function of log ubar but for log Gamma(a) + a - a log a, the
    # volume of q(u) (by Stirling's formula, the 2 pi / a of Laplace's method).
    rng = np.random.default_rng(RNG_SEED + rank)
    row = (*random_row(rng, 3, rank), dof)
    ours, theirs = map_scale.map_row(*row), structured.structured_row(*row)
    assert_allclose(ours.log_u, np.log(theirs.ubar), atol=1e-12)
    a = mpmath.mpf(dof + 3) / 2
    volume = float(mpmath.loggamma(a) + a - a * mpmath.log(a))
    assert_allclose(theirs.bound - ours.log_prob, volume, atol=1e-8)


@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0])
def test_map_without_noise_is_in_closed_form(dof):
    x, _, mu, scatter = random_row(np.random.default_rng(RNG_SEED), 3)
    ours = map_scale.row_moments(x, np.zeros((3, 3)), mu, scatter, dof)
    r, h, a = x - mu, dof / 2, (dof + 3) / 2
    u = (dof + 3) / (dof + r @ np.linalg.solve(scatter, r))
    assert_allclose([ours.u, ours.log_u], [u, np.log(u)], rtol=1e-13)
    height = a * np.log(u) - a + h * np.log(h) - gammaln(h)
    log_det = np.linalg.slogdet(2 * np.pi * scatter)[1]
    assert_allclose(ours.log_prob, height - log_det / 2, rtol=1e-12)
    assert_allclose(ours.dd, np.outer(r, r), atol=1e-12)


def test_map_exists_where_the_density_of_u_has_no_maximum():
    row = (np.array([0.1]), np.zeros((1, 1)), np.zeros(1), np.eye(1), 0.5)
    assert_allclose(np.exp(map_scale.map_row(*row).log_u), 1.5 / 0.51, rtol=1e-14)


def test_map_rows_equal_the_moments_in_the_frame():
    x, S, mu, scatter = random_row(np.random.default_rng(RNG_SEED), 3)
    A, e, b = frame(x, S, mu, scatter)
    dense = map_scale.row_moments(x, S, mu, scatter, 4.0)
    scale = map_scale.map_scale_moments(e, b, 4.0)
    log_det = np.linalg.slogdet(scatter)[1]
    assert_allclose(dense.log_prob, scale.log_prob - log_det / 2, rtol=1e-11)
    assert_allclose([dense.u, dense.log_u], [scale.u, scale.log_u], rtol=1e-10)
    assert_allclose(dense.ud, A @ (scale.ut * e), atol=1e-10)
    inner = scale.utt * np.outer(e, e) + np.diag(b * scale.ut)
    assert_allclose(dense.udd, A @ inner @ A.T, atol=1e-10)


def test_map_with_infinite_dof_is_exact():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[0, 1] = X[4, :2] = np.nan
    params = params._replace(dofs=np.full(2, np.inf))
    exact, log_likelihood = rows.em_step(params, X, S, dof="fixed")
    ours, height = map_scale.em_step(params, X, S, dof="fixed")
    assert_allclose(height, log_likelihood, rtol=1e-14)
    for a, b in zip(exact, ours):
        assert_allclose(a, b, rtol=1e-13)


def test_map_height_has_no_maximum_over_the_dof():
    # For a known u the best dof is infinite: p(s) is ever higher at s = 0, like sqrt(nu / 4 pi).
    # Even on data with the longest tails.
    rng = np.random.default_rng(RNG_SEED)
    X = rng.standard_t(1.0, size=(20, 2))
    S = rows.noise_covariances(X, np.full(X.shape, 0.3))
    params = Params(np.ones(1), np.zeros((1, 2)), np.eye(2)[None], np.array([1.0]))
    dofs = (1e4, 1e6, 1e8)
    heights = []
    for dof in dofs:
        best = params._replace(dofs=np.array([dof]), scatters=np.cov(X.T)[None])
        heights.append(map_scale.mean_bound(best, X, S))
    assert_allclose(np.diff(heights), np.log(100) / 2, atol=0.01)
    for _ in range(40):
        params, _ = map_scale.em_step(params, X, S)
    assert params.dofs[0] == np.inf
