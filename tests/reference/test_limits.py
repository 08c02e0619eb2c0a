"""Twins meet where they should: extreme deconvolution, the t mixture, and other people's Gaussian mixture."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.mixture import GaussianMixture

from tests.reference import rows, t_mixture, xd
from tests.reference.problems import RNG_SEED, noisy_mixture


def test_rows_with_infinite_dof_are_extreme_deconvolution():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[0, 1] = X[4, :2] = np.nan
    params = params._replace(dofs=np.full(2, np.inf))
    new, bound = rows.em_step(params, X, S, dof="fixed")
    gaussians = xd.Gaussians(*params[:3])
    assert_allclose(bound, xd.mean_log_likelihood(gaussians, X, S), rtol=1e-13)
    for a, b in zip(new, xd.xd_step(gaussians, X, S)):
        assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("dof", ["estimate", "shared", "fixed"])
def test_rows_without_noise_are_the_plain_t_mixture(dof):
    params, X, _ = noisy_mixture(np.random.default_rng(RNG_SEED))
    new, bound = rows.em_step(params, X, rows.noise_covariances(X), dof=dof)
    plain = t_mixture.em_step(params, X, dof=dof)
    assert_allclose(bound, t_mixture.mean_log_likelihood(params, X), rtol=1e-12)
    for a, b in zip(new, plain):
        assert_allclose(a, b, rtol=1e-8)


def test_xd_without_noise_is_gaussian_mixture():
    rng = np.random.default_rng(RNG_SEED)
    X = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(25, 2)) * [0.5, 2] + [4, 1]])
    start = xd.Gaussians(
        np.array([0.5, 0.5]), np.array([[0.0, 0], [3, 1]]), np.array([np.eye(2)] * 2)
    )
    theirs = GaussianMixture(
        2,
        weights_init=start.alpha,
        means_init=start.m,
        precisions_init=start.V,
        reg_covar=0.0,
        tol=1e-14,
        max_iter=2000,
    ).fit(X)
    ours = start
    for _ in range(theirs.n_iter_ + 20):
        ours = xd.xd_step(ours, X, rows.noise_covariances(X))
    assert_allclose(ours.alpha, theirs.weights_, rtol=1e-6)
    assert_allclose(ours.m, theirs.means_, rtol=1e-6, atol=1e-6)
    assert_allclose(ours.V, theirs.covariances_, rtol=1e-5, atol=1e-6)
