"""Infinite dof is extreme deconvolution; without noise it is the Gaussian mixture."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.mixture import GaussianMixture

from tests.limits.helpers import (
    assert_same_params,
    clouds,
    noise_cov,
    noise_std,
    run_em,
    with_holes,
)
from tests.reference import rows, xd

N_ITER = 5
ENGINES = ["exact", "structured"]


def gaussian_clouds(seed):
    X, start = clouds(seed, dof=50.0)
    return X, start._replace(dofs=np.full(2, np.inf))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("holes", [False, True], ids=["complete", "missing values"])
@pytest.mark.parametrize("noise", ["X_std", "X_cov"])
def test_infinite_dof_is_extreme_deconvolution(engine, noise, holes):
    X, start = gaussian_clouds(seed=1)
    given = {noise: (noise_std if noise == "X_std" else noise_cov)(2, X)}
    X = with_holes(3, X) if holes else X
    S = rows.noise_covariances(X, given["X_std"]) if noise == "X_std" else given["X_cov"]
    theirs = xd.Gaussians(*start[:3])
    for n_iter in range(1, N_ITER + 1):
        theirs = xd.xd_step(theirs, X, S)
        ours = run_em(start, X, n_iter, engine=engine, dof="fixed", **given)
        assert_same_params(ours, rows.Params(*theirs, start.dofs), rtol=1e-9)
        assert_allclose(ours.lower_bound_, xd.mean_log_likelihood(theirs, X, S), rtol=1e-10)


@pytest.mark.parametrize("engine", ENGINES)
def test_lower_bounds_are_those_after_each_iteration(engine):
    X, start = gaussian_clouds(seed=1)
    std = noise_std(2, X)
    S = rows.noise_covariances(X, std)
    mixture, bounds = xd.Gaussians(*start[:3]), []
    for _ in range(N_ITER):
        mixture = xd.xd_step(mixture, X, S)
        bounds.append(xd.mean_log_likelihood(mixture, X, S))
    ours = run_em(start, X, N_ITER, engine=engine, dof="fixed", X_std=std)
    assert_allclose(ours.lower_bounds_, bounds, rtol=1e-10)


@pytest.mark.parametrize("engine", ENGINES)
def test_infinite_dof_without_noise_is_the_gaussian_mixture(engine):
    rng = np.random.default_rng(4)
    X = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(40, 2)) * [0.5, 2] + [5, 1]])
    start = rows.Params(
        weights=np.array([0.5, 0.5]),
        locations=np.array([[0.0, 0.0], [4.0, 1.0]]),
        scatters=np.array([np.eye(2)] * 2),
        dofs=np.full(2, np.inf),
    )
    theirs = GaussianMixture(
        2,
        weights_init=start.weights,
        means_init=start.locations,
        precisions_init=np.linalg.inv(start.scatters),
        reg_covar=0.0,
        tol=1e-15,
        max_iter=1000,
    ).fit(X)
    ours = run_em(start, X, 200, engine=engine, dof="fixed")
    converged = rows.Params(theirs.weights_, theirs.means_, theirs.covariances_, start.dofs)
    assert_same_params(ours, converged, rtol=1e-7)
    assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-6)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_gaussian_is_mean_and_covariance(engine):
    X, start = gaussian_clouds(seed=5)
    start = rows.Params(np.ones(1), *(part[:1] for part in start[1:]))
    ours = run_em(start, X, 2, engine=engine, dof="fixed")
    assert_allclose(ours.locations_[0], X.mean(axis=0), rtol=1e-12)
    assert_allclose(ours.scatters_[0], np.cov(X.T, bias=True), rtol=1e-11)


def test_large_dof_tends_to_infinite_dof():
    X, start = gaussian_clouds(seed=1)
    std = noise_std(2, X)
    gaussian = run_em(start, X, 3, dof="fixed", X_std=std)
    nearly = run_em(start._replace(dofs=np.full(2, 1e6)), X, 3, dof="fixed", X_std=std)
    assert_allclose(nearly.scatters_, gaussian.scatters_, atol=1e-4)
    assert_allclose(nearly.lower_bounds_, gaussian.lower_bounds_, atol=1e-4)
