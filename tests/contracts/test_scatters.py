"""What every scatter structure promises."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.model.scatter import SCATTERS
from peculiar.model.scatter.base import FLOOR


@pytest.fixture(params=SCATTERS.values(), ids=SCATTERS.keys())
def scatter(request):
    return request.param


def second_moments(d, seed=0):
    root = np.random.default_rng(seed).standard_normal((3, d, d + 1))
    return root @ np.swapaxes(root, 1, 2)


def objective(scatters, moments):
    return -np.linalg.slogdet(scatters)[1] - np.trace(
        np.linalg.solve(scatters, moments), axis1=1, axis2=2
    )


@pytest.mark.parametrize("d", [1, 2, 5])
def test_is_the_best_of_its_kind(scatter, d):
    moments = second_moments(d)
    best = scatter.nearest(moments)
    assert_allclose(scatter.nearest(best), best, rtol=1e-12)  # already allowed: stays
    rng = np.random.default_rng(1)
    for _ in range(50):
        change = rng.standard_normal(best.shape) * 0.01
        rival = scatter.nearest(best + change + np.swapaxes(change, 1, 2))
        assert (objective(rival, moments) <= objective(best, moments) + 1e-12).all()


def test_is_held_at_the_floor(scatter):
    moments = np.zeros((1, 3, 3))
    assert_allclose(np.linalg.eigvalsh(scatter.nearest(moments)), FLOOR, rtol=1e-6)


def test_counts_its_parameters(scatter):
    d = 4
    rank = np.linalg.matrix_rank(
        np.array([scatter.nearest(second_moments(d, seed))[0].ravel() for seed in range(40)])
    )
    assert scatter.n_parameters(d) == rank
