"""Mixtures in the plane, far out: against sums over a fine grid, which know nothing of rays from components."""

import numpy as np
import pytest
from scipy.stats import chi2, f

from tests.grid import everyday
from tests.population.problems import GAUSSIAN, KINDS, mixture, noise, objects, one, tail
from tests.reference.tail import log_tail_in_plane


def test_the_grid_itself_is_right():
    x = np.array([9.0, -4.0])
    square = x @ x
    gaussian = log_tail_in_plane(x, np.eye(2), one(2, np.inf), n_angles=90)
    assert gaussian == pytest.approx(chi2.logsf(square / 2, 2), abs=2e-3)
    student = log_tail_in_plane(x, np.zeros((2, 2)), one(2, 5.0), n_angles=90)
    assert student == pytest.approx(f.logsf(square / 2, 2, 5.0), abs=5e-3)


def worst(params, S, radii, rng, n_angles):
    """Largest error of log p among the objects, none far beyond what is stated; and the smallest p."""
    X = objects(rng, params, S, radii)
    exact = np.array([log_tail_in_plane(x, S, params, n_angles) for x in X])
    found = tail(X, S, params)
    error = np.abs(found.log_p - exact)
    assert (error < 3.0 * found.error + 2e-3).all()
    return error.max(), exact.min()


@pytest.mark.parametrize(
    "kind", everyday("none", "anisotropic", slow=["isotropic", "rank one", "one bad feature"])
)
def test_deep_gaussian_mixtures(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    params, S = mixture(rng, 2, GAUSSIAN), noise(kind, rng, 2)
    error, least = worst(params, S, [5.0, 9.0, 20.0], rng, n_angles=240)
    assert least < (-30.0 if kind != "none" else -8.0)
    assert error < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "dofs", [GAUSSIAN, [30.0] * 3, [np.inf, 5.0, 15.0]], ids=["gaussian", "light", "mixed"]
)
def test_deep_mixtures(dofs, kind, seed):
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    params, S = mixture(rng, 2, dofs), noise(kind, rng, 2)
    error, _ = worst(params, S, [4.0, 15.0], rng, n_angles=240)
    assert error < 0.1
