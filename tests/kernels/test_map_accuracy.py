"""The map engine finds the most probable log u, to the last digits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from peculiar import RobustMixture
from peculiar.engines import Exact, Map, Structured
from peculiar.errors import CollapsedScatterWarning, UnboundedDofWarning
from tests.reference.cases import HARD, random_case, relative_errors
from tests.reference.map_scale import map_scale_moments

N_QUICK, N_SLOW = 60, 500


def assert_as_accurate_as_promised(case):
    errors = relative_errors(Map().scale_moments(*case), map_scale_moments(*case))
    for name, error in errors.items():
        limit = 1e-12 if name == "log_prob" else 1e-8
        assert error <= limit, f"{name} is off by {error:.2g} (allowed: {limit}) for {case}"


@pytest.mark.parametrize("case", HARD.values(), ids=HARD.keys())
def test_hard_cases(case):
    assert_as_accurate_as_promised(case)


@pytest.mark.parametrize("seed", range(N_QUICK))
def test_random_cases(seed):
    assert_as_accurate_as_promised(random_case(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_QUICK, N_QUICK + N_SLOW))
def test_many_random_cases(seed):
    assert_as_accurate_as_promised(random_case(seed))


@pytest.mark.parametrize("seed", range(N_QUICK))
def test_what_the_structured_engine_adds_is_a_volume(seed):
    """Same u; the bounds differ by the log of the integral of exp[a (t - e^t + 1)], whatever the row."""
    case = random_case(seed)
    if np.isinf(case.dof):
        pytest.skip("u is 1")
    point, law = Map().scale_moments(*case), Structured().scale_moments(*case)
    a = 0.5 * (case.dof + case.e.size)
    assert_allclose(point.u, law.u, rtol=1e-12)
    volume = gammaln(a) + a - a * np.log(a)
    assert_allclose(law.log_prob - point.log_prob, volume, rtol=1e-7, atol=1e-7)


def test_without_noise_u_is_its_posterior_mean():
    e, zero = np.array([3.0, -1.0]), np.zeros(2)
    ours, exact = (engine.scale_moments(e, zero, 4.0) for engine in (Map(), Exact()))
    assert ours.u == pytest.approx(exact.u, rel=1e-12)
    assert ours.log_u == pytest.approx(np.log(exact.u), rel=1e-12)


@pytest.mark.parametrize("noisy", [True, False])
def test_with_fixed_dof_the_fit_is_that_of_structured(noisy):
    rng = np.random.default_rng(1)
    X = rng.standard_t(3, (200, 2)) + 6 * rng.integers(0, 2, (200, 1))
    noise = {"X_std": rng.uniform(0, 1, X.shape)} if noisy else {}
    settings = {"dof": 3.0, "random_state": 0, "tol": 1e-9}
    ours, theirs = (
        RobustMixture(2, engine=engine, **settings).fit(X, **noise)
        for engine in ("map", "structured")
    )
    assert_allclose(ours.locations_, theirs.locations_, rtol=1e-5)
    assert_allclose(ours.scatters_, theirs.scatters_, rtol=1e-4)


def test_estimated_dofs_become_too_large():
    """Known, and said in the docstring: a point has no spread that could explain the tails."""
    rng = np.random.default_rng(2)
    X = rng.standard_t(4, (400, 1))
    exact = RobustMixture().fit(X)
    with pytest.warns(
        UnboundedDofWarning, match=r"^engine='map' cannot tell the degrees of freedom: "
    ):
        ours = RobustMixture(engine="map").fit(X)
    assert ours.dofs_[0] > 1e5 * exact.dofs_[0]


def test_nothing_collapses_for_it_alone(recwarn):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((300, 2))
    RobustMixture(2, engine="map", dof=5.0, random_state=0).fit(X, X_std=np.full(X.shape, 0.3))
    assert not [w for w in recwarn if issubclass(w.category, CollapsedScatterWarning)]
