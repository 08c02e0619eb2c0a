"""The objective never falls, whatever the data: few rows, many features, collinear ones, duplicates, far outliers."""

import warnings

import numpy as np
import pytest

from peculiar import RobustMixture
from peculiar.errors import PeculiarError

ALLOWED_FALL = 1e-8  # per row
FEATURES = (1, 3)


def problem(seed, features):
    """Values, errors, and settings of a fit that may well collapse."""
    rng = np.random.default_rng([77, seed])
    d, n = int(rng.choice(features)), int(rng.choice([5, 8, 12, 20, 40, 80, 150]))
    n_components = int(rng.integers(1, min(4, max(2, n // 4)) + 1))
    X = rng.standard_t(3, size=(n, d)) + 3 * rng.integers(0, 3, size=(n, 1))
    kind = rng.choice(["plain", "collinear", "duplicates", "rounded", "outlier"])
    if kind == "collinear":
        X[:, -1] = 2.0 * X[:, 0] + 1.0
    elif kind == "duplicates":
        X[n // 2 :] = X[: n - n // 2]
    elif kind == "rounded":
        X = np.round(X)
    elif kind == "outlier":
        X[0] *= 1e4
    noise = rng.choice(["none", "std", "cov"])
    errors = {}
    if noise == "std":
        errors["X_std"] = 10 ** rng.uniform(-2, 1, size=(n, d))
    elif noise == "cov":
        root = rng.normal(size=(n, d, d)) * 10 ** rng.uniform(-2, 0.5, size=(n, 1, 1))
        errors["X_cov"] = root @ root.transpose(0, 2, 1) / d
    settings = {
        "n_components": n_components,
        "wild_fraction": "estimate" if seed % 3 == 0 else 0.0,
        "dof": "estimate" if seed % 2 else 4.0,
    }
    return X, errors, settings


def greatest_fall(seed, features):
    X, errors, settings = problem(seed, features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = RobustMixture(**settings, random_state=0, max_iter=60).fit(X, **errors)
        except PeculiarError:  # such as a feature without any spread
            return None
    return max(0.0, -float(np.diff(model.lower_bounds_, prepend=model.lower_bounds_[0]).min()))


def test_the_objective_of_a_collapsing_fit_never_falls():
    falls = [greatest_fall(seed, FEATURES) for seed in range(40)]
    assert sum(fall is not None for fall in falls) > 30
    assert max(fall for fall in falls if fall is not None) <= ALLOWED_FALL


@pytest.mark.slow
def test_nor_do_those_that_once_did():
    # 96 and 110 fell by 2e-7, 121 and 123 by 0.2 when the floor of a scatter was relative to its largest eigenvalue.
    falls = [greatest_fall(seed, (1, 2, 3, 6)) for seed in (96, 110, 121, 123)]
    assert max(falls) <= ALLOWED_FALL


@pytest.mark.slow
def test_nor_does_that_of_any_of_300_problems():
    falls = [greatest_fall(seed, range(1, 26)) for seed in range(300)]
    assert sum(fall is not None for fall in falls) > 250
    assert max(fall for fall in falls if fall is not None) <= ALLOWED_FALL
