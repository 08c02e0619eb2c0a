"""Directions and incomplete gamma functions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from peculiar.kernels.tail import sums
from peculiar.population.directions import crosses
from tests.kernels.entry import entry

exponential, lower, scaled_upper = map(entry, (sums.exponential, sums.lower, sums.scaled_upper))
mass_between, mass_beyond = entry(sums.mass_between), entry(sums.mass_beyond)


@pytest.mark.parametrize("p", range(1, 12))
def test_incomplete_gamma_functions(p):
    for z in (0.0, 1e-8, 0.3, 1.0, 7.0, 100.0, 500.0):
        assert_allclose(scaled_upper(p, z) * np.exp(-z), special.gammaincc(p / 2, z), rtol=1e-11)
        if z <= 1.0:
            assert_allclose(lower(p, z), special.gammainc(p / 2, z), rtol=1e-13)
    # far out, where Q itself is 0: the leading terms of its expansion
    z, a = 1e6, p / 2
    expansion = 1 + (a - 1) / z * (1 + (a - 2) / z)
    assert_allclose(
        np.log(scaled_upper(p, z)),
        (a - 1) * np.log(z) - special.gammaln(a) + np.log(expansion),
        atol=1e-9,
    )


@pytest.mark.parametrize("p", [1, 2, 3, 4, 6])
def test_mass_on_a_ray(p):
    constant, square = np.array([-1.0, 0.5, 0.2]), np.array([0.3, 1.0, 4.0])

    def beyond(rho):
        return (
            np.exp(constant) * square ** (-p / 2) * special.gammaincc(p / 2, square * rho**2 / 2)
        ).sum()

    for rho in (0.0, 0.1, 1.0, 4.0):
        assert_allclose(mass_beyond(p, constant, square, rho), beyond(rho), rtol=1e-11)
        assert_allclose(
            mass_between(p, constant, square, rho, rho + 1.0),
            beyond(rho) - beyond(rho + 1.0),
            rtol=1e-10,
        )


def test_exponential():
    x = np.linspace(-690.0, 690.0, 2001)
    assert_allclose([exponential(v) for v in x], np.exp(x), rtol=1e-12)


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_crosses_are_orthonormal_and_even(p):
    frames = crosses(p, 64)
    assert_allclose(frames @ frames.transpose(0, 2, 1), np.tile(np.eye(p), (64, 1, 1)), atol=1e-14)
    fourth = (frames[:, :, 0] ** 4).mean()  # on the sphere: 3 / (p (p + 2))
    assert_allclose(fourth, 3.0 / (p * (p + 2)), rtol=0.15)
