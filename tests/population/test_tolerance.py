"""By how much errors would have to be larger: the root of a function that is dear to ask."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2

from peculiar.population.tolerance import LARGEST_FACTOR, PRECISION, error_tolerance

LOG_TARGET = np.log(0.004)


def gaussian(sq_dist, noise, d=3):
    """log p of objects at these squared distances from a Gaussian of unit scatter, with noise of these variances."""

    def log_tail(factors, rows):
        spread = 1.0 + np.square(factors) * noise[rows]
        return chi2.logsf(sq_dist[rows] / spread, d)

    return log_tail


def counted(log_tail):
    asked = []

    def counting(factors, rows):
        asked.extend(rows)
        return log_tail(factors, rows)

    return counting, asked


def twin(log_tail, row):
    """By halving, to the last digit."""
    at = np.array([row])
    root = brentq(lambda x: log_tail(np.exp([x]), at)[0] - LOG_TARGET, 0.0, np.log(LARGEST_FACTOR))
    return np.exp(root)


def test_roots_of_gaussians_at_any_distance():
    rng = np.random.default_rng(0)
    sq_dist, noise = 10 ** rng.uniform(1.5, 5, 300), 10 ** rng.uniform(-3, 2, 300)
    log_tail, asked = counted(gaussian(sq_dist, noise))
    log_p = gaussian(sq_dist, noise)(np.ones(300), np.arange(300))
    factors = error_tolerance(log_tail, log_p, LOG_TARGET)
    strange = np.flatnonzero(log_p < LOG_TARGET)
    assert (factors[log_p >= LOG_TARGET] == 1.0).all()
    wanted = [twin(gaussian(sq_dist, noise), row) for row in strange]
    np.testing.assert_allclose(factors[strange], wanted, rtol=PRECISION)
    assert len(asked) < 6 * len(strange)


def test_what_no_error_explains_is_inf_and_soon_known():
    sq_dist, noise = np.full(4, 400.0), np.array([0.0, 1e-12, 1e-3, 1.0])
    log_tail, asked = counted(gaussian(sq_dist, noise))
    log_p = gaussian(sq_dist, noise)(np.ones(4), np.arange(4))
    factors = error_tolerance(log_tail, log_p, LOG_TARGET)
    np.testing.assert_array_equal(np.isinf(factors), [True, True, False, False])
    assert asked.count(0) <= 3


@pytest.mark.parametrize("seed", range(5))
def test_curves_that_are_anything_but_a_line(seed):
    """Steps, plateaus and bends that only rise."""
    rng = np.random.default_rng(seed)
    knots = np.sort(rng.uniform(0.0, np.log(LARGEST_FACTOR), (20, 8)), axis=1)
    heights = np.sort(-(10 ** rng.uniform(-2, 2.5, (20, 9))), axis=1)

    def log_tail(factors, rows):
        x = np.log(factors)
        steep = 1.0 / (1.0 + np.exp(-np.clip(40.0 * (x[:, None] - knots[rows]), -500, 500)))
        rise = np.diff(heights[rows], axis=1)
        return heights[rows, 0] + (rise * steep).sum(axis=1)

    everyone = np.arange(20)
    log_p = log_tail(np.ones(20), everyone)
    factors = error_tolerance(log_tail, log_p, LOG_TARGET)
    for row in np.flatnonzero(log_p < LOG_TARGET):
        if log_tail(np.array([LARGEST_FACTOR]), np.array([row]))[0] < LOG_TARGET:
            assert np.isinf(factors[row])
        else:
            np.testing.assert_allclose(factors[row], twin(log_tail, row), rtol=PRECISION)


@pytest.mark.parametrize(
    ("log_tail", "wanted"),
    [
        (lambda f: -100.0 - 0.01 * np.log(f), np.inf),  # an exact value that a noisy one betrays
        (lambda f: -100.0 * f**0.1, np.inf),
        (lambda f: np.where(f < 9.0, -np.inf, -3000.0 / (1.0 + f * f)), None),
        (lambda f: np.where(f < 3.0, -100.0 / (f * f), -1e-12), 3.0),  # p is 1 at once
        (lambda f: np.where(f < 5000.0, -50.0, -0.1), 5000.0),
        (lambda f: -4e5 / (1.0 + 1e-3 * f * f), None),
        (lambda f: -6e5 / (1.0 + 1e-3 * f * f), np.inf),
        (lambda f: -50.0 * f**-8.0, None),
    ],
)
def test_odd_curves_need_few_questions(log_tail, wanted):
    row, asked = np.array([0]), []

    def counting(factors, rows):
        asked.extend(rows)
        return log_tail(factors) * np.ones(len(rows))

    (factor,) = error_tolerance(counting, counting(np.ones(1), row), -5.0)
    if wanted is None:
        start = 9.0 if np.isinf(log_tail(1.0)) else 1.0
        wanted = brentq(lambda f: float(log_tail(f)) + 5.0, start, LARGEST_FACTOR)
    np.testing.assert_allclose(factor, wanted, rtol=PRECISION)
    assert len(asked) <= 25
