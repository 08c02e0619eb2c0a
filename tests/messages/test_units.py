"""Quantities: errors are converted to the unit of the values, or refused."""

import astropy.units as u
import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture
from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, refused


@pytest.fixture(scope="module")
def plain():
    X, X_std, _ = good_table()
    return mixture().fit(X, X_std=X_std)


def test_errors_are_converted(plain):
    X, X_std, X_cov = good_table()
    model = mixture().fit(X * u.mag, X_std=X_std * 1000 * u.mmag)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    model = mixture().fit(X * u.mag, X_cov=X_cov * 1e6 * u.mmag**2)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    model = mixture().fit(u.Magnitude(X, u.ABmag), X_std=X_std * 1000 * u.mmag)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    assert np.array_equal(mixture().fit(X * u.mag, X_std=X_std).locations_, plain.locations_)
    assert np.allclose(mixture().fit(X, X_std=100 * X_std * u.percent).locations_, plain.locations_)


def test_errors_in_another_kind_of_unit():
    X, X_std, X_cov = good_table()
    refused(
        r"^X_std is in Jy, which cannot be converted to mag; X is in mag: give X_std in mag$",
        X * u.mag,
        X_std=X_std * u.Jy,
    )
    refused(
        r"^X_cov is in mag, which cannot be converted to the square of mag; X is in mag: give X_cov in the square",
        X * u.mag,
        X_cov=X_cov * u.mag,
    )
    refused(
        r"^X_std is in mag, and X has no unit; give X with its unit, or X_std without one$",
        X,
        X_std=X_std * u.mag,
    )
    refused(
        r"^X is a list of quantities, whose units would be lost; make one quantity of it: Quantity\(X\)$",
        [row * u.mag for row in X],
    )


@pytest.mark.parametrize("kind", ["mixture", "detector", "file"])
def test_the_unit_of_the_fit_is_remembered(kind, plain, tmp_path):
    X, X_std, _ = good_table()
    if kind == "detector":
        model = OutlierDetector(1, wild_fraction=0.01, random_state=0).fit(X * u.mag, X_std=X_std)
    else:
        model = mixture().fit(X * u.mag, X_std=X_std * u.mag)
    if kind == "file":
        model.save(tmp_path / "model.peculiar")
        model = RobustMixture.load(tmp_path / "model.peculiar")
    expected = model.score_samples(X, X_std=X_std)
    found = model.score_samples(1000 * X * u.mmag, X_std=X_std * u.mag)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    message = r"^X is in mmag, the model was fitted in mag, and X_std has no unit; give X_std with its unit$"
    with pytest.raises(InputError, match=message):
        model.score_samples(1000 * X * u.mmag, X_std=X_std)
    message = r"^X is in Jy, which cannot be converted to mag, the unit the model was fitted in; is it the right table"
    with pytest.raises(InputError, match=message):
        model.score_samples(X * u.Jy, X_std=X_std * u.Jy)


def test_a_unit_for_a_model_without_one(plain):
    X, X_std, _ = good_table()
    message = r"^X is in mag, and the model was fitted without a unit; give X\.value if it is in the unit of the fit$"
    with pytest.raises(InputError, match=message):
        plain.score_samples(X * u.mag, X_std=X_std * u.mag)


def test_errors_to_measure_with_are_converted(plain):
    X, X_std, _ = good_table()
    model = mixture().fit(X * u.mag)
    one, _ = model.sample(30, X_std=X_std, random_state=1)
    two, _ = model.sample(30, X_std=1000 * X_std * u.mmag, random_state=1)
    np.testing.assert_allclose(one, two, rtol=1e-12)


def test_a_unit_that_astropy_does_not_know_by_its_name(plain):
    X, X_std, X_cov = good_table()
    foo = u.def_unit("foo", 5 * u.m)
    model = mixture().fit(X * foo, X_std=X_std * foo)
    assert np.array_equal(model.locations_, plain.locations_)
    assert np.array_equal(mixture().fit(X * foo, X_std=X_std).locations_, plain.locations_)
    model = mixture().fit(X * foo, X_cov=X_cov * foo**2)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    found = model.score_samples(X * foo, X_std=X_std * foo)
    assert np.array_equal(found, model.score_samples(X, X_std=X_std))
    refused(
        r"^X_std is in m, which cannot be converted to foo; X is in foo: give X_std in foo$",
        X * foo,
        X_std=X_std * u.m,
    )


def test_errors_in_a_unit_that_counts_the_other_way(plain):
    X, X_std, X_cov = good_table()  # a dex is -2.5 mag
    model = mixture().fit(X * u.dex, X_std=2.5 * X_std * u.mag)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    model = mixture().fit(X * u.dex, X_cov=6.25 * X_cov * u.mag**2)
    np.testing.assert_allclose(model.locations_, plain.locations_, rtol=1e-6)
    fitted = mixture().fit(X * u.dex, X_std=X_std * u.dex)
    found = fitted.score_samples(-2.5 * X * u.mag, X_std=2.5 * X_std * u.mag)
    np.testing.assert_allclose(found, fitted.score_samples(X, X_std=X_std), rtol=1e-9)
    X_std[3, 1] = -0.2
    refused(r"^row 3, column 1: the error -0\.2 is negative", X * u.dex, X_std=2.5 * X_std * u.mag)
