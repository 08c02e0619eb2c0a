"""What is said of a candidate: the feature that betrays it, and whether it could be the errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2, norm

from peculiar import OutlierDetector, RobustMixture
from tests.detector.helpers import clusters, detector


def ready(locations=((0.0, 0.0),), scatters=None, dofs=np.inf):
    """A detector around known components."""
    locations = np.array(locations)
    k, d = locations.shape
    scatters = np.broadcast_to(np.eye(d), (k, d, d)) if scatters is None else scatters
    mixture = RobustMixture.from_parameters(np.full(k, 1 / k), locations, scatters, dofs)
    return OutlierDetector.from_mixture(mixture)


# ------------------------------------------------------------------------------------- explain


def test_surprise_is_the_conditional_density():
    """Of a correlated Gaussian it can be written down."""
    cov = np.array([[4.0, 1.5], [1.5, 1.0]])
    X = np.array([[1.0, -2.0], [0.0, 0.0], [5.0, 2.0]])
    std = np.array([[0.5, 0.1], [0.0, 0.3], [1.0, 1.0]])
    explanation = ready(scatters=cov[None]).explain(X, X_std=std)
    for i in range(3):
        total = cov + np.diag(std[i] ** 2)
        for j, other in ((0, 1), (1, 0)):
            slope = total[j, other] / total[other, other]
            left = X[i, j] - slope * X[i, other]
            sd = np.sqrt(total[j, j] - slope * total[j, other])
            expected = -norm.logpdf(left, scale=sd) - np.log(np.sqrt(cov[j, j]))
            assert explanation.surprise[i, j] == pytest.approx(expected, rel=1e-9)
            if left != 0.0:
                assert explanation.sign[i, j] == np.sign(left)


def test_units_do_not_decide_who_is_to_blame():
    X = np.array([[0.3, 9.0, -0.2]])
    for unit in ([1.0, 1.0, 1.0], [1e-6, 1.0, 1e6], [1e5, 1e-5, 1.0]):
        scaled = ready([[0.0, 0.0, 0.0]], (np.eye(3) * np.square(unit))[None])
        explanation = scaled.explain(X * unit, X_std=0.1 * np.ones((1, 3)) * unit)
        assert explanation.main_feature == [1]
        assert_allclose(explanation.surprise, [[1.0, 41.0, 1.0]], atol=0.2)


@pytest.mark.parametrize(("d", "k"), [(4, 1), (4, 3), (3, 2)])
def test_names_the_planted_feature(d, k):
    """Objects made peculiar in one feature by 8 sigma, among others; fitted blind, in odd units."""
    rng = np.random.default_rng([d, k])
    root = rng.standard_normal((k, d, d)) * 0.5
    scatters = root @ np.swapaxes(root, 1, 2) + 0.3 * np.eye(d)
    labels, n, n_planted = rng.integers(0, k, 1500), 1500, 150
    clean = 4 * rng.standard_normal((k, d))[labels] + np.einsum(
        "nij,nj->ni", np.linalg.cholesky(scatters)[labels], rng.standard_normal((n, d))
    )
    std = rng.uniform(0.05, 0.5, (n, d))
    X = clean + std * rng.standard_normal((n, d))
    rows, feature = np.arange(n_planted), rng.integers(0, d, n_planted)
    side = rng.choice([-1, 1], n_planted)
    sigma = np.sqrt(scatters[labels[rows], feature, feature] + std[rows, feature] ** 2)
    X[rows, feature] += 8 * side * sigma
    unit = 10.0 ** rng.integers(-3, 4, d)
    mixture = RobustMixture(k, wild_fraction="estimate", random_state=0)
    found = OutlierDetector(mixture=mixture).fit(X * unit, X_std=std * unit)
    explanation = found.explain((X * unit)[rows], X_std=(std * unit)[rows])
    right = explanation.main_feature == feature
    assert right.mean() >= 0.95
    assert (explanation.sign[rows, feature] == side)[right].mean() >= 0.98


def test_a_missing_feature_is_never_blamed():
    X = np.array([[np.nan, 0.1], [30.0, np.nan], [np.nan, np.nan], [5.0, 30.0]])
    std = np.array([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1], [np.inf, 0.1]])  # the last hides a value
    explanation = ready().explain(X, X_std=std)
    missing = np.isnan(X) | np.isinf(std)
    assert (explanation.surprise[missing] == -np.inf).all()
    assert (explanation.sign[missing] == 0).all()
    assert np.isfinite(explanation.surprise[~missing]).all()
    assert_array_equal(explanation.main_feature[[0, 1, 3]], [1, 0, 1])


# ----------------------------------------------------------------------------------- tolerance


@pytest.mark.parametrize("p", [0.5, 0.05])
def test_tolerance_solves_the_equation(p):
    """One Gaussian with errors in proportion to its scatter: the p-value is that of chi squared."""
    X = np.array([[3.0, 4.0], [0.5, 0.1], [40.0, 30.0]])
    std = np.full((3, 2), 0.8)
    factors = ready().error_tolerance(X, X_std=std, p=p)
    square = np.sum(X**2, axis=1) / chi2.isf(p, 2)
    expected = np.sqrt(np.maximum((square - 1.0) / 0.8**2, 1.0))
    expected[square <= 1.0 + 0.8**2] = 1.0
    assert_allclose(factors, expected, rtol=3e-3)
    assert factors[1] == 1.0


def test_without_errors_nothing_explains():
    factors = ready().error_tolerance([[9.0, 9.0], [0.1, 0.1]], X_std=np.zeros((2, 2)), p=0.5)
    assert_array_equal(factors, [np.inf, 1.0])
    std = [[0.0, 1.0], [0.0, 1.0]]
    one_sided = ready().error_tolerance([[9.0, 0.0], [0.0, 9.0]], X_std=std, p=0.5)
    assert one_sided[0] == np.inf
    assert 5.0 < one_sided[1] < 20.0


@pytest.mark.parametrize("factor", [3, 5, 10])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_understated_errors_are_measured(factor, d):
    rng = np.random.default_rng([factor, d])
    std = rng.uniform(0.3, 1.5, (1200, d))
    true = std.copy()
    true[:150] *= factor
    X = rng.standard_normal((1200, d)) + true * rng.standard_normal((1200, d))
    mixture = RobustMixture(1, wild_fraction="estimate", random_state=0)
    found = OutlierDetector(mixture=mixture).fit(X, X_std=std)
    factors = found.error_tolerance(X[:150], X_std=std[:150], p=0.5)
    assert np.median(factors) == pytest.approx(factor, rel=0.2)
    assert np.median(found.error_tolerance(X[150:], X_std=std[150:], p=0.5)) < 1.3


def test_by_default_the_errors_must_hide_a_discovery():
    """Objects that are none have the factor 1; with the errors times their factors, the others are at the line."""
    sky = clusters(3, 30, n=400)
    found = detector(sky)
    mask = found.discoveries(**sky.measured).mask
    factors = found.error_tolerance(**sky.measured)
    assert_array_equal(factors[~mask], 1.0)
    assert (factors[mask] > 1.0).all()
    reached = found.p_values(sky.X[mask], X_std=sky.X_std[mask] * factors[mask, None])
    assert_allclose(reached, mask.sum() * found.fdr / len(sky.X), rtol=0.05)
    some = np.flatnonzero(mask)[:3]  # the line is that of the table it was fitted to
    assert_array_equal(found.error_tolerance(sky.X[some], X_std=sky.X_std[some]), factors[some])
    without_rows = OutlierDetector.from_mixture(found.mixture_)
    assert_array_equal(without_rows.error_tolerance(**sky.measured), factors)


# -------------------------------------------------------------------------------- badly measured


def test_huge_errors_are_never_a_discovery():
    sky = clusters(7, 30, n=400)
    sky.X_std[400:415] = 1e3  # half of the planted ones
    rng = np.random.default_rng(0)
    sky.X[400:415] += 1e3 * rng.standard_normal((15, 2))
    found = detector(sky)
    for method in ("bh", "storey", "bayes"):
        mask = found.discoveries(**sky.measured, fdr=0.2, method=method).mask
        assert not mask[400:415].any()
        assert mask[415:].sum() > 8
    assert (found.error_tolerance(sky.X[400:415], X_std=sky.X_std[400:415]) < 4).all()
    nothing = found.p_values([[np.nan, np.nan]], X_std=[[1.0, 1.0]])
    assert nothing == [1.0]
