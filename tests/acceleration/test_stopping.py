"""When a fit stops: by what is still to come, which a small gain does not tell."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.fitting.stopping import gain_to_come
from peculiar.model.params import MixtureParams
from tests.acceleration.problems import problem
from tests.real_data import needs_data


def stops_at(bounds, tol):
    """First iteration after which a fit with this course would stop."""
    for i in range(1, len(bounds) + 1):
        if gain_to_come(bounds[:i]) < tol:
            return i
    return None


@pytest.mark.parametrize("rate", [0.7, 0.9, 0.99, 0.999])
def test_a_geometric_series_is_known(rate):
    bounds = -7.0 - rate ** np.arange(60)
    assert_allclose(gain_to_come(bounds[:40]), max(rate**39, bounds[39] - bounds[34]), rtol=1e-6)


@pytest.mark.parametrize("rate", [0.5, 0.95, 0.995])
def test_stops_when_less_than_the_tolerance_is_to_come(rate):
    bounds = -1.0 - rate ** np.arange(5000)
    last = stops_at(bounds, 1e-6)
    assert bounds[last - 1] > -1.0 - 1e-6
    assert bounds[last - 1 - 6] < -1.0 - 1e-6  # and not long after


def test_a_sublinear_approach_is_not_cut_off_early():
    """A dof on its way to infinity: gains 1 / t^2, so that 1 / t is to come when the gain is tiny."""
    bounds = -1.0 / np.arange(1, 20_000)
    last = stops_at(bounds, 1e-3)
    assert -3e-3 < bounds[last - 1] < -1e-4
    assert np.diff(bounds)[last - 2] < 1e-5  # the gain itself was below the tolerance long before


def test_a_plateau_is_not_the_end():
    """Gains fall below the tolerance for twenty iterations, but do not go on falling: a mode is growing."""
    t = np.arange(250)
    bounds = -(0.7**t) + 3e-7 * 1.06**t
    gains = np.diff(bounds)
    assert gains[40:60].max() < 1e-6
    assert gains[-1] > 1e-3
    assert stops_at(bounds, 1e-6) is None


def test_expectations_of_others_count():
    bounds = list(-(0.1 ** np.arange(12)))
    assert gain_to_come(bounds) < 1e-6
    assert gain_to_come(bounds, 0.5) == 0.5


def test_four_gains_are_needed_unless_nothing_moves():
    assert gain_to_come([]) == math.inf
    assert gain_to_come([1.0]) == math.inf
    assert gain_to_come([0.0, 1.0, 1.1, 1.11]) == math.inf
    assert gain_to_come([0.0, 1.0, 1.1, 1.11, 1.111]) < math.inf
    assert gain_to_come([1.0, 1.0 + 1e-15]) == 0.0


def plateau_start(task):
    """Three random rows with one scatter: EM comes near a saddle, 70 nats below where it ends, and stays there long."""
    obs = task.backend.obs
    scaled = (obs.values - obs.scaling.shift) / obs.scaling.scale
    rows = np.random.default_rng(114).choice(len(scaled), 3, replace=False)
    scatter = np.cov(np.clip(scaled, -6, 6).T)
    return MixtureParams(
        np.log(np.full(3, 1 / 3)), scaled[rows], np.array([scatter] * 3), np.full(3, 10.0)
    )


@needs_data
def test_the_plateau_of_the_quasars():
    task = problem("quasars")
    start = plateau_start(task)
    plain, _ = task.fit(start=start, tol=1e-4, accelerate=False)
    assert plain.converged
    bounds = np.array(plain.bounds)
    nats = (bounds[-1] - bounds) * len(task.backend.obs.values)
    assert nats[50] > 65  # the plateau: so far below the end,
    assert nats[50] - nats[150] < 20  # for a hundred iterations,
    gains = np.diff(bounds)
    assert gains[50:150].min() < 2e-5  # each of which gains next to nothing.
    assert min(gain_to_come(bounds[: i + 1]) for i in range(50, 150)) > 1e-4
    result, _ = task.fit(start=start, tol=1e-4)  # accelerated
    assert result.converged
    assert abs(result.bound - plain.bound) < 1e-3
