"""Where tail probabilities have a closed form, they are that, at any depth."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import log_ndtr

from tests.population.problems import one, random_scatter, tail

RADII = np.array([0.1, 1.0, 2.0, 5.0, 10.0, 35.0])
DIMENSIONS = (1, 2, 3, 4, 6, 10)


def at_radii(rng, scatter):
    """Points at these distances in random directions, in the units of a scatter."""
    directions = rng.normal(size=(len(RADII), len(scatter)))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return RADII[:, None] * directions @ np.linalg.cholesky(scatter).T


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("dof", [0.7, 3.0, 30.0, 1e4])
def test_without_noise_one_component_has_the_law_of_fisher(d, dof):
    scatter = random_scatter(np.random.default_rng(d), d)
    found = tail(at_radii(np.random.default_rng(0), scatter), None, one(d, dof, scatter))
    exact = stats.f.logsf(RADII**2 / d, d, dof)
    seen = np.isfinite(exact)
    assert_allclose(found.log_p[seen], exact[seen], rtol=1e-9, atol=1e-9)
    assert found.error.max() < 1e-6


@pytest.mark.parametrize("d", DIMENSIONS)
def test_gaussian_with_any_noise_is_chi_squared(d):
    rng = np.random.default_rng(d)
    scatter, S = random_scatter(rng, d), random_scatter(rng, d)
    found = tail(at_radii(rng, scatter + S), S, one(d, np.inf, scatter))
    assert_allclose(found.log_p, stats.chi2.logsf(RADII**2, d), rtol=1e-9, atol=1e-9)


def test_noise_in_proportion_to_the_scatter_leaves_one_integral():
    """|x|^2 / (1/u + b) is chi-squared given u, and the density falls with |x| alone."""
    d, dof, b = 4, 5.0, 2.5
    scatter = random_scatter(np.random.default_rng(1), d)
    found = tail(at_radii(np.random.default_rng(0), scatter), b * scatter, one(d, dof, scatter))
    s = np.linspace(-60.0, 6.0, 200_001)
    prior = stats.loggamma.pdf(s + np.log(dof / 2), dof / 2)
    survival = [stats.chi2.sf(r**2 / (np.exp(-s) + b), d) for r in RADII]
    exact = np.log([np.trapezoid(prior * part, s) for part in survival])
    assert_allclose(found.log_p, exact, rtol=1e-7, atol=1e-7)


def test_depth_has_no_floor():
    radii = np.array([40.0, 43.0, 100.0, 1000.0])
    found = tail(radii[:, None], None, one(1, np.inf))
    assert_allclose(found.log_p, np.log(2.0) + log_ndtr(-radii), rtol=1e-12)


def test_nothing_observed_is_not_strange():
    X = np.array([[np.nan, np.nan], [3.0, np.nan], [np.nan, 3.0]])
    found = tail(X, None, one(2, np.inf))
    assert_allclose(found.log_p, [0.0] + 2 * [np.log(2.0) + log_ndtr(-3.0)], rtol=1e-9)
    assert found.error[0] == 0.0
