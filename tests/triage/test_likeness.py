"""Marked objects re-order the rest, relative to the errors."""

import numpy as np
from numpy.testing import assert_array_equal

from peculiar.triage import clean_values, order_by_likeness
from peculiar.triage.likeness import distances


def test_distance_is_in_units_of_the_errors_of_both():
    clean, error = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[0.6, 3.0], [0.8, 4.0]])
    there = distances(clean, error, 0, np.zeros(2))
    assert_array_equal(there.round(12), [0.0, np.sqrt((9.0 + 16.0 / 25.0) / 2).round(12)])


def test_a_well_measured_object_of_its_kind_comes_before_one_that_may_be_anything():
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(300, 2)) * 5
    error = np.full((300, 2), 0.2)
    clean[10] = clean[3] + 0.3
    order = order_by_likeness(clean, error, like=[3])
    assert list(order[:2]) == [3, 10]
    assert sorted(order) == list(range(300))


def test_what_looks_like_an_artefact_goes_last_and_the_rest_keeps_its_order():
    clean = np.array([[0.0], [5.0], [0.1], [9.0], [5.1]])
    order = order_by_likeness(clean, np.full((5, 1), 0.2), unlike=[0])
    assert_array_equal(order, [1, 3, 4, 0, 2])


def test_an_object_between_both_goes_with_the_nearer():
    clean, error = np.array([[0.0], [1.0], [0.8], [0.1]]), np.full((4, 1), 0.5)
    order = order_by_likeness(clean, error, like=[1], unlike=[0])
    assert_array_equal(order, [1, 2, 3, 0])


def test_without_marks_nothing_moves():
    clean = np.random.default_rng(1).normal(size=(50, 3))
    assert_array_equal(order_by_likeness(clean, np.ones((50, 3))), np.arange(50))


def test_missing_features_do_not_count():
    clean = np.array([[1.0, np.nan], [1.0, 2.0], [9.0, 2.0], [np.nan, np.nan], [np.nan, 7.0]])
    order = order_by_likeness(clean, np.full((5, 2), 0.1), like=[0])
    assert_array_equal(order, [0, 1, 2, 3, 4])


def test_columns_of_a_list():
    table = {"u_clean": np.ma.array([1.0, 2.0], mask=[False, True]), "u_clean_err": [0.1, 0.2]}
    clean, error = clean_values(table, ["u"])
    assert clean[0, 0] == 1.0
    assert np.isnan(clean[1, 0])
    assert error.shape == (2, 1)
