"""One wild object does not take a component for itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from tests.estimators.helpers import two_clusters


def sorted_locations(model):
    return model.locations_[np.argsort(model.locations_[:, 0])]


@pytest.fixture(scope="module")
def clusters():
    return two_clusters(400, distance=5.0)


@pytest.fixture(scope="module")
def undisturbed(clusters):
    return sorted_locations(RobustMixture(2, random_state=0).fit(clusters))


def test_clusters_are_where_they_were_made(undisturbed):
    assert_allclose(undisturbed, [[0, 0], [5, 5]], atol=0.2)


@pytest.mark.parametrize("seed", range(20))
def test_one_outlier_at_1e4(clusters, undisturbed, seed):
    disturbed = np.vstack([clusters, [[1e4, 1e4]]])
    without = RobustMixture(2, random_state=seed).fit(clusters)
    model = RobustMixture(2, random_state=seed).fit(disturbed)
    assert_allclose(sorted_locations(without), undisturbed, atol=0.01)
    assert_allclose(sorted_locations(model), sorted_locations(without), atol=0.1)
    weights = model.robust_weights(disturbed)
    assert weights.argmin() == 400
    assert weights[400] < 1e-4


@pytest.mark.parametrize("far", [1e6, 1e9, 1e13, 1e20, 1e50])
def test_one_outlier_further_out(clusters, undisturbed, far):
    disturbed = np.vstack([clusters, [[far, -far]]])
    model = RobustMixture(2, random_state=0).fit(disturbed)
    assert_allclose(sorted_locations(model), undisturbed, atol=0.1)
    assert np.isfinite(model.score_samples(disturbed)).all()
