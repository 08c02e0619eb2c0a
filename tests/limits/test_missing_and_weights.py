"""Missing is dropped, a weight of two is a row twice, and no order matters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import RobustMixture
from tests.limits.helpers import (
    assert_same_params,
    clouds,
    noise_cov,
    noise_std,
    run_em,
    with_holes,
)
from tests.reference.rows import Params

N_ITER = 4


@pytest.fixture(params=["exact", "structured"])
def engine(request):
    return request.param


@pytest.fixture
def catalogue():
    X, start = clouds(seed=21, n=30)
    std = noise_std(22, X)
    return with_holes(23, X), std, start


def fitted_params(model):
    return Params(model.weights_, model.locations_, model.scatters_, model.dofs_)


@pytest.mark.parametrize("noise", ["X_std", "X_cov"])
def test_missing_feature_scores_as_the_marginal_model(engine, noise):
    X, start = clouds(seed=21, n=30)
    given = noise_std(22, X) if noise == "X_std" else noise_cov(22, X)
    kept = np.array([0, 2])
    gone = X.copy()
    gone[:, 1] = np.nan
    full = RobustMixture.from_parameters(*start, engine=engine)
    marginal = RobustMixture.from_parameters(
        start.weights,
        start.locations[:, kept],
        start.scatters[:, kept][:, :, kept],
        start.dofs,
        engine=engine,
    )
    part = given[:, kept] if noise == "X_std" else given[:, kept][:, :, kept]
    for method in ("score_samples", "predict_proba", "robust_weights"):
        whole = getattr(full, method)(gone, **{noise: given})
        assert_allclose(whole, getattr(marginal, method)(X[:, kept], **{noise: part}), rtol=1e-11)
    latent = full.predict_latent(gone, **{noise: given})
    assert_allclose(
        latent[:, kept], marginal.predict_latent(X[:, kept], **{noise: part}), rtol=1e-10
    )


def test_infinite_std_is_missing(engine, catalogue):
    X, std, start = catalogue
    filled, infinite = np.where(np.isnan(X), 7.0, X), np.where(np.isnan(X), np.inf, std)
    missing = run_em(start, X, N_ITER, engine=engine, X_std=std)
    vague = run_em(start, filled, N_ITER, engine=engine, X_std=infinite)
    assert_same_params(vague, fitted_params(missing), rtol=1e-12)
    assert_allclose(
        vague.score_samples(filled, X_std=infinite), missing.score_samples(X, X_std=std), rtol=1e-12
    )


def test_std_of_a_missing_value_does_not_matter(engine, catalogue):
    X, std, start = catalogue
    other = np.where(np.isnan(X), 123.0, std)
    assert_array_equal(
        run_em(start, X, N_ITER, engine=engine, X_std=other).scatters_,
        run_em(start, X, N_ITER, engine=engine, X_std=std).scatters_,
    )


def test_weight_of_two_is_a_row_twice(engine, catalogue):
    X, std, start = catalogue
    times = np.random.default_rng(24).integers(1, 4, len(X))
    weighted = run_em(start, X, N_ITER, engine=engine, X_std=std, sample_weight=times.astype(float))
    repeated = run_em(
        start,
        np.repeat(X, times, axis=0),
        N_ITER,
        engine=engine,
        X_std=np.repeat(std, times, axis=0),
    )
    assert_same_params(weighted, fitted_params(repeated), rtol=1e-10)
    assert_allclose(weighted.lower_bounds_, repeated.lower_bounds_, rtol=1e-11)


def test_weight_of_zero_is_no_row(engine, catalogue):
    X, std, start = catalogue
    weights = np.ones(len(X))
    weights[::6] = 0.0
    kept = weights > 0
    weighted = run_em(start, X, N_ITER, engine=engine, X_std=std, sample_weight=weights)
    without = run_em(start, X[kept], N_ITER, engine=engine, X_std=std[kept])
    assert_same_params(weighted, fitted_params(without), rtol=1e-10)
    assert_allclose(weighted.lower_bounds_, without.lower_bounds_, rtol=1e-11)


def test_only_ratios_of_weights_matter(engine, catalogue):
    X, std, start = catalogue
    weights = np.random.default_rng(25).uniform(0.1, 2.0, len(X))
    some = run_em(start, X, N_ITER, engine=engine, X_std=std, sample_weight=weights)
    more = run_em(start, X, N_ITER, engine=engine, X_std=std, sample_weight=1e3 * weights)
    assert_same_params(more, fitted_params(some), rtol=1e-10)
    assert_allclose(more.lower_bounds_, some.lower_bounds_, rtol=1e-11)


def test_order_of_rows_does_not_matter(engine, catalogue):
    X, std, start = catalogue
    order = np.random.default_rng(26).permutation(len(X))
    straight = run_em(start, X, N_ITER, engine=engine, X_std=std)
    shuffled = run_em(start, X[order], N_ITER, engine=engine, X_std=std[order])
    assert_same_params(shuffled, fitted_params(straight), rtol=1e-10)
    assert_allclose(
        shuffled.score_samples(X[order], X_std=std[order]),
        straight.score_samples(X, X_std=std)[order],
        rtol=1e-10,
    )


def test_order_of_components_does_not_matter(engine, catalogue):
    X, std, start = catalogue
    straight = run_em(start, X, N_ITER, engine=engine, X_std=std)
    swapped = run_em(Params(*(part[::-1] for part in start)), X, N_ITER, engine=engine, X_std=std)
    backwards = Params(*(part[::-1] for part in fitted_params(straight)))
    assert_same_params(swapped, backwards, rtol=1e-10)
    assert_allclose(
        swapped.predict_proba(X, X_std=std),
        straight.predict_proba(X, X_std=std)[:, ::-1],
        atol=1e-10,
    )


def test_row_with_nothing_observed_changes_nothing(engine, catalogue):
    X, std, start = catalogue
    more_X = np.vstack([np.full(3, np.nan), X, np.full(3, np.nan)])
    more_std = np.vstack([np.ones(3), std, np.full(3, np.inf)])
    without = run_em(start, X, N_ITER, engine=engine, X_std=std)
    with_empty = run_em(start, more_X, N_ITER, engine=engine, X_std=more_std)
    assert_same_params(with_empty, fitted_params(without), rtol=1e-12)
    assert_allclose(with_empty.lower_bounds_, without.lower_bounds_, rtol=1e-13)
    scores = with_empty.score_samples(more_X, X_std=more_std)
    assert_allclose(scores[[0, -1]], 0.0, atol=1e-15)
    assert_allclose(scores[1:-1], without.score_samples(X, X_std=std), rtol=1e-11)


def test_row_with_nothing_observed_gets_the_prior(engine, catalogue):
    _, _, start = catalogue
    model = RobustMixture.from_parameters(*start, engine=engine)
    empty = np.full((1, 3), np.nan)
    assert_allclose(model.predict_proba(empty), [start.weights], rtol=1e-14)
    assert_allclose(model.robust_weights(empty), [1.0], rtol=1e-14)
    assert_allclose(model.predict_latent(empty), [start.weights @ start.locations], rtol=1e-13)
