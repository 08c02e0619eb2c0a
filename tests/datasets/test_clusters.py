"""The simulated clusters: their laws, and the oracle against a double integral."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import dblquad
from scipy.stats import kstest, multivariate_normal

from peculiar.datasets import Clusters, make_clusters
from peculiar.datasets.clusters import CENTRES, COVARIANCES, HIGH, LOW


def density(a, b):
    """Of the clusters, at a clean value."""
    total = 0.0
    for (m, n), ((p, q), (_, r)) in zip(CENTRES.tolist(), COVARIANCES.tolist()):
        x, y, determinant = a - m, b - n, p * r - q * q
        square = (r * x * x - 2 * q * x * y + p * y * y) / determinant
        total += math.exp(-square / 2) / (2 * math.pi * math.sqrt(determinant)) / 3
    return total


def oracle_by_integration(x, std, share):
    """Both laws of the clean value, each integrated with the law of the error."""

    def seen(w1, w0):
        square = ((x[0] - w0) / std[0]) ** 2 + ((x[1] - w1) / std[1]) ** 2
        return math.exp(-square / 2) / (2 * math.pi * std[0] * std[1])

    ends = [[max(LOW, x[j] - 9 * std[j]), min(HIGH, x[j] + 9 * std[j])] for j in (0, 1)]
    strange = share / (HIGH - LOW) ** 2 * dblquad(seen, *ends[0], *ends[1])[0]
    wide = [end for j in (0, 1) for end in (x[j] - 9 * std[j], x[j] + 9 * std[j])]
    ordinary = (1 - share) * dblquad(lambda b, a: density(a, b) * seen(b, a), *wide)[0]
    return strange / (strange + ordinary)


@pytest.mark.parametrize("x", [[0.5, -1.0], [4.0, 4.0], [23.5, 3.0], [12.0, 4.0]])
def test_the_oracle_is_what_integrals_say(x):
    std = np.array([0.7, 1.3])
    sky = Clusters(
        np.array([x] * 4), np.array([std] * 4), np.zeros((4, 2)), np.array([0, 1, 2, -1])
    )
    expected = oracle_by_integration(np.array(x), std, share=0.25)
    assert_allclose(sky.oracle(), expected, rtol=1e-6)


def test_the_oracle_of_exact_values():
    x = np.array([[0.0, 0.0], [-9.0, 20.0], [500.0, 0.0]])
    sky = Clusters(x, np.zeros((3, 2)), x, np.array([0, 0, -1]))
    density = multivariate_normal(CENTRES[0], COVARIANCES[0]).pdf(x[0]) / 3 * 2 / 3
    flat = 1 / 3 / (HIGH - LOW) ** 2
    assert_allclose(sky.oracle(), [flat / (flat + density), 1.0, 1.0], rtol=1e-9)


def test_the_oracle_is_calibrated():
    sky = make_clusters(10_000, n_outliers=3_000, noise_variance=4.0, random_state=0)
    p = sky.oracle()
    for low in (0.1, 0.3, 0.5, 0.7):
        chosen = (p >= low) & (p < low + 0.2)
        expected, spread = p[chosen].sum(), np.sqrt((p * (1 - p))[chosen].sum())
        assert abs(sky.is_outlier[chosen].sum() - expected) < 4 * spread


def test_laws():
    sky = make_clusters(2_000, n_outliers=2_000, noise_variance=9.0, random_state=1)
    assert_array_equal(np.bincount(sky.population + 1), [2_000] * 4)
    for k in range(3):
        white = np.linalg.solve(
            np.linalg.cholesky(COVARIANCES[k]), (sky.clean[sky.population == k] - CENTRES[k]).T
        )
        assert kstest(white.ravel(), "norm").pvalue > 1e-3
    outliers = (sky.clean[sky.is_outlier] - LOW) / (HIGH - LOW)
    assert kstest(outliers.ravel(), "uniform").pvalue > 1e-3
    assert kstest(np.square(sky.X_std).ravel() / 9.0, "uniform").pvalue > 1e-3
    assert kstest(((sky.X - sky.clean) / sky.X_std).ravel(), "norm").pvalue > 1e-3


def test_no_noise_and_no_sense():
    sky = make_clusters(5, n_outliers=2, noise_variance=0.0, random_state=0)
    assert_array_equal(sky.X, sky.clean)
    with pytest.raises(ValueError, match="cannot draw -1 points per cluster"):
        make_clusters(-1)
    with pytest.raises(ValueError, match="noise_variance must be 0 or more, and finite, not inf"):
        make_clusters(noise_variance=np.inf)
