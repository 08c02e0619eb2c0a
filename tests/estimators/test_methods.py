"""Scores, clean values, samples and criteria, against closed forms and scipy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.special import logsumexp

from peculiar import RobustMixture
from peculiar.errors import SettingError
from tests.estimators.helpers import as_cov, measured, published, quick, two_clusters

X = np.random.default_rng(0).normal(scale=4.0, size=(40, 2))


def scipy_log_prob(model, values):
    """Log-density of exact values, (n, K), weights included."""
    return np.column_stack(
        [
            np.log(weight)
            + (
                stats.multivariate_normal(location, scatter).logpdf(values)
                if np.isinf(dof)
                else stats.multivariate_t(location, scatter, df=dof).logpdf(values)
            )
            for weight, location, scatter, dof in zip(
                model.weights_, model.locations_, model.scatters_, model.dofs_
            )
        ]
    )


# --------------------------------------------------------------------------------- ready models


@pytest.mark.parametrize("engine", ["exact", "structured"])
def test_a_ready_model_scores_as_scipy_does(engine):
    model = published(dofs=[1.3, np.inf], engine=engine)
    joint = scipy_log_prob(model, X)
    total = logsumexp(joint, axis=1)
    assert_allclose(model.score_samples(X), total, rtol=1e-12)
    assert_allclose(model.score(X), total.mean(), rtol=1e-12)
    assert_allclose(model.predict_proba(X), np.exp(joint - total[:, None]), rtol=1e-9, atol=1e-300)
    assert_array_equal(model.predict(X), joint.argmax(axis=1))
    weights = np.arange(40.0)
    assert_allclose(
        model.score(X, sample_weight=weights), np.average(total, weights=weights), rtol=1e-12
    )


def test_a_ready_model_is_what_was_given():
    model = published()
    assert_array_equal(model.weights_, [0.3, 0.7])
    assert_array_equal(model.locations_, [[0.0, 1.0], [4.0, -2.0]])
    assert model.n_features_in_ == 2
    assert model.n_components == 2
    assert published(engine="structured", tol=1e-3).engine == "structured"


def test_published_weights_are_rounded():
    model = RobustMixture.from_parameters(
        [0.33, 0.33, 0.33], np.zeros((3, 1)), np.ones((3, 1, 1)), 5
    )
    assert_allclose(model.weights_, 1 / 3)


def test_scatters_of_a_ready_model_may_be_variances():
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0, 0.0]], [[1.0, 2.0, 3.0]], 5)
    assert_array_equal(model.scatters_, [np.diag([1.0, 2.0, 3.0])])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 3}, r"^n_components=3 was given, but parameters of 2$"),
        (
            {"dof": 5.0},
            r"^the setting dof fixes \[5\.0, 5\.0\], but the dofs are \[4\.0, inf\]; leave the setting out$",
        ),
        ({"dof": "shared"}, r"^dof='shared', but the dofs differ: \[4\.0, inf\]$"),
        (
            {"scatter": "diag"},
            r"^scatters\[0\] does not have the structure scatter='diag': \[\[2\.0, 0\.6\], \[0\.6, 1\.0\]\]$",
        ),
        (
            {"engine": "fast"},
            r"^engine='fast' is unknown; choose one of 'exact', 'structured', 'factorized', 'monte_carlo', 'map'$",
        ),
        ({"max_iter": 0}, r"^max_iter must be a whole number, 1 or more, not 0$"),
    ],
)
def test_settings_that_contradict_the_parameters(settings, message):
    with pytest.raises(SettingError, match=message):
        published(**settings)


def test_settings_that_agree_with_the_parameters():
    assert published(dofs=3.0, dof=3.0).dof == 3.0
    assert published(dofs=[3.0, 3.0], dof="shared").dof == "shared"


# ------------------------------------------------------------------------------- robust weights


def test_robust_weights_without_noise():
    model = RobustMixture.from_parameters([1.0], [[1.0, 2.0]], [[[2.0, 0.3], [0.3, 1.0]]], 5)
    delta = X - model.locations_[0]
    square = np.einsum("ni,ij,nj->n", delta, np.linalg.inv(model.scatters_[0]), delta)
    assert_allclose(model.robust_weights(X), (5 + 2) / (5 + square), rtol=1e-12)


def test_an_uncertain_object_is_not_strange():
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 4)
    far = np.full((2, 1), 30.0)
    exact, uncertain = model.robust_weights(far, X_std=np.array([[0.0], [30.0]]))
    assert exact < 0.01
    assert uncertain > 0.8


# --------------------------------------------------------------------------------- clean values


def test_without_noise_the_clean_value_is_the_measured_one():
    mean, cov = published().predict_latent(X, return_cov=True)
    assert_allclose(mean, X, rtol=1e-12)
    assert_allclose(cov, np.zeros((40, 2, 2)), atol=1e-12)
    assert_array_equal(published().predict_latent(X), mean)


def test_under_huge_noise_the_clean_value_is_that_of_the_component():
    model = RobustMixture.from_parameters([1.0], [[3.0, -1.0]], [[[2.0, 0.3], [0.3, 1.0]]], 6)
    mean, cov = model.predict_latent(X, X_std=np.full(X.shape, 1e9), return_cov=True)
    assert_allclose(mean, np.tile([3.0, -1.0], (40, 1)), atol=1e-6)
    assert_allclose(cov, np.tile(model.covariances_, (40, 1, 1)), rtol=1e-6)


def test_variances_of_clean_values_are_never_negative():
    """Errors that are nothing beside the scatter leave nothing but rounding."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal((400, 2)) * 30.0
    std = 10 ** rng.uniform(-12, -7, values.shape)
    _, cov = published().predict_latent(values, X_std=std, return_cov=True)
    assert np.diagonal(cov, axis1=1, axis2=2).min() >= 0.0


