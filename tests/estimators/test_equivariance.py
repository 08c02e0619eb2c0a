"""Units, origins and axes are the user's business."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from tests.estimators.helpers import measured, plain, quick


def on_a_grid():
    """Values that are multiples of 1/1024, so that adding 1e8 to them is exact; and errors."""
    X, X_std = measured()
    X = np.round(X * 1024) / 1024
    X[::9, 1] = np.nan
    return X, X_std


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize("shift", [[1e8, 1e8], [-1e8, 0.0]])
def test_shifts_of_1e8(engine, shift):
    X, X_std = on_a_grid()
    near = plain(engine=engine).fit(X, X_std=X_std)
    far = plain(engine=engine).fit(X + shift, X_std=X_std)
    assert far.n_iter_ == near.n_iter_
    assert_allclose(far.weights_, near.weights_, rtol=1e-10)
    # 1e8 has 1e-8 as last digit.
    assert_allclose(far.locations_ - shift, near.locations_, atol=1e-7)
    assert_allclose(far.scatters_, near.scatters_, rtol=1e-9)
    assert_allclose(far.dofs_, near.dofs_, rtol=1e-9)
    assert_allclose(
        far.score_samples(X + shift, X_std=X_std), near.score_samples(X, X_std=X_std), atol=1e-6
    )


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize("units", [[1e-9, 1e-9], [1e9, 1e9], [1e-9, 1e9], [3e5, -7e-7]])
def test_units(engine, units):
    X, X_std = on_a_grid()
    units = np.array(units)
    usual = plain(engine=engine).fit(X, X_std=X_std)
    other = plain(engine=engine)
    other.fit(X * units, X_std=X_std * np.abs(units))
    assert other.n_iter_ == usual.n_iter_
    assert_allclose(other.weights_, usual.weights_, rtol=1e-8)
    assert_allclose(other.locations_ / units, usual.locations_, rtol=1e-8, atol=1e-8)
    assert_allclose(other.scatters_ / np.outer(units, units), usual.scatters_, rtol=1e-7, atol=1e-9)
    assert_allclose(other.dofs_, usual.dofs_, rtol=1e-6)
    per_unit = np.log(np.abs(units))
    expected = usual.score_samples(X, X_std=X_std) - (~np.isnan(X)) @ per_unit
    assert_allclose(
        other.score_samples(X * units, X_std=X_std * np.abs(units)), expected, rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("engine", ["exact", "structured"])
@pytest.mark.parametrize("units", [[1e-9, 1e9], [3e5, -7e-7]])
def test_units_of_an_accelerated_fit(engine, units):
    """Extrapolation amplifies rounding, so iterations may differ; where they lead must not."""
    X, X_std = on_a_grid()
    units = np.array(units)
    usual = quick(engine=engine, tol=1e-8).fit(X, X_std=X_std)
    other = quick(engine=engine, tol=1e-8).fit(X * units, X_std=X_std * np.abs(units))
    shrink = ((~np.isnan(X)) @ np.log(np.abs(units))).mean()
    assert_allclose(other.lower_bound_ + shrink, usual.lower_bound_, rtol=0, atol=1e-8)
    assert_allclose(other.weights_, usual.weights_, rtol=1e-4)
    assert_allclose(other.locations_ / units, usual.locations_, rtol=0, atol=1e-4)
    assert_allclose(other.scatters_ / np.outer(units, units), usual.scatters_, rtol=1e-3)


def test_a_feature_with_standard_deviation_1e_9():
    X, _ = measured()
    usual, small = (plain().fit(X * unit) for unit in ([1.0, 1.0], [1.0, 1e-9]))
    assert_allclose(small.locations_ / [1.0, 1e-9], usual.locations_, rtol=1e-8)


def run(X, cov, start):
    weights, locations, scatters, dofs = start
    model = RobustMixture(
        2,
        weights_init=weights,
        locations_init=locations,
        scatters_init=scatters,
        dofs_init=dofs,
        tol=0,
        max_iter=15,
    )
    with pytest.warns(ConvergenceWarning):
        return model.fit(X, X_cov=cov)


def test_affine_maps_from_the_same_start():
    rng = np.random.default_rng(4)
    X, X_std = measured()
    factors = rng.normal(size=(len(X), 2, 2)) * X_std[:, :, None]
    cov = factors @ factors.transpose(0, 2, 1)
    A, b = np.array([[2.0, -1.5], [0.3, 40.0]]), np.array([1e3, -7.0])
    locations, scatters = np.array([[0.0, 1.0], [5.0, 5.0]]), np.array([np.eye(2), 2 * np.eye(2)])
    plain = run(X, cov, ([0.5, 0.5], locations, scatters, [5.0, 9.0]))
    mapped = run(
        X @ A.T + b,
        A @ cov @ A.T,
        ([0.5, 0.5], locations @ A.T + b, A @ scatters @ A.T, [5.0, 9.0]),
    )
    assert_allclose(mapped.weights_, plain.weights_, rtol=1e-8)
    assert_allclose(mapped.locations_, plain.locations_ @ A.T + b, rtol=1e-8)
    assert_allclose(mapped.scatters_, A @ plain.scatters_ @ A.T, rtol=1e-7)
    assert_allclose(mapped.dofs_, plain.dofs_, rtol=1e-7)
    shrink = np.log(np.linalg.det(A))
    assert_allclose(mapped.lower_bounds_ + shrink, plain.lower_bounds_, atol=1e-8)
