"""Figure 2: most outliers are found."""

import numpy as np
from numpy.testing import assert_array_equal

from peculiar.datasets import make_clusters
from peculiar.reproduce.groups import match_components, rightly_grouped
from peculiar.reproduce.illustration import n_at_the_top


def test_most_outliers_are_found_and_most_finds_are_outliers(run):
    numbers = run("illustration")[0].numbers
    planted = np.asarray(numbers["population"]) < 0
    found = np.asarray(numbers["is_discovery"])
    assert (found & planted).sum() > 15
    assert (found & ~planted).mean() < 0.02
    assert min(numbers["planted_among_strangest"].values()) > 15


def test_groups_get_the_numbers_of_their_clusters():
    sky = make_clusters(50, n_outliers=5, random_state=0)
    renamed = np.array([2, 0, 1, 2])[sky.population]
    assert_array_equal(match_components(renamed, sky), [1, 2, 0])
    assert rightly_grouped(renamed, sky) == 1.0
    renamed[:15] = 0  # a tenth is in another group
    assert rightly_grouped(renamed, sky) == 0.9


def test_the_top_is_as_long_as_there_are_outliers():
    is_outlier = np.array([True, False, True, False])
    assert n_at_the_top(np.array([0.1, 0.2, 0.3, 0.4]), is_outlier) == 1
