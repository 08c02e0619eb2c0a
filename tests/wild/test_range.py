"""An estimated wild fraction stays inside (0, 1), whatever the table."""

import math

import numpy as np
import pytest

from peculiar import OutlierDetector
from peculiar.fitting.accelerate.coordinates import Coordinates
from peculiar.model.params import MixtureParams
from peculiar.model.prior import EstimatedDofs
from peculiar.model.prior.wild import GREATEST_FRACTION, LEAST_FRACTION, WithWild, within_range


def whole_numbers(seed, n=223):
    """Counts from 1 to 10 in nine columns: half of the rows are 1 nearly everywhere, the others scatter widely."""
    rng = np.random.default_rng(seed)
    X, many = np.ones((n, 9)), rng.random(n) < 0.55
    sizes = 10 ** rng.uniform(-0.5, 1, (many.sum(), 1))
    wide = sizes * np.abs(rng.standard_cauchy((many.sum(), 9)))
    X[many] = 1 + np.round(wide).clip(0, 9)
    X[rng.random(X.shape) < 0.1] += 1
    return X


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.parametrize("n_components", [1, "mml"])
def test_where_most_would_be_wild(n_components):
    detector = OutlierDetector(n_components, random_state=0).fit(whole_numbers(0))
    assert detector.mixture_.wild_fraction_ == GREATEST_FRACTION  # it would be 0.8
    assert np.diff(detector.mixture_.lower_bounds_).min() > -1e-8
    assert np.isfinite(detector.score_samples(whole_numbers(0))).all()


@pytest.mark.parametrize("angle", [0.0, 1.0, math.pi / 2, 3.0, 100.0])
def test_an_extrapolated_fraction_is_in_range(angle):
    prior = WithWild(EstimatedDofs())
    params = MixtureParams(
        np.zeros(1), np.zeros((1, 2)), np.eye(2)[None], np.array([20.0]), wild_fraction=0.1
    )
    coordinates = Coordinates.about(params, prior)
    vector = coordinates.of(params)
    vector[-1] = angle
    assert LEAST_FRACTION <= coordinates.params(vector).wild_fraction <= GREATEST_FRACTION


def test_range():
    assert [within_range(x) for x in (0.0, 0.2, 1.0)] == [LEAST_FRACTION, 0.2, GREATEST_FRACTION]
