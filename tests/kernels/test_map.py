"""What is particular to a point estimate of u: its fits, and the dofs it cannot tell."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from peculiar.engines import Exact, Map
from peculiar.errors import CollapsedScatterWarning, UnboundedDofWarning


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
