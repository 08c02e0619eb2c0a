"""All objects, binned: against a loop over them."""

from itertools import combinations

import numpy as np
import pytest

from peculiar.report.scene import Bulk, Features
from peculiar.report.scene.bulk import bins_for


def plain_counts(values, features, i, j, n_bins):
    """One object after the other."""
    counts = np.zeros((n_bins, n_bins), dtype=int)
    for row in values:
        at = []
        for k in (j, i):
            low, high = features.low[k], features.high[k]
            if not low <= row[k] <= high:
                break
            at.append(min(int((row[k] - low) / ((high - low) / n_bins)), n_bins - 1))
        if len(at) == 2:
            counts[tuple(at)] += 1
    return counts


@pytest.fixture
def values():
    values = np.random.default_rng(0).normal(size=(500, 3)) * [1.0, 10.0, 1e-3]
    values[3] = np.nan
    values[7, 1] = 1e6  # far outside
    return values


def test_pairs_are_counted_as_one_by_one(values):
    features = Features.of("abc", [""] * 3, values, values[:5])
    bulk = Bulk.of(values, features)
    assert set(bulk.pairs) == set(combinations(range(3), 2))
    for (i, j), counts in bulk.pairs.items():
        np.testing.assert_array_equal(counts, plain_counts(values, features, i, j, bulk.n_bins))


def test_single_features_add_up(values):
    features = Features.of("abc", [""] * 3, values, values[:5])
    bulk = Bulk.of(values, features)
    inside = (values >= features.low) & (values <= features.high)
    np.testing.assert_array_equal(bulk.single.sum(axis=1), inside.sum(axis=0))


def test_an_object_far_away_does_not_squeeze_the_rest(values):
    features = Features.of("abc", [""] * 3, values, values[7:8])
    assert features.high[1] < 1e4


def test_a_strange_object_is_in_the_range(values):
    strange = np.array([[8.0, 0.0, 0.0]])
    features = Features.of("abc", [""] * 3, np.vstack([values, strange]), strange)
    assert features.high[0] > 8.0


@pytest.mark.parametrize("column", [np.full(9, 4.0), np.full(9, np.nan), np.zeros(9)])
def test_a_feature_that_says_nothing_has_a_range(column):
    features = Features.of("a", [""], column[:, None], column[:0, None])
    assert features.low[0] < features.high[0]
    assert features.spread[0] > 0
    assert Bulk.of(column[:, None], features).single.sum() == np.isfinite(column).sum()


def test_many_features_take_no_more_room():
    for d in (2, 4, 12, 40):
        n_pairs = d * (d - 1) // 2
        assert bins_for(10**6, d) ** 2 * n_pairs <= 1_500_000
