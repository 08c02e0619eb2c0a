"""k-means gives the clusters that scikit-learn's gives for the same seed."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans

from peculiar.fitting.clusters import N_STARTS, _lloyd, kmeans


def theirs(points, weights, k, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer clusters than asked for, where points are equal
        return KMeans(k, n_init=N_STARTS, random_state=seed).fit(points, sample_weight=weights)


@pytest.mark.parametrize("seed", range(12))
def test_clusters_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 3000)), int(rng.integers(1, 6))
    k = int(rng.integers(1, 20))
    points = rng.normal(size=(n, d)) + 4.0 * rng.integers(0, 3, size=(n, 1))
    weights = rng.uniform(size=n) if seed % 2 else np.ones(n)
    ours, known = kmeans(points, weights, k, seed), theirs(points, weights, k, seed)
    assert_array_equal(ours.labels, known.labels_)
    assert_allclose(ours.centres, known.cluster_centers_, atol=1e-10)
    assert ours.inertia == pytest.approx(known.inertia_)


def test_more_clusters_than_different_points():
    points = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 10, axis=0)
    found = kmeans(points, np.ones(30), 6, seed=0)
    assert found.inertia == pytest.approx(0.0, abs=1e-20)
    assert np.isfinite(found.centres).all()
    assert_allclose(found.centres[found.labels], points, atol=1e-12)


def test_an_empty_cluster_takes_a_point():
    rng = np.random.default_rng(0)
    points, weights = rng.normal(size=(40, 2)), rng.uniform(0.5, 2.0, 40)
    points -= points.mean(axis=0)
    first = np.array(
        [[0.0, 0.0], [1.0, 1.0], [500.0, 0.0], [0.0, 900.0]]
    )  # two are nobody's nearest
    ours = _lloyd(points, weights, first, 0.0)
    known = KMeans(4, init=first, n_init=1, tol=0.0).fit(points, sample_weight=weights)
    assert len(np.unique(ours.labels)) == 4
    assert_array_equal(ours.labels, known.labels_)
    assert_allclose(ours.centres, known.cluster_centers_, atol=1e-10)


def test_the_seed_decides():
    points = np.random.default_rng(0).normal(size=(500, 2))
    weights = np.ones(500)
    first, again, other = (kmeans(points, weights, 8, seed) for seed in (1, 1, 2))
    assert_array_equal(first.labels, again.labels)
    assert (first.labels != other.labels).any()
