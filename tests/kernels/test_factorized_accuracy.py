"""The factorized engine finds the best q(w) q(u) q(z): that of the twin, which starts from many places."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from tests.reference import factorized, rows
from tests.reference.rows import Params

N_QUICK, N_SLOW = 12, 600


def random_problem(seed, n=3):
    """A few rows, and a mixture: near and far, well and badly measured, alike and unlike components."""
    rng = np.random.default_rng(seed)
    d, K = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    reach = 10.0 ** rng.uniform(-0.5, 1.5)
    roots = rng.standard_normal((K, d, d + 2)) * 10.0 ** rng.uniform(-0.7, 0.7, (K, 1, 1))
    dofs = 10.0 ** rng.uniform(-0.3, 3.0, K)
    dofs[rng.random(K) < 0.15] = np.inf
    params = Params(
        rng.dirichlet(np.full(K, 2.0)),
        reach * rng.standard_normal((K, d)),
        roots @ np.swapaxes(roots, 1, 2) / (d + 2),
        dofs,
    )
    noise = rng.standard_normal((n, d, max(1, d - seed % 2))) * 10.0 ** rng.uniform(
        -2, 1.5, (n, 1, 1)
    )
    X = reach * rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-0.5, 0.7, (n, 1))
    if d > 1:
        X[0, rng.integers(d)] = np.nan
    return params, X, noise @ np.swapaxes(noise, 1, 2)


def assert_best(seed):
    params, X, cov = random_problem(seed)
    model = RobustMixture.from_parameters(*params, engine="factorized")
    best = [factorized.row(x, S, params) for x, S in zip(X, cov)]
    bound = model.score_samples(X, X_cov=cov)
    expected = np.array([row.bound for row in best])
    assert (bound > expected - 1e-8 * np.maximum(1.0, np.abs(expected))).all(), "not the best"
    assert_allclose(bound, expected, rtol=1e-9, atol=1e-9)
    assert_allclose(model.predict_proba(X, X_cov=cov), [row.resp for row in best], atol=1e-6)
    weights = model.robust_weights(X, X_cov=cov)
    assert_allclose(weights, [row.ubar for row in best], rtol=1e-6)
    # A missing feature may have no variance, and 0 * inf spoils that of others.
    with np.errstate(invalid="ignore"):
        latent = [rows.latent(params, *row, of_row=factorized.row_moments) for row in zip(X, cov)]
    mean = model.predict_latent(X, X_cov=cov)
    assert_allclose(mean, [m for m, _ in latent], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", range(N_QUICK))
def test_random_problems(seed):
    assert_best(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_QUICK, N_QUICK + N_SLOW))
def test_many_random_problems(seed):
    assert_best(seed)


def test_with_one_component_it_is_structured():
    rng = np.random.default_rng(0)
    X, std = 5 * rng.standard_normal((60, 3)), 10.0 ** rng.uniform(-2, 2, (60, 3))
    X[::5, 1] = np.nan
    params = [1.0], [[1.0, 0.0, -1.0]], [np.diag([1.0, 2.0, 0.5]) + 0.2], 3.0
    ours, theirs = (
        RobustMixture.from_parameters(*params, engine=engine)
        for engine in ("factorized", "structured")
    )
    for method in ("score_samples", "robust_weights", "predict_latent"):
        expected = getattr(theirs, method)(X, X_std=std)
        assert_allclose(getattr(ours, method)(X, X_std=std), expected, rtol=1e-8, atol=1e-8)


def test_without_noise_and_with_infinite_dof_it_is_the_gaussian_mixture():
    rng = np.random.default_rng(1)
    X = 3 * rng.standard_normal((50, 2))
    params = [0.4, 0.6], [[0.0, 0.0], [2.0, 1.0]], [np.eye(2), [[2.0, 0.5], [0.5, 1.0]]], np.inf
    ours, exact = (
        RobustMixture.from_parameters(*params, engine=engine) for engine in ("factorized", "exact")
    )
    assert_allclose(ours.score_samples(X), exact.score_samples(X), rtol=1e-12)
    assert_allclose(ours.predict_proba(X), exact.predict_proba(X), atol=1e-12)
