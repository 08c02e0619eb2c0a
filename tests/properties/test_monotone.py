"""EM never goes down."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from peculiar.engines import ENGINES
from peculiar.errors import CollapsedScatterWarning
from tests.properties.problems import Problem, problems

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
        return model.fit(problem.X, **problem.noise, sample_weight=problem.sample_weight)


@pytest.mark.parametrize("engine", ENGINES)
@given(problem=problems())
@settings(max_examples=200)
def test_objective_never_falls(engine, problem):
    model = fit(problem, engine)
    assert len(model.lower_bounds_) == 15
    assert np.isfinite(model.lower_bounds_).all()
    assert np.diff(model.lower_bounds_).min() > -ALLOWED_FALL


@given(problem=problems())
@settings(max_examples=50)
def test_free_energy_is_below_the_log_likelihood(problem):
    model = fit(problem, "exact", n_iter=2)
    exact = model.score_samples(problem.X, **problem.noise)
    bound = model.set_params(engine="structured").score_samples(problem.X, **problem.noise)
    assert (bound <= exact + 1e-9 * np.maximum(1.0, np.abs(exact))).all()
