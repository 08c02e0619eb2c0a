"""exp and log of the compiled code against NumPy's."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.lanes.compiled import CompiledFormula

EXP_ACCURACY = 4e-16
LOG_ACCURACY = 4.5e-16  # two ulps
TINY, HUGE = np.finfo(float).tiny, np.finfo(float).max


def on_lanes(name):
    def formula(code, given, numbers, out):
        out[0] = getattr(code, name)(given[0])

    compiled = CompiledFormula(formula)
    return lambda x: compiled(np.atleast_2d(x), [0.0], 1)[0]


@pytest.fixture(scope="module")
def exp():
    return on_lanes("exp")


@pytest.fixture(scope="module")
def log():
    return on_lanes("log")


def signed(x):
    return np.concatenate([-x, x])


def relative_error(ours, theirs):
    return np.abs((ours - theirs) / theirs).max()


@pytest.mark.parametrize(
    "x",
    [
        np.linspace(-699.0, 709.0, 200_001),
        np.linspace(-1.0, 1.0, 100_001),
        signed(10.0 ** np.linspace(-320, 0, 10_001)),
        # the powers of two change at odd multiples of log(2) / 2
        np.nextafter((np.arange(-1000, 1000) + 0.5) * np.log(2), np.inf),
        np.nextafter((np.arange(-1000, 1000) + 0.5) * np.log(2), -np.inf),
    ],
    ids=["whole range", "near 0", "tiny", "above ties", "below ties"],
)
def test_exp_is_within_two_ulps(exp, x):
    assert relative_error(exp(x), np.exp(x)) < EXP_ACCURACY


def test_exp_of_zero_is_one(exp):
    assert_array_equal(exp([0.0, -0.0]), 1.0)


def test_exp_rises(exp):
    """Also where the power of two changes: responsibilities are compared."""
    x = np.linspace(-20, 20, 200_001)
    assert (np.diff(exp(x)) > 0).all()


def test_exp_is_zero_below_minus_700(exp):
    below = [-700.0, np.nextafter(-700.0, -np.inf), -701.0, -745.0, -1e4, -1e300, -np.inf]
    assert_array_equal(exp(below), 0.0)
    above = np.nextafter(-700.0, 0.0)
    assert relative_error(exp([above]), np.exp(above)) < EXP_ACCURACY


def test_exp_of_what_is_too_large_is_infinite(exp):
    assert_array_equal(exp([710.0, 711.0, 720.0, 1e3, 1e5, 1e10, 1e300, np.inf]), np.inf)


def test_exp_of_nan_is_zero(exp):
    """A NaN gets no weight; that it was there must be seen elsewhere (``test_marks``)."""
    assert_array_equal(exp([np.nan, 1.0])[0], 0.0)


@pytest.mark.parametrize(
    "x",
    [
        np.exp(np.linspace(np.log(TINY), np.log(HUGE), 200_001)[1:-1]),
        np.array([TINY, 2 * TINY, 1e-300, 1e300, HUGE / 2, HUGE]),
        2.0 ** np.arange(-1022, 1024),
        np.linspace(0.5, 2.0, 100_000),  # not 1, where the logarithm is 0
        1.0 + signed(2.0 ** -np.arange(1, 52.0)),
        np.nextafter(np.sqrt(2.0 ** np.arange(-1021, 1023, 2.0)), np.inf),
        np.nextafter(np.sqrt(2.0 ** np.arange(-1021, 1023, 2.0)), -np.inf),
    ],
    ids=[
        "whole range",
        "ends",
        "powers of two",
        "near 1",
        "very near 1",
        "above root",
        "below root",
    ],
)
def test_log_is_within_two_ulps(log, x):
    theirs = np.log(x)
    ours = log(x)
    assert_array_equal(ours[theirs == 0], 0.0)
    assert relative_error(ours[theirs != 0], theirs[theirs != 0]) < LOG_ACCURACY


def test_log_undoes_exp(exp, log):
    x = np.linspace(-699, 709, 10_001)
    assert np.abs(log(exp(x)) - x).max() < 2e-16 * 709
