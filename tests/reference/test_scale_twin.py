"""The integral over u: two rules of integration agree, and its closed forms come out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import gamma, multivariate_normal, multivariate_t

from tests.reference.scale import (
    ScaleMoments,
    mean_inverse_u,
    scale_moments,
    trapezoid_moments,
)

SCALES = {
    "plain": ((0.3, -1.2), (0.5, 2.0), 4.0),
    "dof 1000": ((3.0, 40.0), (0.5, 2.0), 1e3),
    "one feature, dof 0.5": ((3.0,), (1e12,), 0.5),
    "two modes": ((30.0,), (75.0,), 2.0),
    "two modes, deep valley": ((1e6,), (1e10,), 3.6),
    "three modes": ((20.0, 2e3, 2e5), (10.0, 1e5, 1e9), 3.0),
    "mixed noise": ((1e-3, 5.0, -1e6, 2e3), (1e-12, 0.0, 1e12, 1e5), 1.3),
    "no noise": ((1.0, -2.0, 30.0), (0.0, 0.0, 0.0), 0.5),
}


@pytest.mark.parametrize("case", SCALES.values(), ids=SCALES.keys())
def test_gauss_legendre_equals_trapezoid(case):
    e, b, dof = case
    fine = trapezoid_moments(e, b, dof, lo=-400.0 / (dof + len(e)) - 60.0, hi=9.0, n_nodes=2500)
    assert_same_moments(scale_moments(e, b, dof), fine)


def test_gauss_legendre_equals_trapezoid_for_large_dof():
    e, b, dof = (300.0, 0.1, 1.0), (0.3, 1e4, 0.0), 1e6
    fine = trapezoid_moments(e, b, dof, lo=-0.5, hi=0.2, n_nodes=1500)
    assert_same_moments(scale_moments(e, b, dof), fine)


def assert_same_moments(ours, fine):
    for name in ScaleMoments._fields:
        assert_allclose(getattr(ours, name), getattr(fine, name), rtol=1e-15, err_msg=name)


@pytest.mark.parametrize("dof", [0.5, 3.0, 80.0])
def test_scale_moments_are_the_integrals_of_their_definition(dof):
    e, b = np.array([0.7, -2.0]), np.array([0.0, 1.5])
    prior = gamma(dof / 2, scale=2 / dof)

    def expectation(f):
        def integrand(s):
            u = np.exp(s)
            normals = np.exp(-(e**2) / (1 / u + b) / 2) / np.sqrt(2 * np.pi * (1 / u + b))
            return prior.pdf(u) * u * np.prod(normals) * f(u)

        return quad(integrand, -40, 6, points=[-5, -1, 0, 1], epsabs=0, epsrel=1e-11)[0]

    ours = scale_moments(e, b, dof)
    evidence = expectation(lambda u: 1.0)
    assert_allclose(ours.log_prob, np.log(evidence), rtol=1e-10)
    assert_allclose(ours.u, expectation(lambda u: u) / evidence, rtol=1e-9)
    assert_allclose(ours.log_u, expectation(np.log) / evidence, rtol=1e-9)
    for j in range(2):
        t_j = expectation(lambda u, j=j: 1 / (1 + u * b[j])) / evidence
        ut_j = expectation(lambda u, j=j: u / (1 + u * b[j])) / evidence
        assert_allclose([ours.t[j], ours.ut[j]], [t_j, ut_j], rtol=1e-9)
    utt = expectation(lambda u: u / (1 + u * b[1]) ** 2) / evidence
    tt = expectation(lambda u: 1 / (1 + u * b[1]) ** 2) / evidence
    assert_allclose([ours.utt[1, 1], ours.tt[1, 1]], [utt, tt], rtol=1e-9)
    assert_allclose([ours.utt[0, 1], ours.tt[0, 1]], [ours.ut[1], ours.t[1]], rtol=1e-14)


@pytest.mark.parametrize("dof", [1.5, 3.0, 80.0])
def test_mean_inverse_u_by_partial_integration(dof):
    # The integral of d/ds of the density is zero: E[(dof + p - 2) / u] = dof + E[C(u)]
    e, b = np.array([0.7, -2.0]), np.array([0.0, 1.5])
    ours = scale_moments(e, b, dof)
    C = np.sum(e**2 * np.diag(ours.tt) + b * ours.t)
    assert_allclose(mean_inverse_u(e, b, dof), (dof + C) / dof, rtol=1e-14)


def test_mean_inverse_u_may_be_infinite():
    assert mean_inverse_u([1.0], [1.0], 1.0) == np.inf
    assert mean_inverse_u([1.0], [1.0], np.inf) == 1.0


@pytest.mark.parametrize("dof", [0.5, 1.0, 7.3, 1e6])
def test_scale_without_noise_is_student_t(dof):
    e = np.array([0.3, -4.0, 1e3])
    ours = scale_moments(e, np.zeros(3), dof)
    assert_allclose(ours.log_prob, multivariate_t(np.zeros(3), df=dof).logpdf(e), rtol=1e-9)
    assert_allclose(ours.u, (dof + 3) / (dof + e @ e), rtol=1e-14)


def test_scale_of_infinite_dof_is_gaussian():
    e, b = np.array([0.3, -4.0, 1e3]), np.array([0.0, 2.0, 1e5])
    ours = scale_moments(e, b, np.inf)
    assert_allclose(
        ours.log_prob, multivariate_normal(np.zeros(3), np.diag(1 + b)).logpdf(e), rtol=1e-14
    )
    assert (ours.u, ours.log_u, ours.std_log_u) == (1.0, 0.0, 0.0)
    assert_allclose(ours.tt, np.outer(1 / (1 + b), 1 / (1 + b)), rtol=1e-15)