def gaussian_posterior(model, x, noise):
    """Mean and covariance of the clean value under a mixture of Gaussians, by dense algebra."""
    seen = np.flatnonzero(~np.isnan(x))
    log_joint, means, covs = [], [], []
    for weight, location, scatter in zip(model.weights_, model.locations_, model.scatters_):
        total = (scatter + noise)[np.ix_(seen, seen)]
        gain = scatter[:, seen] @ np.linalg.inv(total)
        means.append(location + gain @ (x - location)[seen])
        covs.append(scatter - gain @ scatter[seen])
        density = stats.multivariate_normal(location[seen], total).logpdf(x[seen])
        log_joint.append(np.log(weight) + density)
    resp = np.exp(np.array(log_joint) - logsumexp(log_joint))
    mean = resp @ np.array(means)
    spread = np.array(means) - mean
    cov = np.einsum("k,kij->ij", resp, np.array(covs)) + np.einsum(
        "k,ki,kj->ij", resp, spread, spread
    )
    return mean, cov


@pytest.mark.parametrize("engine", ["exact", "structured"])
def test_missing_values_are_filled_in_by_regression(engine):
    rng = np.random.default_rng(1)
    factors = rng.normal(size=(2, 3, 3))
    model = RobustMixture.from_parameters(
        [0.4, 0.6],
        rng.normal(size=(2, 3)),
        factors @ factors.transpose(0, 2, 1) + np.eye(3),
        np.inf,
        engine=engine,
    )
    values = rng.normal(scale=3.0, size=(30, 3))
    values[rng.random(values.shape) < 0.4] = np.nan
    values[np.isnan(values).all(axis=1), 0] = 1.0
    X_std = rng.uniform(0, 2, values.shape)
    mean, cov = model.predict_latent(values, X_std=X_std, return_cov=True)
    for i, (x, noise) in enumerate(zip(values, as_cov(X_std))):
        expected_mean, expected_cov = gaussian_posterior(model, x, noise)
        assert_allclose(mean[i], expected_mean, rtol=1e-9, atol=1e-10)
        assert_allclose(cov[i], expected_cov, rtol=1e-8, atol=1e-10)


def test_a_heavy_tail_leaves_no_variance_to_a_missing_value():
    model = RobustMixture.from_parameters([1.0], [[1.0, 5.0]], [np.eye(2)], 1.0)
    mean, cov = model.predict_latent(np.array([[2.0, np.nan], [np.nan, np.nan]]), return_cov=True)
    assert_allclose(mean, [[2.0, 5.0], [1.0, 5.0]])
    assert_array_equal(cov[0], [[0.0, 0.0], [0.0, np.inf]])
    assert_array_equal(cov[1], [[np.inf, 0.0], [0.0, np.inf]])


# -------------------------------------------------------------------------------------- samples


def test_samples_of_one_t_follow_scipy():
    scatter = np.array([[2.0, 0.6], [0.6, 1.0]])
    model = RobustMixture.from_parameters([1.0], [[3.0, -1.0]], [scatter], 3.0)
    values, labels = model.sample(4000, random_state=1)
    assert values.shape == (4000, 2)
    assert_array_equal(labels, 0)
    delta = values - [3.0, -1.0]
    for j in range(2):
        standard = delta[:, j] / np.sqrt(scatter[j, j])
        assert stats.kstest(standard, stats.t(3.0).cdf).pvalue > 0.01
    square = np.einsum("ni,ij,nj->n", delta, np.linalg.inv(scatter), delta)
    assert stats.kstest(square / 2, stats.f(2, 3.0).cdf).pvalue > 0.01
    # the test would see a Gaussian
    assert stats.kstest(square / 2, stats.chi2(2, scale=0.5).cdf).pvalue < 1e-6


