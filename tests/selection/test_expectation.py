"""Two ways to the same expectations: columns that are kept, and whole passes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.engines import Exact, MonteCarlo
from peculiar.fitting.select.expectation import (
    Columns,
    Passes,
    component,
    responsibility_entropy,
    without,
)
from tests.selection.helpers import a_model, a_start, rows, separated

SUMS = ("n", "sum_u", "sum_log_u", "sum_ud", "sum_udd")


def both(engine, scatter="full", dof="estimate", weights=None):
    X, X_std = separated(2, 0, dof=5.0, distance=3.0, sizes=(40, 60))
    X[3, 1] = np.nan
    if weights is not None:
        weights = np.linspace(0.5, 2.0, len(X))
    backend, model = rows(X, X_std, weights), a_model(engine, scatter, dof)
    start = a_start(backend, model, 4)
    return Columns(backend, model.engine, start), Passes(backend, model.engine, start)


def assert_same(columns, passes):
    assert_allclose(columns.n_rows, passes.n_rows, rtol=1e-12)
    assert_allclose(columns.counts, passes.counts, rtol=1e-9)
    assert_allclose(columns.bound, passes.bound, rtol=1e-11)
    for k in range(passes.params.n_components):
        one, other = columns.sums_of(k), passes.sums_of(k)
        for name in SUMS:
            assert_allclose(
                getattr(one, name), getattr(other, name), rtol=1e-8, atol=1e-9, err_msg=name
            )
    for name in SUMS:
        one, other = getattr(columns.sums(), name), getattr(passes.sums(), name)
        assert_allclose(one, other, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize("scatter", ["full", "diag"])
@pytest.mark.parametrize("weights", [None, "uneven"])
def test_columns_are_passes(engine, scatter, weights):
    columns, passes = both(engine, scatter, weights=weights)
    assert_same(columns, passes)
    new = component(columns.params, 2)
    log_weights = np.log([0.1, 0.2, 0.3, 0.4])
    for way in (columns, passes):
        way.change(0, new, log_weights)
    assert_same(columns, passes)
    assert_allclose(columns.bounds_without(), passes.bounds_without(), rtol=1e-11)
    for way in (columns, passes):
        way.remove(1)
    assert_allclose(np.exp(columns.params.log_weights), np.array([0.1, 0.3, 0.4]) / 0.8)
    assert_same(columns, passes)


def test_columns_of_a_random_engine_are_true_densities():
    """They must not be made from responsibilities that a chain has estimated."""
    backend, model = rows(*separated(3, 0, sizes=(30, 30))), a_model(MonteCarlo(20, 5))
    params = a_start(backend, model, 4)
    ours = Columns(backend, model.engine, params)
    exact = Columns(backend, Exact(), params)
    assert_allclose(ours.bound, exact.bound, rtol=1e-9)
    assert_allclose(ours.counts, exact.counts, rtol=1e-9)


def test_without_is_what_remove_leaves():
    columns, _ = both("exact")
    expected = columns.bounds_without()
    rest = without(columns.params, 2)
    columns.remove(2)
    assert_allclose(columns.bound, expected[2], rtol=1e-12)
    assert_allclose(columns.params.locations, rest.locations)


def test_far_rows_do_not_underflow():
    X, X_std = separated(2, 0, sizes=(20, 20))
    X[0] = 1e8
    backend, model = rows(X, X_std), a_model(dof=np.inf)
    columns = Columns(backend, model.engine, a_start(backend, model, 3))
    assert np.isfinite(columns.bound)
    assert_allclose(columns.counts.sum(), len(X))


def test_entropy():
    columns, _ = both("exact")
    backend, engine = columns.backend, columns.engine
    resp = np.exp(backend.describe(engine, columns.params).log_resp)
    expected = -sum(r * np.log(r) for row in resp for r in row if r > 0)
    assert_allclose(responsibility_entropy(backend, engine, columns.params), expected)
    assert responsibility_entropy(backend, engine, component(columns.params, 0)) == 0.0
