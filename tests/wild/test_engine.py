"""The exact engine with a wild tail, against explicit sums and the integral itself."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from peculiar.engines import Exact
from peculiar.kernels.structs import N_WILD
from peculiar.model.prior.wild import LEAST_ORDINARY_DOF
from tests.grid import everyday
from tests.kernels.test_lanes import assert_same, problem
from tests.limits.helpers import (
    assert_same_params,
    clouds,
    noise_cov,
    noise_std,
    run_em,
    with_holes,
)
from tests.reference import rows, wild

NODES = wild.legendre(N_WILD)
EPS = 0.04


def catalogue(kind, n=24):
    """Values with holes, some of them far away, and noise (some zero)."""
    X, start = clouds(seed=21, n=n)
    X[:6] *= np.geomspace(3, 60, 6)[:, None]
    std, cov = noise_std(22, X), noise_cov(22, X)
    if kind == "none":
        return X, {}, np.zeros_like(cov), start
    X = with_holes(23, X)
    if kind == "X_std":
        return X, {"X_std": std}, rows.noise_covariances(X, std), start
    return X, {"X_cov": cov}, cov, start


def ready(params, eps=EPS, **settings):
    return RobustMixture.from_parameters(*params, wild_fraction=eps, **settings)


@pytest.mark.parametrize("dofs", [(5.0, 40.0), (np.inf, np.inf), (3.0, np.inf)], ids=str)
@pytest.mark.parametrize("kind", ["none", "X_std", "X_cov"])
def test_scores_equal_the_twin(kind, dofs):
    X, given, S, start = catalogue(kind)
    params = start._replace(dofs=np.array(dofs))
    theirs = wild.expect(params, X, S, EPS, NODES)
    model = ready(params)
    seen = theirs.plain.rows
    assert_allclose(model.score_samples(X, **given)[seen], theirs.plain.log_prob, rtol=1e-9)
    assert_allclose(model.outlier_probability(X, **given)[seen], theirs.wild, rtol=1e-8)
    assert_allclose(model.predict_proba(X, **given)[seen], theirs.plain.resp, atol=1e-9)
    e = [resp @ [m.u for m in row] for resp, row in zip(theirs.plain.resp, theirs.plain.moments)]
    assert_allclose(model.robust_weights(X, **given)[seen], e, rtol=1e-8)


@pytest.mark.parametrize("kind", ["none", "X_std", "X_cov"])
def test_clean_values_equal_the_twin(kind):
    X, given, S, start = catalogue(kind, n=10)
    params = start._replace(dofs=np.array([5.0, np.inf]))
    mean, cov = ready(params).predict_latent(X, **given, return_cov=True)

    def of_row(x, noise, params):
        components = zip(*params[1:])
        return [wild.row_moments(x, noise, *one, EPS, NODES).both for one in components]

    for i in range(len(X)):
        theirs = rows.latent(params, X[i], S[i], of_row=of_row)
        assert_allclose(mean[i], theirs[0], rtol=1e-7, atol=1e-7)
        size = max(np.abs(theirs[1]).max(), 1e-3)
        assert_allclose(cov[i], theirs[1], rtol=1e-6, atol=1e-7 * size)


@pytest.mark.parametrize("kind", ["none", "X_std", "X_cov"])
def test_iterations_equal_the_twin(kind):
    X, given, S, start = catalogue(kind)
    weights = np.random.default_rng(24).uniform(0.2, 3.0, len(X))
    theirs, eps = start._replace(dofs=np.array([16.0, 60.0])), 0.05  # where estimation starts
    ours = theirs
    for n_iter in (1, 2, 3):
        theirs, eps = wild.em_step(theirs, X, S, weights, eps, NODES, LEAST_ORDINARY_DOF)
        model = run_em(ours, X, n_iter, wild_fraction="estimate", sample_weight=weights, **given)
        assert_same_params(model, theirs, rtol=1e-8)
        assert model.wild_fraction_ == pytest.approx(eps, rel=1e-8)


@pytest.mark.parametrize(
    ("d", "either", "certain"), [(1, 1e-6, 2e-3), (2, 1e-5, 5e-3), (4, 1e-4, 2e-2), (10, 1e-2, 0.2)]
)
def test_few_nodes_are_enough_for_the_log_uniform_law(d, either, certain):
    """The density of an object that may be of either kind, and of one that is wild for certain."""
    rng = np.random.default_rng(d)
    directions = rng.standard_normal((60, d))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    distance = np.geomspace(0.3, 100.0, 60) * np.sqrt(d)
    X, std = directions * distance[:, None], np.full((60, d), 0.7)
    params = rows.Params(np.ones(1), np.zeros((1, d)), np.eye(d)[None], np.array([np.inf]))
    theirs = wild.expect(params, X, rows.noise_covariances(X, std), EPS, wild.INTEGRAL)
    ours = ready(params)
    error = np.abs(ours.score_samples(X, X_std=std) - theirs.plain.log_prob)
    is_either = theirs.wild < 0.99
    assert is_either.sum() > 15
    assert error[is_either].max() < either
    assert error.max() < certain
    assert_allclose(ours.outlier_probability(X, X_std=std), theirs.wild, atol=either)


@pytest.mark.parametrize("kind", ["none", "std", "cov"])
@pytest.mark.parametrize("d", everyday(1, 3, slow=[2, 4, 9]))
def test_lanes_agree_with_careful_rows(kind, d):
    rng = np.random.default_rng(7 + d)
    dofs = [10 ** rng.uniform(0, 5), 10 ** rng.uniform(-0.3, 1.5), np.inf]
    obs, params = problem(d, d, dofs, kind)
    assert_same(Exact(), obs, dataclasses.replace(params, wild_fraction=0.1), Exact())


@pytest.mark.parametrize("d", [1, 3])
def test_diagonals_alone(d):
    obs, params = problem(d, d, [4.0, 80.0, np.inf])
    params = dataclasses.replace(params, scatters=params.scatters * np.eye(d), wild_fraction=0.1)
    whole = Exact().summarise(obs, params)
    part = Exact().summarise(obs, dataclasses.replace(params, aligned=True))
    for name in ("n", "sum_u", "sum_log_u", "n_wild", "sum_u_wild", "bound"):
        assert_allclose(getattr(part, name), getattr(whole, name), rtol=1e-9)


def test_far_away_and_badly_measured():
    """Where both parts of the law would overflow in the units of the lanes, rows are done with care."""
    X = np.array([[1e4, 1e4], [1e4, 0.0], [1e6, -1e6], [50.0, 50.0]])
    std = np.array([[100.0, 30.0], [50.0, 3.0], [1e5, 1e5], [0.0, 0.1]])
    params = rows.Params(np.ones(1), np.zeros((1, 2)), np.eye(2)[None], np.array([np.inf]))
    theirs = wild.expect(params, X, rows.noise_covariances(X, std), EPS, NODES)
    assert_allclose(ready(params).score_samples(X, X_std=std), theirs.plain.log_prob, rtol=1e-10)


def test_as_the_fraction_vanishes_it_is_the_plain_model():
    X, given, _, start = catalogue("X_cov")
    plain, almost = ready(start, 0.0), ready(start, 1e-14)
    assert_allclose(
        almost.score_samples(X, **given), plain.score_samples(X, **given), atol=1e-9, rtol=0
    )
    assert_allclose(almost.robust_weights(X, **given), plain.robust_weights(X, **given), rtol=1e-8)
    assert almost.outlier_probability(X, **given).max() < 1e-6


def test_nothing_observed_is_wild_as_often_as_anything():
    X = np.array([[np.nan, np.nan], [0.1, np.nan]])
    params = rows.Params(np.ones(1), np.zeros((1, 2)), np.eye(2)[None], np.array([30.0]))
    model = ready(params)
    assert model.outlier_probability(X)[0] == EPS
    mean_u = (0.1 - 1e-4) / np.log(1e3)
    assert model.robust_weights(X)[0] == pytest.approx(1.0 - EPS + EPS * mean_u, rel=1e-3)
    mean, cov = model.predict_latent(X, return_cov=True)
    assert_allclose(mean[0], 0.0)
    assert np.isfinite(cov[0]).all()
    assert cov[0, 0, 0] > (1.0 - EPS) * 30.0 / 28.0
