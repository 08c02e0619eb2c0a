"""A full scatter that prefers to be like a diagonal one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from peculiar.errors import SettingError
from peculiar.model.scatter import AutoScatter, FullScatter, ShrunkScatter

TARGET = (0.5, 1.0, 2.0)


def second_moments(n_components=2, seed=0):
    root = np.random.default_rng(seed).standard_normal((n_components, 3, 5))
    return root @ np.swapaxes(root, 1, 2) / 5


def objective(scatter, scatters, moments, n):
    """What the M-step is to make large, component by component."""
    total = scatter.log_prior(scatters)
    for sigma, moment, rows in zip(scatters, moments, n):
        total -= (
            0.5 * rows * (np.log(np.linalg.det(sigma)) + np.trace(np.linalg.inv(sigma) @ moment))
        )
    return total


def test_the_estimate_is_the_best():
    scatter, moments, n = ShrunkScatter(7.0, TARGET), second_moments(), np.array([3.0, 40.0])
    best = scatter.estimate(moments, n)
    highest = objective(scatter, best, moments, n)
    rng = np.random.default_rng(1)
    for size in (0.1, 0.01):
        for _ in range(50):
            change = size * rng.standard_normal(best.shape)
            rival = FullScatter().nearest(best + change + np.swapaxes(change, 1, 2))
            assert objective(scatter, rival, moments, n) < highest


def test_pseudo_rows_are_like_rows():
    """The moments of n rows and kappa others, whose second moment is the target."""
    scatter, moments = ShrunkScatter(30.0, TARGET), second_moments()
    expected = (10.0 * moments + 30.0 * np.diag(TARGET)) / 40.0
    assert_allclose(scatter.estimate(moments, np.full(2, 10.0)), expected, rtol=1e-12)


def test_the_target_is_preferred():
    scatter = ShrunkScatter(7.0, TARGET)
    assert_allclose(scatter.log_prior(np.diag(TARGET)[None]), 0.0, atol=1e-14)
    assert scatter.log_prior(second_moments()) < 0.0
    assert FullScatter().log_prior(second_moments()) == 0.0


def table(n=40, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = (
        rng.standard_normal((n, d)) @ rng.standard_normal((d, d))
        + 3.0 * (np.arange(n) % 2)[:, None]
    )
    errors = rng.uniform(0.1, 0.5, (n, d))
    return X + errors * rng.standard_normal((n, d)), errors


def fitted(pseudo_rows, X, errors, n_components=1, **settings):
    settings = {"scatter": AutoScatter(pseudo_rows), "tol": 1e-10} | settings
    return RobustMixture(n_components, random_state=0, **settings).fit(X, X_std=errors)


def test_without_pseudo_rows_it_is_a_full_scatter():
    X, errors = table()
    full = RobustMixture(dof=5.0, random_state=0, tol=1e-10).fit(X, X_std=errors)
    for amount, rtol in ((0.0, 1e-12), (1e-6, 2e-3)):
        scatters = fitted(amount, X, errors, dof=5.0).scatters_
        assert_allclose(scatters, full.scatters_, rtol=rtol)


def test_with_very_many_it_is_the_diagonal_one():
    X, errors = table()
    diagonal = RobustMixture(scatter="diag", random_state=0, tol=1e-10).fit(X, X_std=errors)
    scatter = fitted(1e9, X, errors).scatters_[0]
    assert_allclose(scatter - np.diag(np.diag(scatter)), 0.0, atol=1e-6)
    assert_allclose(np.diag(scatter), np.diag(diagonal.scatters_[0]), rtol=0.02)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # plain EM is slow
@pytest.mark.parametrize("accelerate", [False, True])
@pytest.mark.parametrize(
    ("n", "d"), [(12, 4), pytest.param(100, 20, marks=pytest.mark.slow)], ids=str
)
def test_never_falls_and_never_collapses(n, d, accelerate):
    """Fewer rows than a full scatter has parameters; a collapse would warn, and so fail."""
    X, errors = table(n, d, seed=1)
    settings = {"wild_fraction": "estimate", "accelerate": accelerate, "tol": 1e-4, "max_iter": 200}
    for amount in (0.5 * d, 4.0 * d):
        model = fitted(amount, X, errors, 2, **settings)
        assert np.diff(model.lower_bounds_).min() > -1e-9
        assert len(model.lower_bounds_) >= 5


def test_units_do_not_matter():
    X, errors = table()
    unit, shift = np.array([1.0, 1e3, 1e-4, 7.0]), np.array([0.0, 5.0, 1.0, -3.0])
    here = fitted(6.0, X, errors, 2).scatters_
    there = fitted(6.0, X * unit + shift, errors * unit, 2).scatters_
    assert_allclose(there / unit[:, None] / unit, here, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("amount", [-1.0, np.inf, np.nan, "many", True])
def test_amounts_that_cannot_be(amount):
    with pytest.raises(SettingError, match=f"pseudo_rows must be a finite number.*not {amount!r}"):
        AutoScatter(amount)


def test_an_objective_that_is_no_likelihood_cannot_choose():
    X, errors = table()
    model = RobustMixture(engine="map", scatter="auto", dof=5.0)
    with pytest.raises(
        SettingError, match=r"scatter='auto' compares likelihoods.*or scatter='full'"
    ):
        model.fit(X, X_std=errors)
