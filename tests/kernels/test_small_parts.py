"""The small pieces, each against somebody else's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special as sp

from peculiar.engines.exact import trapezoid_step
from peculiar.kernels.shared import linalg, special
from peculiar.model import dofs as dofs_module
from peculiar.model.dofs import log_minus_digamma, solve_dofs
from tests.kernels.entry import entry

cholesky, diagonalise = entry(linalg.cholesky), entry(linalg.diagonalise)
invert_lower = entry(linalg.invert_lower)
digamma_minus_log, stirling_gap = entry(special.digamma_minus_log), entry(special.stirling_gap)


@pytest.mark.parametrize("a", [0.05, 0.3, 1.0, 2.5, 11.9, 12.0, 12.1, 50.0, 1e3, 5e5])
def test_special_functions(a):
    import mpmath

    with mpmath.workdps(40):
        x = mpmath.mpf(a)
        gap = mpmath.loggamma(x) - ((x - 0.5) * mpmath.log(x) - x + mpmath.log(2 * mpmath.pi) / 2)
        assert_allclose(stirling_gap(a), float(gap), rtol=1e-12, atol=1e-15)
        assert_allclose(
            digamma_minus_log(a), float(mpmath.digamma(x) - mpmath.log(x)), rtol=1e-13, atol=1e-15
        )


def test_a_kernel_refuses_to_be_called_from_python():
    with pytest.raises(TypeError, match=r"stirling_gap is called by other kernels only"):
        special.stirling_gap(1.0)


@pytest.mark.parametrize("p", [1, 2, 5, 20])
def test_factorisations(p):
    root = np.random.default_rng(3).standard_normal((p, p + 1))
    a = root @ root.T
    factor, inverse, q = np.zeros((p, p)), np.zeros((p, p)), np.zeros((p, p))
    log_det = cholesky(a, p, factor)
    assert_allclose(factor @ factor.T, a, rtol=1e-12, atol=1e-12)
    assert_allclose(log_det, np.linalg.slogdet(a)[1])
    invert_lower(factor, p, inverse)
    assert_allclose(inverse @ factor, np.eye(p), atol=1e-8)
    turned = a.copy()
    diagonalise(turned, p, q)
    assert_allclose(np.sort(np.diagonal(turned)), np.linalg.eigvalsh(a), rtol=1e-10, atol=1e-12)
    assert_allclose(q @ np.diag(np.diagonal(turned)) @ q.T, a, atol=1e-11 * np.abs(a).max())


def test_small_eigenvalues_of_a_graded_matrix():
    # diag(1, 1e-6, 1e-12) A diag(1, 1e-6, 1e-12) with A well conditioned: all eigenvalues are well determined
    scale = np.array([1e-12, 1e-6, 1.0])
    a = (
        np.array([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]])
        * np.outer(scale, scale)
        * 1e12
    )
    import mpmath

    with mpmath.workdps(60):
        expected = np.sort(
            [float(x) for x in mpmath.eigsy(mpmath.matrix(a.tolist()), eigvals_only=True)]
        )
    turned, q = a.copy(), np.zeros((3, 3))
    diagonalise(turned, 3, q)
    assert_allclose(np.sort(np.diagonal(turned)), expected, rtol=1e-12)


def test_step_is_the_largest_that_keeps_the_bound():
    shape = np.array([0.75, 2.0, 10.0, 500.0, 5e5])
    for rtol in (1e-6, 1e-12):
        tau = 2 * np.pi / trapezoid_step(shape, rtol)
        log_ratio = sp.loggamma(shape + 1 + 1j * tau).real - sp.loggamma(shape + 1)
        assert_allclose(2 * np.exp(log_ratio), rtol, rtol=1e-4)


DOFS = [0.1, 0.5, 1.0, 3.0, 22.0, 23.9, 24.0, 24.1, 30.0, 1e3, 1e5, 9e5, 1e6]


def dof_excess(dof):
    """log(dof / 2) - digamma(dof / 2), to the last digit."""
    import mpmath

    with mpmath.workdps(40):
        half = mpmath.mpf(dof) / 2
        return float(mpmath.log(half) - mpmath.digamma(half))


@pytest.mark.parametrize("dof", DOFS)
def test_log_minus_digamma(dof):
    assert_allclose(log_minus_digamma(dof / 2), dof_excess(dof), rtol=4e-15)


@pytest.mark.parametrize("dof", DOFS)
def test_dof_equation(dof):
    assert_allclose(solve_dofs(np.array([dof_excess(dof)])), dof, rtol=1e-13)


def test_dof_equation_takes_a_few_steps(monkeypatch):
    calls = []
    monkeypatch.setattr(
        dofs_module, "polygamma", lambda order, x: calls.append(x) or sp.polygamma(order, x)
    )
    assert_allclose(solve_dofs(np.array([dof_excess(dof) for dof in DOFS])), DOFS, rtol=1e-13)
    assert 1 <= len(calls) <= 5


def test_dof_is_held_in_its_range():
    assert_allclose(solve_dofs(np.array([100.0, 1e-9, 0.0, -1e-17])), [0.1, 1e6, np.inf, np.inf])
