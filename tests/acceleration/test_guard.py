"""Accepted steps never lower the bound, whatever is proposed; a step taken back costs one pass, and no more."""

import warnings
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from peculiar.engines import ENGINES
from peculiar.errors import CollapsedScatterWarning, UnboundedDofWarning
from peculiar.fitting.accelerate import extrapolation as module
from peculiar.fitting.accelerate.extrapolation import LONGEST, SHORTEST, Extrapolation, Memory
from peculiar.model.dofs import GREATEST_DOF, LEAST_DOF
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams
from tests.acceleration.problems import overlapping, prepare
from tests.properties.problems import ALL_FEATURES, problems

ALLOWED_FALL = 1e-9  # per row, as for plain EM


def small_task(**settings):
    return prepare(*overlapping(300), **settings)


@pytest.fixture
def early(monkeypatch):
    """Extrapolate from the third step on, where steps are long and the bound is no quadratic."""
    monkeypatch.setattr(module, "SLOW", np.inf)


@pytest.mark.parametrize("engine", [name for name in ENGINES if not ENGINES[name].is_random])
@given(problem=problems())
@settings(max_examples=15)
def test_objective_never_falls(engine, problem):
    check_monotone(engine, problem)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [name for name in ENGINES if not ENGINES[name].is_random])
@given(problem=problems(ALL_FEATURES))
@settings(max_examples=200)
def test_objective_never_falls_in_many_problems(engine, problem):
    check_monotone(engine, problem)


def check_monotone(engine, problem):
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as caught:
        patch.setattr(module, "SLOW", np.inf)
        warnings.simplefilter("ignore", ConvergenceWarning)  # tol=0 asks for all iterations
        warnings.simplefilter("ignore", UnboundedDofWarning)  # of map
        warnings.simplefilter("always", CollapsedScatterWarning)  # small samples do
        model = RobustMixture(
            **problem.settings, **problem.start, engine=engine, tol=0.0, max_iter=25
        )
        model.fit(problem.X, **problem.noise, sample_weight=problem.sample_weight)
    assert np.isfinite(model.lower_bounds_).all()
    if not any(issubclass(warning.category, CollapsedScatterWarning) for warning in caught):
        # A scatter held at its floor is not where the M-step wants it. Where a component of a few rows has shrunk to a
        # line, that can show.
        assert np.diff(model.lower_bounds_).min() > -ALLOWED_FALL
    estimated = model.dofs_[np.isfinite(model.dofs_)]
    assert ((estimated >= LEAST_DOF) & (estimated <= GREATEST_DOF)).all()
    if problem.settings["scatter"] == "diag":
        off = model.scatters_ * (1 - np.eye(model.n_features_in_))
        np.testing.assert_array_equal(off, 0.0)


def misled(self, memory, params, stats, plain):
    """Somewhere worse."""
    worse = MixtureParams(
        params.log_weights, params.locations + 5.0, params.scatters, np.full(3, 0.2)
    )
    return worse, memory


def test_a_step_that_falls_is_replaced_by_the_plain_one(monkeypatch):
    task = small_task()
    plain, _ = task.fit(tol=0.0, max_iter=12, accelerate=False)
    monkeypatch.setattr(Extrapolation, "propose", misled)
    ours, _ = task.fit(tol=0.0, max_iter=12)
    assert ours.bounds == plain.bounds
    assert ours.n_evaluations == 1 + 2 * 12
    assert plain.n_evaluations == 1 + 12


def test_a_bound_that_is_no_number_is_a_fall(monkeypatch):
    task = small_task()
    plain, _ = task.fit(tol=0.0, max_iter=3, accelerate=False)
    parts = (getattr(task.start, field.name) for field in fields(MixtureParams))
    wild = MixtureParams(*(np.full_like(part, 2.0) for part in parts))
    real = task.backend.summarise

    def summarise(engine, params):
        stats = real(engine, task.start if params is wild else params)
        return replace(stats, bound=np.nan) if params is wild else stats

    monkeypatch.setattr(task.backend, "summarise", summarise)
    monkeypatch.setattr(Extrapolation, "propose", lambda _, memory, *__: (wild, memory))
    ours, _ = task.fit(tol=0.0, max_iter=3)
    assert ours.bounds == plain.bounds


def test_steps_become_shorter_when_they_are_taken_back_and_what_was_learnt_is_forgotten(early):
    task = small_task()
    model, params = task.model, task.start
    extrapolation, memory = Extrapolation(model.scatter, model.prior), Memory()
    reaches, pairs = [], []
    for _ in range(12):  # every proposal is turned down
        stats = task.backend.summarise(model.engine, params)
        plain = maximise(stats, params, model.scatter, model.prior)
        proposed, memory = extrapolation.propose(memory, params, stats, plain)
        if proposed is not plain:
            memory = memory.after(is_kept=False)
        reaches.append(memory.reach)
        pairs.append(len(memory.pairs))
        params = plain
    assert min(reaches) < 0.1 * LONGEST
    assert min(reaches) >= SHORTEST
    start_over = int(np.argmin(reaches)) + 1
    assert reaches[start_over] == LONGEST
    assert pairs[start_over] < pairs[start_over - 1]


def test_plain_steps_until_em_is_slow():
    task = small_task()
    plain, _ = task.fit(tol=0.0, max_iter=60, accelerate=False)
    ours, _ = task.fit(tol=0.0, max_iter=60)
    gains = np.diff(plain.bounds)
    first = int(np.argmax(gains < module.SLOW)) + 1
    assert 3 < first < 50
    np.testing.assert_array_equal(ours.bounds[:first], plain.bounds[:first])
    assert ours.bounds[first + 2] > plain.bounds[first + 2]


@pytest.mark.parametrize(
    "settings",
    [
        {"dof": 3.0},
        {"dof": np.inf},
        {"dof": "shared"},
        {"scatter": "diag"},
        {"dof": [3.0, 7.0, np.inf]},
    ],
    ids=str,
)
def test_every_kind_of_model_gains(settings):
    task = small_task(**settings)
    plain, _ = task.fit(tol=0.0, max_iter=80, accelerate=False)
    ours, _ = task.fit(tol=0.0, max_iter=80)
    assert ours.bound > plain.bound
    if isinstance(settings.get("dof"), float | list):
        np.testing.assert_array_equal(ours.params.dofs, task.start.dofs)
    if settings.get("dof") == "shared":
        assert len(set(ours.params.dofs)) == 1


def test_starts_are_tried_without_acceleration(early, monkeypatch):
    monkeypatch.setattr(Extrapolation, "propose", lambda *_: pytest.fail("extrapolated"))
    X, noise, _ = overlapping(200)
    model = RobustMixture(2, n_init=2, accelerate=False, tol=1e-2, random_state=0)
    model.fit(X, X_std=noise.std)
    assert model.converged_
