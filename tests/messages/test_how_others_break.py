"""Cases in which other tools abort, return NaN or are silently wrong: 400 points, two clusters in two features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from peculiar.errors import CollapsedScatterWarning, InputError
from tests.messages.helpers import mixture

RNG = np.random.default_rng(0)
CLEAN = RNG.standard_normal((400, 2))
CLEAN[200:] += 6.0
ERRORS = RNG.uniform(0.1, 0.6, CLEAN.shape)
MEASURED = CLEAN + ERRORS * RNG.standard_normal(CLEAN.shape)
TRUTH = [[0.0, 0.0], [6.0, 6.0]]


def found(model):
    return model.locations_[np.argsort(model.locations_[:, 0])]


def assert_right(model, atol=0.25):
    assert_allclose(found(model), TRUTH, atol=atol)
    assert_allclose(model.weights_, 0.5, atol=0.02)
    assert_allclose(np.diagonal(model.scatters_, axis1=1, axis2=2), 1.0, atol=0.45)


def test_the_plain_case():
    assert_right(mixture(2).fit(MEASURED, X_std=ERRORS))


def test_one_outlier():
    assert_right(mixture(2).fit(np.vstack([CLEAN, [[1e4, 1e4]]])))


def test_nan_in_x():
    X = MEASURED.copy()
    X[::10, 0] = np.nan
    assert_right(mixture(2).fit(X, X_std=ERRORS))


def test_nan_in_the_errors():
    errors = ERRORS.copy()
    errors[17, 1] = np.nan
    with pytest.raises(InputError, match=r"row 17, column 1: the value .* has error NaN"):
        mixture(2).fit(MEASURED, X_std=errors)


def test_infinite_errors():
    errors = ERRORS.copy()
    errors[::10, 1] = np.inf
    assert_right(mixture(2).fit(MEASURED, X_std=errors))


def test_a_negative_variance():
    cov = ERRORS[:, :, None] ** 2 * np.eye(2)
    cov[9, 0, 0] = -1.0
    with pytest.raises(
        InputError, match="row 9: the variance of column 0 is -1, which is negative"
    ):
        mixture(2).fit(MEASURED, X_cov=cov)


def test_errors_shorter_than_the_data():
    with pytest.raises(InputError, match=r"X_std has shape \(399, 2\), X has \(400, 2\)"):
        mixture(2).fit(MEASURED, X_std=ERRORS[:-1])


def test_all_points_identical():
    with pytest.raises(InputError, match="all 400 rows are identical and without errors"):
        mixture(2).fit(np.ones((400, 2)))


def test_a_hundred_duplicates():
    X = np.vstack([CLEAN, np.tile([[3.0, -3.0]], (100, 1))])
    with pytest.warns(CollapsedScatterWarning):
        model = mixture(3).fit(X)
    order = np.argsort(model.locations_[:, 1])
    assert_allclose(model.locations_[order], [[3.0, -3.0], [0.0, 0.0], [6.0, 6.0]], atol=0.25)
    assert_allclose(model.weights_[order], [0.2, 0.4, 0.4], atol=0.01)


def test_a_constant_feature():
    X = np.column_stack([CLEAN, np.full(400, 5.0)])
    with pytest.raises(InputError, match=r"column 2 is constant \(5 in every row that has it\)"):
        mixture(2).fit(X)


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_forty_components_for_120_rows():
    X = np.random.default_rng(0).standard_normal((120, 2))
    model = mixture(40, max_iter=40).fit(X)
    assert np.linalg.eigvalsh(model.scatters_).min() > 0
    assert np.isfinite(model.score_samples(X)).all()
    assert np.diff(model.lower_bounds_).min() > -1e-6
    assert_allclose(model.weights_.sum(), 1.0)


def test_more_components_than_rows():
    with pytest.raises(
        InputError, match="n_components=5 is more than the number of distinct rows, 3"
    ):
        mixture(5).fit(CLEAN[:3])


def test_a_feature_with_spread_1e_9():
    model = mixture(2).fit(CLEAN * [1.0, 1e-9])
    assert_allclose(found(model) / [1.0, 1e-9], found(mixture(2).fit(CLEAN)), atol=1e-6)


def test_all_data_plus_1e8():
    grid = np.round(CLEAN * 1024) / 1024
    assert_allclose(found(mixture(2).fit(grid + 1e8)) - 1e8, found(mixture(2).fit(grid)), atol=1e-6)


def test_one_point_at_1e200():
    X = CLEAN.copy()
    X[3, 1] = 1e200
    with pytest.raises(InputError, match=r"row 3, column 1: the value 1e\+200 is so large"):
        mixture(2).fit(X)


@pytest.mark.parametrize("error", [1e6, 1e10])
def test_a_fifth_of_a_feature_with_huge_errors(error):
    rng = np.random.default_rng(1)
    X, errors = MEASURED.copy(), ERRORS.copy()
    errors[::5, 1] = error
    X[::5, 1] = error * rng.standard_normal(80)
    assert_right(mixture(2).fit(X, X_std=errors))


def test_integer_starts():
    model = mixture(2, locations_init=np.array([[1, 1], [5, 5]])).fit(CLEAN)
    assert_allclose(found(model), found(mixture(2).fit(CLEAN)), atol=0.01)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_not_converged():
    model = mixture(2, max_iter=2, tol=0).fit(CLEAN)
    assert np.isfinite(model.locations_).all()


def test_scikit_learn_tools():
    model = clone(mixture(2).fit(CLEAN))
    assert not hasattr(model, "locations_")
    shuffled = np.random.default_rng(0).permutation(CLEAN)
    assert np.isfinite(cross_val_score(model, shuffled, cv=3)).all()
