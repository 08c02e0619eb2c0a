"""Control of the false-discovery rate, against its definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import false_discovery_control

from peculiar.errors import SettingError
from peculiar.population.discoveries import (
    LEAST_ORDINARY,
    adjusted,
    by_p_values,
    by_probabilities,
    check_method,
    ordinary_share,
)

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40).map(np.array)


def step_up(p, fdr):
    """Benjamini and Hochberg's rule as it stands: the largest k with p_(k) <= fdr k / n, and all up to it."""
    n, ordered = len(p), np.sort(p)
    passed = [k for k in range(1, n + 1) if ordered[k - 1] <= fdr * k / n * (1 + 1e-12)]
    return p <= (ordered[max(passed) - 1] if passed else -1.0)


@given(P_VALUES, st.sampled_from([0.01, 0.05, 0.1, 0.5]))
@settings(deadline=None)
def test_benjamini_hochberg_is_the_step_up_rule(p, fdr):
    found = by_p_values(p, fdr)
    assert_array_equal(found.mask, step_up(p, fdr))
    assert_array_equal(found.mask, found.q_values <= fdr)
    if found.mask.any():
        assert found.threshold == p[found.mask].max()
    else:
        assert found.threshold == pytest.approx(fdr / len(p))
        assert p.min() > found.threshold * (1 - 1e-12)


@given(P_VALUES)
@settings(deadline=None)
def test_adjusted_p_values_are_those_of_scipy(p):
    assert_array_equal(adjusted(p), false_discovery_control(p))


def test_ordinary_catalogues_have_few_discoveries():
    rng = np.random.default_rng(0)
    tables = [by_p_values(rng.uniform(size=500), 0.1).mask.any() for _ in range(400)]
    assert np.mean(tables) < 0.1 + 3 * np.sqrt(0.09 / 400)


def test_storey_counts_the_ordinary_objects():
    rng = np.random.default_rng(1)
    p = np.concatenate([rng.uniform(size=1400), rng.uniform(size=600) * 1e-4])
    assert ordinary_share(p) == pytest.approx(0.7, abs=0.04)
    assert ordinary_share(np.full(10, 0.9)) == 1.0
    plain, storey = by_p_values(p, 0.1), by_p_values(p, 0.1, "storey")
    assert storey.mask.sum() > plain.mask.sum()
    assert_allclose(storey.q_values, ordinary_share(p) * plain.q_values)


def test_probabilities_are_added_up():
    probability = np.array([0.2, 1.0, 0.95, 0.8, 0.5])
    found = by_probabilities(probability, 0.1)
    # strangest first, the mean chance of being ordinary is as good as 0, 0.025, 0.083, 0.1875, 0.31
    assert_array_equal(found.mask, [False, True, True, True, False])
    assert found.threshold == 0.8
    assert_allclose(found.q_values, [0.31, LEAST_ORDINARY, 0.025, 0.25 / 3, 0.1875])
    assert not by_probabilities(np.array([0.5, 0.6]), 0.1).mask.any()


def test_equal_probabilities_go_together():
    found = by_probabilities(np.array([0.99, 0.8, 0.8]), 0.12)
    assert_array_equal(found.mask, [True, False, False])
    assert_allclose(found.q_values, [0.01, 0.41 / 3, 0.41 / 3])
    assert by_probabilities(np.array([0.99, 0.8, 0.8]), 0.14).mask.all()


def test_unknown_methods_are_refused():
    with pytest.raises(SettingError, match="method='Storey' is unknown; choose one of 'bh'"):
        check_method("Storey")


def test_no_objects():
    for found in (by_p_values(np.empty(0), 0.1), by_probabilities(np.empty(0), 0.1)):
        assert found.mask.shape == (0,)


def test_no_object_is_an_outlier_for_certain():
    """One minus a probability is not known better than to 2**-53, so that no q-value is below it."""
    found = by_probabilities(np.array([1.0, 0.4, 1.0]), 0.05)
    assert_array_equal(found.mask, [True, False, True])
    assert_array_equal(found.q_values[[0, 2]], LEAST_ORDINARY)
    assert 1.0 - LEAST_ORDINARY < 1.0  # as near to 1 as a number below it can be
    assert 1.0 - LEAST_ORDINARY / 2 == 1.0
