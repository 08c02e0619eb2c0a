"""The engine to copy does all that an engine must: it is held to the exact one."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from peculiar.engines import Exact

PATH = Path(__file__).parents[2] / "docs/developer/skeleton_engine.py"
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def skeleton():
    spec = importlib.util.spec_from_file_location("skeleton_engine", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look it up there
    spec.loader.exec_module(module)
    yield module.Skeleton()
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    clean = rng.standard_t(5, size=(60, 2)) + 6.0 * rng.integers(0, 2, size=(60, 1))
    errors = rng.uniform(0.1, 1.0, size=(60, 2))
    X = clean + errors * rng.standard_normal((60, 2))
    X[3, 0] = np.nan
    X[7] = np.nan
    return {"X": X, "X_std": errors}


@pytest.mark.parametrize("dof", ["estimate", 4.0, np.inf])
def test_climbs_as_the_exact_engine_does(skeleton, rows, dof):
    settings = {"n_components": 2, "dof": dof, "max_iter": 8, "random_state": 0}
    ours = RobustMixture(engine=skeleton, **settings).fit(**rows)
    theirs = RobustMixture(engine=Exact(), **settings).fit(**rows)
    assert_allclose(ours.lower_bounds_, theirs.lower_bounds_, rtol=1e-8)
    assert_allclose(ours.locations_, theirs.locations_, rtol=1e-6, atol=1e-6)
    assert_allclose(ours.scatters_, theirs.scatters_, rtol=1e-6, atol=1e-6)


def test_says_of_a_row_what_the_exact_engine_says(skeleton, rows):
    numbers = [0.4, 0.6], [[0.0, 0.0], [6.0, 6.0]], [np.eye(2), 2.0 * np.eye(2)], [4.0, 7.0]
    ours, theirs = (
        RobustMixture.from_parameters(*numbers, engine=engine) for engine in (skeleton, Exact())
    )
    for method in ("score_samples", "predict_proba", "robust_weights", "predict_latent"):
        assert_allclose(
            getattr(ours, method)(**rows), getattr(theirs, method)(**rows), rtol=1e-7, atol=1e-9
        )
    known = ~np.isnan(rows["X"]).any(axis=1)  # elsewhere the tails may be too heavy for a variance
    covs = (m.predict_latent(**rows, return_cov=True)[1][known] for m in (ours, theirs))
    assert_allclose(*covs, rtol=1e-7, atol=1e-9)
