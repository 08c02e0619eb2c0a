"""One sweep: what it never does."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.fitting.select.descend import descend, settle, weakest
from peculiar.fitting.select.expectation import Columns, Passes
from peculiar.fitting.select.sweep import new_weights, sweep
from tests.selection.helpers import a_model, a_start, rows, separated


def problem(engine="exact", scatter="full", dof="estimate", n_start=6, way=Columns, n_features=2):
    X, X_std = separated(2, 1, dof=5.0, distance=4.0, sizes=(40, 60), n_features=n_features)
    backend, model = rows(X, X_std), a_model(engine, scatter, dof)
    count = ParameterCount.of(model, n_features)
    return way(backend, model.engine, a_start(backend, model, n_start)), model, count


def length(expectation, count):
    weights = np.exp(expectation.params.log_weights)
    return MessageLength().of(count, expectation.n_rows, weights, expectation.bound)


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize(
    ("scatter", "dof"), [("full", "estimate"), ("full", "shared"), ("diag", "shared"), ("diag", 4)]
)
def test_the_message_never_grows_while_nothing_is_removed(engine, scatter, dof):
    expectation, model, count = problem(engine, scatter, dof, n_start=4)
    n_kept = 0
    for _ in range(40):
        before, n_before = length(expectation, count), expectation.params.n_components
        all_pay = expectation.counts.min() > 0.5 * count.own
        sweep(expectation, model, count)
        still_pay = expectation.counts.min() > 0.5 * count.own
        if all_pay and still_pay:
            assert expectation.params.n_components == n_before
            assert length(expectation, count) <= before + 1e-7
            n_kept += 1
    assert n_kept > 20


def test_the_formula_read_literally_annihilates_everything():
    """15 parameters in four dimensions, 20 components, about 5 rows each: none has the 7.5 rows it needs."""
    expectation, model, count = problem(n_start=20, n_features=4)
    assert count.own == 15
    assert expectation.n_rows / 20 < 0.5 * count.own
    wide = dataclasses.replace(expectation.params, scatters=100.0 * expectation.params.scatters)
    expectation.move(wide)  # so wide that they share all rows
    literal = np.maximum(0.0, expectation.counts - 0.5 * count.own)
    assert not literal.any()
    numbers = [20]
    while numbers[-1] > 1 and len(numbers) < 40:
        sweep(expectation, model, count)
        numbers.append(expectation.params.n_components)
        assert_allclose(np.exp(expectation.params.log_weights).sum(), 1.0)
    assert set(-np.diff(numbers)) <= {0, 1}
    settle(expectation, model, count, MessageLength())
    assert expectation.params.n_components >= 1
    assert np.isfinite(expectation.bound)


def test_the_last_component_stays():
    X = np.random.default_rng(0).standard_normal((6, 4))  # fewer rows than half the parameters
    backend, model = rows(X, np.full(X.shape, 0.1)), a_model()
    levels = descend(backend, model, a_start(backend, model, 4), 4, MessageLength())
    assert levels[-1].params.n_components == 1


def test_the_new_weight_is_the_best_one():
    surplus, old, k = np.array([10.0, 30.0, 5.0]), np.log([0.5, 0.3, 0.2]), 1

    def objective(w):
        others = np.delete(np.exp(old), k) * (1 - w) / (1 - np.exp(old[k]))
        return surplus[k] * np.log(w) + np.delete(surplus, k) @ np.log(others)

    new = np.exp(new_weights(old, surplus, k))
    grid = np.linspace(0.001, 0.999, 999)
    assert new[k] == pytest.approx(grid[np.argmax([objective(w) for w in grid])], abs=1e-3)
    assert new.sum() == pytest.approx(1.0)
    assert new[0] / new[2] == pytest.approx(0.5 / 0.2)


@pytest.mark.parametrize("surplus", [[-1.0, 5.0], [5.0, -1.0], [-1.0, -2.0]])
def test_weights_stay_where_there_is_no_surplus(surplus):
    old = np.log([0.4, 0.6])
    assert_allclose(new_weights(old, np.array(surplus), 0), old)


@pytest.mark.parametrize("dof", ["estimate", "shared"])
def test_both_ways_sweep_alike(dof):
    (one, model, count), (other, *_) = (problem(dof=dof, way=way) for way in (Columns, Passes))
    for _ in range(3):
        sweep(one, model, count)
        sweep(other, model, count)
    assert_allclose(one.params.locations, other.params.locations, rtol=1e-7, atol=1e-8)
    assert_allclose(one.params.dofs, other.params.dofs, rtol=1e-6)


def test_a_shared_dof_stays_shared():
    expectation, model, count = problem(dof="shared")
    sweep(expectation, model, count)
    assert len(np.unique(expectation.params.dofs)) == 1
    assert expectation.params.dofs[0] != 10.0


def test_the_weakest_is_the_one_least_missed():
    """Two components share a group of 400, one has a group of 50 to itself: it is the lightest, and stays."""
    large = separated(1, 0, sizes=(400, 400))
    X = np.concatenate([large[0], np.random.default_rng(0).normal(60.0, 1.0, (50, 2))])
    X_std = np.concatenate([large[1], np.full((50, 2), 0.2)])
    backend, model = rows(X, X_std), a_model()
    expectation = Columns(backend, model.engine, a_start(backend, model, 3))
    lonely = int(np.argmax(expectation.params.locations.sum(axis=1)))
    for _ in range(3):
        sweep(expectation, model, ParameterCount.of(model, 2))
    assert int(np.argmin(expectation.params.log_weights)) == lonely
    assert weakest(expectation) != lonely