def test_moments_of_samples():
    model = published(dofs=[30.0, np.inf])
    values, labels = model.sample(40_000, random_state=2)
    assert_allclose(np.bincount(labels) / 40_000, model.weights_, atol=0.01)
    for k in range(2):
        own = values[labels == k]
        assert_allclose(own.mean(axis=0), model.locations_[k], atol=0.05)
        assert_allclose(np.cov(own.T), model.covariances_[k], atol=0.08)


def test_measured_samples_have_the_noise_of_each_row():
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0]], [np.eye(2)], np.inf)
    X_std = np.tile([0.0, 3.0], (20_000, 1))
    X_std[::2] = [2.0, np.inf]
    values, _ = model.sample(20_000, X_std=X_std, random_state=3)
    assert_allclose(np.var(values[::2, 0]), 1 + 4, rtol=0.05)
    assert np.isnan(values[::2, 1]).all()
    assert_allclose(np.var(values[1::2], axis=0), [1, 1 + 9], rtol=0.05)
    cov = np.tile([[1.0, 1.8], [1.8, 4.0]], (20_000, 1, 1))
    values, _ = model.sample(20_000, X_cov=cov, random_state=3)
    assert_allclose(np.cov(values.T), cov[0] + np.eye(2), atol=0.15)
    rank_one = np.tile(np.outer([1.0, 2.0], [1.0, 2.0]), (20_000, 1, 1))
    values, _ = model.sample(20_000, X_cov=rank_one, random_state=3)
    assert_allclose(np.cov(values.T), rank_one[0] + np.eye(2), atol=0.15)


def test_samples_are_reproducible():
    model = published(random_state=5)
    assert_array_equal(model.sample(10)[0], model.sample(10)[0])
    assert_array_equal(model.sample(10, random_state=5)[0], model.sample(10)[0])
    assert (model.sample(10, random_state=6)[0] != model.sample(10)[0]).any()
    rng = np.random.default_rng(0)
    assert (model.sample(3, random_state=rng)[0] != model.sample(3, random_state=rng)[0]).all()


def test_samples_of_a_wild_tail_can_be_scored():
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 1e-3)
    values, _ = model.sample(100, random_state=0)
    assert np.isfinite(model.score_samples(values)).all()


# ------------------------------------------------------------------------------------- criteria


@pytest.mark.parametrize(
    ("settings", "n_parameters"),
    [
        ({}, 1 + 2 * (2 + 3) + 2),
        ({"dof": "shared"}, 1 + 2 * (2 + 3) + 1),
        ({"dof": 5.0}, 1 + 2 * (2 + 3)),
        ({"dof": np.inf, "scatter": "diag"}, 1 + 2 * (2 + 2)),
        ({"scatter": "diag"}, 1 + 2 * (2 + 2) + 2),
        ({"n_components": 1}, 0 + 5 + 1),
    ],
)
def test_parameters_are_counted(settings, n_parameters):
    values, X_std = measured()
    model = quick(**settings).fit(values, X_std=X_std)
    total = model.score_samples(values, X_std=X_std).sum()
    assert_allclose(model.aic(values, X_std=X_std), 2 * n_parameters - 2 * total, rtol=1e-12)
    assert_allclose(
        model.bic(values, X_std=X_std), n_parameters * np.log(len(values)) - 2 * total, rtol=1e-12
    )


def test_criteria_prefer_two_clusters_for_two_clusters():
    values = two_clusters()
    one, two = quick(1).fit(values), quick(2).fit(values)
    assert two.bic(values) < one.bic(values)
    assert two.aic(values) < one.aic(values)


def test_covariances_without_a_value_are_infinite():
    """Two components without a variance, that would pull the covariance to opposite infinities."""
    scatters = [[[1.0, 0.5], [0.5, 1.0]], [[1.0, -0.5], [-0.5, 1.0]]]
    model = RobustMixture.from_parameters([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], scatters, 1.0)
    mean, cov = model.predict_latent([[np.nan, np.nan]], return_cov=True)
    np.testing.assert_allclose(mean, [[0.5, 0.5]])
    assert np.isposinf(cov).all()
