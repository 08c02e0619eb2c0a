"""How far a list can be trusted: p-values, noise, pulls."""

import numpy as np
import pytest

from peculiar import RobustMixture
from peculiar.population.certificate import multiplier
from peculiar.report.scene.trust import KEPT, Trust, find_pulls, noise_classes


@pytest.fixture(scope="module")
def p():
    rng = np.random.default_rng(5)
    return np.r_[10.0 ** -rng.uniform(3, 20, 40), 0.0, rng.uniform(size=960)]


def test_small_p_values_are_kept_one_by_one_and_the_others_counted(p):
    trust = Trust.of(p, (0.05, "bh"), None, None, None)
    small = sorted(np.log(max(value, 1e-308)) for value in p if value < KEPT)
    np.testing.assert_allclose(trust.log_p, small)
    for k, count in enumerate(trust.histogram):
        low, high = k / 50, (k + 1) / 50
        assert count == sum(low <= value < high or (k == 49 and value == 1.0) for value in p)
    assert trust.n == len(p)
    assert trust.multiplier == multiplier(0.1)


def test_no_discovery_at_a_rate_of_up_to_a_fifth_is_left_out(p):
    from peculiar.population.discoveries import by_p_values

    for rate in (0.01, 0.05, 0.2):
        assert p[by_p_values(p, rate).mask].max() < KEPT


def test_noise_classes_are_counted_as_in_a_loop():
    rng = np.random.default_rng(1)
    p, errors = rng.uniform(size=103), rng.uniform(0.1, 1.0, size=(103, 2))
    errors[4] = np.nan  # nothing is known of it
    errors[5, 0] = np.nan
    found = noise_classes(p, errors, np.array([1.0, 2.0]))
    size = [np.sqrt(np.nanmean((row / [1.0, 2.0]) ** 2)) for row in np.delete(errors, 4, axis=0)]
    left = np.delete(p, 4)
    order = np.argsort(size)
    seen = [np.count_nonzero(left[part] <= 0.1) for part in np.array_split(order, 5)]
    assert list(found.seen) == seen
    assert found.n.sum() == 102
    assert np.all(np.diff(found.noise) > 0)


def test_the_same_errors_make_no_classes():
    assert noise_classes(np.ones(50), np.full((50, 2), 0.1), np.ones(2)) is None
    assert noise_classes(np.ones(50), np.zeros((50, 2)), np.ones(2)) is None


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_pulls_have_the_width_of_the_errors(factor):
    """Of a normal population: 1 if the errors are right; more if they are stated too small."""
    rng = np.random.default_rng(2)
    n, scatter = 20_000, np.array([[1.0, 0.6], [0.6, 1.0]])
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0]], [scatter], [np.inf])
    stated = rng.uniform(0.3, 1.0, size=(n, 2))
    clean = rng.multivariate_normal([0.0, 0.0], scatter, size=n)
    x = clean + factor * stated * rng.normal(size=(n, 2))
    found, cov = model.predict_latent(x, X_std=stated, return_cov=True)
    left = np.sqrt(np.diagonal(cov, axis1=1, axis2=2))
    pulls = find_pulls(x, stated, found, left)
    width = 0.5 * (pulls.percentiles[:, 3] - pulls.percentiles[:, 1])
    if factor == 1.0:
        np.testing.assert_allclose(width, 0.9945, atol=0.02)
        np.testing.assert_allclose(pulls.percentiles[:, 4], 1.96, atol=0.05)
    else:
        assert np.all(width > 1.2)


def test_values_without_errors_have_no_pulls():
    x = np.ones((5, 1))
    assert find_pulls(x, 0 * x, x, 0 * x) is None
