"""Scatters that are next to nothing beside the noise: the frame in their units loses its digits, this one has them."""

import numpy as np
import pytest

from peculiar.kernels.lanes.expect import Kind
from tests.grid import everyday
from tests.lanes.rules import Rows, assert_right_where_fine, run, twin


def collapsed_rows(p, small, n_collapsed, dof, seed=0, n=6):
    """Rows under a scatter that has collapsed in some directions, which are none of the features.

    Of an object that is ordinary, of one that is far away in all directions, and of some between them.
    """
    rng = np.random.default_rng([seed, p, n_collapsed])
    axes, _ = np.linalg.qr(rng.standard_normal((p, p)))
    variances = np.where(np.arange(p) < n_collapsed, small, rng.uniform(0.5, 2.0, p))
    factor = np.linalg.cholesky(axes * variances @ axes.T)
    std = 10 ** rng.uniform(-1, 0.5, (n, p))
    x = rng.standard_normal((n, p)) * std * np.geomspace(0.5, 30, n)[:, None]
    return Rows(x, std[:, :, None] ** 2 * np.eye(p), np.zeros(p), factor, dof)


def kinds(rule, balanced_rule, p):
    settings = {"aligned": False, "with_moments": True}
    return Kind(rule, "diagonal", p, **settings), Kind(
        balanced_rule, "diagonal", p, **settings, balanced=True
    )


@pytest.mark.parametrize("dof", [2.0, 60.0])
@pytest.mark.parametrize(("p", "n_collapsed"), [(2, 1), (3, 2)])
@pytest.mark.parametrize("small", everyday(1e-10, slow=[1e-6]))
def test_integral_over_a_collapsed_scatter(small, p, n_collapsed, dof):
    rows = collapsed_rows(p, small, n_collapsed, dof)
    plain, balanced = kinds("exact", "steady", p)
    expected = twin(balanced, rows)
    ours = run(balanced, rows)
    assert ours.fine[:4].all()  # the others are far away
    # as a matrix of doubles the scatter has its small eigenvalue to 1e-16 / small only, which far objects feel
    assert_right_where_fine(balanced, ours, expected, rtol=max(1e-9, 1e-17 / small))
    assert not run(plain, rows).fine.all()  # else there would be no need for another frame


@pytest.mark.parametrize("dof", [2.0, 60.0])
@pytest.mark.parametrize(("p", "n_collapsed"), [(2, 1), (3, 2)])
def test_best_fixed_point_of_a_collapsed_scatter(p, n_collapsed, dof):
    rows = collapsed_rows(p, 1e-8, n_collapsed, dof)
    _, balanced = kinds("peak", "peak", p)
    ours = run(balanced, rows)
    assert ours.fine.mean() > 0.5
    assert_right_where_fine(balanced, ours, twin(balanced, rows))
