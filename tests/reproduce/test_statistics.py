"""Areas, curves and tests, against plain loops."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import t as student

from peculiar.reproduce.statistics import area, paired_difference, true_positive_rates


def draw(seed, n=40):
    rng = np.random.default_rng(seed)
    is_outlier = rng.random(n) < 0.2
    is_outlier[:2] = True, False
    return is_outlier, (rng.normal(size=n) + is_outlier).round(1)  # rounded: some are equal


@pytest.mark.parametrize("seed", range(5))
def test_area_is_the_share_of_pairs_in_order(seed):
    is_outlier, score = draw(seed)
    pairs = list(itertools.product(score[is_outlier], score[~is_outlier]))
    expected = sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs)
    assert area(is_outlier, score) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_curve_passes_through_every_threshold(seed):
    is_outlier, score = draw(seed)
    found = {0.0: 0.0}
    for threshold in np.unique(score)[::-1]:
        chosen = score >= threshold
        found[chosen[~is_outlier].mean()] = chosen[is_outlier].mean()  # the last is the highest
    x = np.array(list(found))
    assert_allclose(true_positive_rates(is_outlier, score, x), list(found.values()), rtol=1e-12)


def test_between_thresholds_the_curve_is_straight():
    # Two ordinary objects and two outliers with one score: on average, half before half.
    rates = true_positive_rates([1, 1, 0, 0], [1.0, 1.0, 1.0, 1.0], np.array([0.0, 0.25, 1.0]))
    assert_allclose(rates, [0.0, 0.25, 1.0])


@pytest.mark.parametrize("seed", range(3))
def test_the_area_is_below_the_curve(seed):
    is_outlier, score = draw(seed)
    x = np.linspace(0.0, 1.0, 200_001)
    below = true_positive_rates(is_outlier, score, x).mean()
    assert below == pytest.approx(area(is_outlier, score), abs=1e-4)


def test_the_paired_test_is_by_the_book():
    ours, theirs = np.array([0.9, 0.7, 0.85, 0.8]), np.array([0.8, 0.72, 0.8, 0.6])
    d = ours - theirs
    statistic = d.mean() / (d.std(ddof=1) / math.sqrt(len(d)))
    difference = paired_difference(ours, theirs)
    assert difference.mean == pytest.approx(d.mean())
    assert difference.p_value == pytest.approx(2 * student.sf(abs(statistic), len(d) - 1))


def test_nothing_to_test():
    assert paired_difference([0.5, 0.6], [0.5, 0.6]) == (0.0, 1.0)
    assert math.isnan(paired_difference([0.5], [0.25]).p_value)
