"""EM never goes down."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from peculiar.engines import ENGINES
from peculiar.errors import CollapsedScatterWarning, UnboundedDofWarning
from tests.properties.problems import ALL_FEATURES, Problem, problems

ALLOWED_FALL = 1e-9  # per row


def fit(problem: Problem, engine: str, n_iter: int = 15) -> RobustMixture:
    model = RobustMixture(
        **problem.settings,
        **problem.start,
        engine=engine,
        tol=0.0,
        max_iter=n_iter,
        accelerate=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # tol=0 asks for all iterations
        warnings.simplefilter("ignore", CollapsedScatterWarning)  # small samples do
        warnings.simplefilter("ignore", UnboundedDofWarning)  # of map
        return model.fit(problem.X, **problem.noise, sample_weight=problem.sample_weight)


@pytest.mark.parametrize("engine", [name for name in ENGINES if not ENGINES[name].is_random])
@given(problem=problems())
@settings(max_examples=20)
def test_objective_never_falls(engine, problem):
    check_monotone(engine, problem)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [name for name in ENGINES if not ENGINES[name].is_random])
@given(problem=problems(ALL_FEATURES))
@settings(max_examples=400)
def test_objective_never_falls_in_many_problems(engine, problem):
    check_monotone(engine, problem)


def check_monotone(engine, problem):
    model = fit(problem, engine)
    # With tol=0 a fit ends early only where a scatter is so flat that steps are lost in rounding.
    assert len(model.lower_bounds_) == 15 or np.linalg.cond(model.scatters_).max() > 1e9
    assert np.isfinite(model.lower_bounds_).all()
    assert np.diff(model.lower_bounds_).min() > -ALLOWED_FALL


@pytest.mark.parametrize("where", ["start", "fitted"])
@given(problem=problems())
@settings(max_examples=20)
def test_bounds_are_in_order(where, problem):
    """q(w) q(u) q(z) is one of the q(z) q(w|z) q(u|z), and none of these is the true posterior: at any parameters."""
    model = fit(problem, "exact", n_iter=1 if where == "start" else 5)
    if where == "start":
        given = problem.start
        dofs = given["dofs_init"] if problem.settings["dof"] == "estimate" else model.dofs_
        scatters = given["scatters_init"]
        if problem.settings["scatter"] == "diag":
            scatters = scatters * np.eye(problem.X.shape[1])
        known = np.where(np.isnan(given["locations_init"]), 0.0, given["locations_init"])
        model = RobustMixture.from_parameters(given["weights_init"], known, scatters, dofs)
    exact, structured, factorized = (
        model.set_params(engine=engine).score_samples(problem.X, **problem.noise)
        for engine in ("exact", "structured", "factorized")
    )
    slack = 1e-9 * np.maximum(1.0, np.abs(exact))
    assert (structured <= exact + slack).all()
    assert (factorized <= structured + slack).all()
    if model.n_components == 1:
        assert (np.abs(factorized - structured) < slack).all()
