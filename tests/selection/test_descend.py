"""The way down: what a pass never does, and who goes first."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.engines import MonteCarlo
from peculiar.fitting.select import choose
from peculiar.fitting.select.choose import (
    Level,
    measure,
    roughly,
    settle_contenders,
    some_rows,
)
from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.fitting.select.descend import (
    FINE,
    bounds_without,
    descend,
    settle,
    step,
    weakest,
    without,
)
from tests.selection.helpers import a_model, a_start, rows, separated


def problem(engine="exact", scatter="full", dof="estimate", n_start=6, n_features=2, weights=None):
    X, X_std = separated(2, 1, dof=5.0, distance=4.0, sizes=(40, 60), n_features=n_features)
    if weights is not None:
        weights = np.linspace(0.5, 2.0, len(X))
    backend, model = rows(X, X_std, weights), a_model(engine, scatter, dof)
    return backend, model, a_start(backend, model, n_start)


def length(stats, params, count):
    weights = np.exp(params.log_weights)
    return MessageLength().of(count, float(stats.n.sum()), weights, stats.bound)


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize(
    ("scatter", "dof"), [("full", "estimate"), ("full", "shared"), ("diag", "shared"), ("diag", 4)]
)
def test_the_message_never_grows_while_all_pay(engine, scatter, dof):
    backend, model, params = problem(engine, scatter, dof, n_start=2)
    count = ParameterCount.of(model, 2)
    before = backend.summarise(model.engine, params)
    n_steps = 0
    for _ in range(40):
        new = step(before, params, model, count)
        after = backend.summarise(model.engine, new)
        if before.n.min() > 0.5 * count.own:
            assert length(after, new, count) <= length(before, params, count) + 1e-7
            n_steps += 1
        params, before = new, after
    assert n_steps > 20


def test_weights_of_a_step_are_the_best():
    """They maximise the sum of (n - own / 2) log w, as the message length has it."""
    backend, model, params = problem(n_start=3)
    count = ParameterCount.of(model, 2)
    stats = backend.summarise(model.engine, params)
    surplus = stats.n - 0.5 * count.own
    assert (surplus > 0).all()
    ours = step(stats, params, model, count).log_weights
    assert np.exp(ours).sum() == pytest.approx(1.0)
    rng = np.random.default_rng(0)
    for other in rng.dirichlet(np.exp(ours) * 200, size=200):
        assert surplus @ np.log(other) <= surplus @ ours


def test_the_formula_read_literally_annihilates_everything():
    """15 parameters in four dimensions, 20 components, about 5 rows each: none has the 7.5 rows it needs."""
    backend, model, start = problem(n_start=20, n_features=4)
    count = ParameterCount.of(model, 4)
    wide = dataclasses.replace(start, scatters=100.0 * start.scatters)  # they share all rows
    stats = backend.summarise(model.engine, wide)
    assert count.own == 15
    assert not np.maximum(0.0, stats.n - 0.5 * count.own).any()
    met = []
    settled = settle(
        backend, model, wide, MessageLength(), FINE, on_pass=lambda k, *_: met.append(k)
    )
    assert set(-np.diff(met)) <= {0, 1}  # one at a time
    assert settled.params.n_components >= 1
    assert np.isfinite(settled.length)
    assert_allclose(np.exp(settled.params.log_weights).sum(), 1.0)


def test_the_last_component_stays():
    X = np.random.default_rng(0).standard_normal((6, 4))  # fewer rows than half the parameters
    backend, model = rows(X, np.full(X.shape, 0.1)), a_model()
    levels = list(descend(backend, model, a_start(backend, model, 4), MessageLength()))
    numbers = [settled.params.n_components for settled in levels]
    assert numbers[-1] == 1
    assert numbers == sorted(set(numbers), reverse=True)


def test_a_shared_dof_stays_shared():
    backend, model, params = problem(dof="shared")
    stats = backend.summarise(model.engine, params)
    dofs = step(stats, params, model, ParameterCount.of(model, 2)).dofs
    assert len(np.unique(dofs)) == 1
    assert dofs[0] != params.dofs[0]


@pytest.mark.parametrize("engine", ["exact", "structured", "factorized", MonteCarlo(20, 5)])
@pytest.mark.parametrize("weights", [None, "uneven"])
def test_bounds_without_are_those_of_the_others(engine, weights):
    backend, model, params = problem(engine, n_start=4, weights=weights)
    expected = [
        backend.summarise(model.engine, without(params, k)).bound
        for k in range(params.n_components)
    ]
    assert_allclose(bounds_without(backend, model.engine, params), expected, rtol=1e-10)


def test_far_rows_do_not_underflow():
    X, X_std = separated(2, 0, sizes=(20, 20))
    X[0] = 1e8
    backend, model = rows(X, X_std), a_model(dof=np.inf)
    assert np.isfinite(bounds_without(backend, model.engine, a_start(backend, model, 3))).all()


def test_the_weakest_is_the_one_least_missed():
    """Two components share a group of 400, one has a group of 50 to itself: it is the lightest, and stays."""
    large = separated(1, 0, sizes=(400, 400))
    X = np.concatenate([large[0], np.random.default_rng(0).normal(60.0, 1.0, (50, 2))])
    X_std = np.concatenate([large[1], np.full((50, 2), 0.2)])
    backend, model = rows(X, X_std), a_model()
    params = a_start(backend, model, 3)
    lonely = int(np.argmax(params.locations.sum(axis=1)))
    for _ in range(3):
        stats = backend.summarise(model.engine, params)
        params = step(stats, params, model, ParameterCount.of(model, 2))
    assert int(np.argmin(params.log_weights)) == lonely
    assert weakest(backend, model.engine, params) != lonely


def test_what_a_mixture_costs():
    backend, model, params = problem(n_start=3, weights="uneven")
    row = measure(backend, model, params, MessageLength()).row
    moments, weights = backend.describe(model.engine, params), backend.obs.weights
    resp = np.exp(moments.log_resp)
    entropy = -sum(w * r * np.log(r) for w, line in zip(weights, resp) for r in line if r > 0)
    assert row.log_likelihood == pytest.approx(backend.summarise(model.engine, params).bound)
    assert row.icl - row.bic == pytest.approx(2 * entropy)


def test_some_rows():
    backend, *_ = problem(weights="uneven")
    some = some_rows(backend, 30)
    drawn = set(map(tuple, some.obs.values))
    assert len(drawn) == some.obs.n_rows == 30
    assert drawn <= set(map(tuple, backend.obs.values))
    assert len(np.unique(some.obs.weights)) == 1
    assert some.obs.weights.sum() == pytest.approx(backend.obs.weights.sum())
    assert some_rows(backend, 10_000) is backend


def test_rough_densities_for_the_way_down_only():
    model = a_model()
    assert roughly(model).engine.rtol == 1e-6
    assert model.engine.rtol < 1e-9
    for other in (a_model("structured"), a_model(MonteCarlo(20, 5))):
        assert roughly(other) is other


def test_few_rows_lead_and_all_decide(monkeypatch):
    X, X_std = separated(3, 2, sizes=(150, 200))
    backend, model = rows(X, X_std), a_model()
    start = a_start(backend, model, 8)
    guides = []
    monkeypatch.setattr(choose, "ENOUGH", 120)
    monkeypatch.setattr(
        choose, "descend", lambda b, *more: guides.append(b.obs.n_rows) or descend(b, *more)
    )
    params, table = choose.by_message_length(backend, model, [start], 8, MessageLength())
    assert set(guides) == {120}
    assert params.n_components == 3 == table["n_components"][np.argmin(table["message_length"])]
    of_all = backend.summarise(model.engine, params).bound
    assert table["log_likelihood"][table["n_components"] == 3] == pytest.approx(of_all)


def test_only_contenders_are_settled():
    backend, model, start = problem(n_start=6)
    message = MessageLength()
    met = [
        measure(backend, model, settled.params, message)
        for settled in descend(backend, roughly(model), start, message)
    ]
    settled = {
        level.row.n_components: settle(backend, model, level.params, message, FINE).length
        for level in met
    }
    best = min(settle_contenders(backend, model, met, message), key=lambda c: c.row.message_length)
    assert best.row.message_length == pytest.approx(min(settled.values()))
    hopeless = [
        Level(level.params, level.row._replace(message_length=best.row.message_length + 1e3))
        for level in met
        if level.row.n_components != best.row.n_components
    ]
    passes = []
    (again,) = settle_contenders(
        backend, model, [*hopeless, best], message, lambda k, *_: passes.append(k)
    )
    assert set(passes) == {best.row.n_components} == {again.row.n_components}


def test_more_is_hoped_for_where_there_is_more_to_fit():
    """Fitted to few of the rows, mixtures of many components have the more to gain on all: they are tried first."""
    backend, model, two = problem(n_start=2)
    message = MessageLength()
    larger, smaller = (measure(backend, model, p, message) for p in (two, without(two, 0)))
    shorter = smaller.row._replace(message_length=larger.row.message_length - 1.0)
    met = [larger, Level(smaller.params, shorter)]

    def first_tried(excess):
        passes = []
        settle_contenders(backend, model, met, message, lambda k, *_: passes.append(k), excess)
        return passes[0]

    assert first_tried(0.0) == 1
    assert first_tried(1.0) == 2
