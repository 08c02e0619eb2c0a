"""A transformation before a model: errors go through it as the values do."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_outlier_detector
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    PolynomialFeatures,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from peculiar import OutlierDetector, RobustMixture, Transformed
from peculiar.errors import InputError, MissingNoiseWarning, ScaledValuesWarning, SettingError
from tests.estimators.helpers import as_cov, measured, quick

STEPS = {
    "standard": StandardScaler(),
    "robust": RobustScaler(),
    "minmax": MinMaxScaler(),
    "pca": PCA(),
    "whitened": PCA(whiten=True),
    "several": make_pipeline(MinMaxScaler(), StandardScaler(), PCA()),
    "sum": FunctionTransformer(lambda X: np.column_stack([X[:, 0] + X[:, 1], X[:, 1]])),
}


@pytest.fixture(scope="module")
def rows():
    X, X_std = measured()
    return X * [100.0, 0.01] + [5800.0, 4.4], X_std * [100.0, 0.01]


@pytest.fixture(scope="module")
def plain(rows):
    X, X_std = rows
    return quick(1).fit(X, X_std=X_std)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("noise", ["X_std", "X_cov"])
def test_the_answers_are_those_without_the_transformation(step, noise, rows, plain):
    X, X_std = rows
    errors = {"X_std": X_std, "X_cov": as_cov(X_std)}
    model = Transformed(STEPS[step], quick(1)).fit(X, **{noise: errors[noise]})
    expected = plain.robust_weights(X, X_std=X_std)
    assert_allclose(model.robust_weights(X, **{noise: errors[noise]}), expected, atol=0.02)


def test_errors_follow_from_the_matrix(rows):
    X, X_std = rows
    model = Transformed(StandardScaler(), quick(1)).fit(X, X_std=X_std)
    carried = model.carry(X, X_std=X_std)
    assert_allclose(carried["X"], (X - X.mean(axis=0)) / X.std(axis=0), rtol=1e-9)
    assert_allclose(carried["X_std"], X_std / X.std(axis=0), rtol=1e-9)
    model = Transformed(PCA(), quick(1)).fit(X, X_std=X_std)
    axes = model.transformer_.components_
    assert_allclose(model.matrix_, axes, atol=1e-9)
    carried = model.carry(X, X_std=X_std)
    assert_allclose(carried["X_cov"], axes @ as_cov(X_std) @ axes.T, rtol=1e-6, atol=1e-9)


def test_far_from_the_origin(rows):
    X, X_std = measured()
    model = Transformed(StandardScaler(), quick(1)).fit(X * 1e-3 + 2.46e6, X_std=1e-3 * X_std)
    carried = model.carry(X * 1e-3 + 2.46e6, X_std=1e-3 * X_std)
    assert_allclose(carried["X_std"], X_std / X.std(axis=0), rtol=1e-5)


def test_missing_values(rows):
    X, X_std = (array.copy() for array in rows)
    X[3, 1] = np.nan
    X_std[5, 0] = np.inf
    model = Transformed(StandardScaler(), quick(1)).fit(X, X_std=X_std)
    assert_array_equal(np.isnan(model.carry(X, X_std=X_std)["X"]).sum(axis=0), [1, 1])
    message = r"^row 3, column 1 is missing, which the transformer does not take \(Input X contains NaN.*\); leave such"
    with pytest.raises(InputError, match=message):
        Transformed(PCA(), quick(1)).fit(X, X_std=X_std)
    model = Transformed(PCA(), quick(1)).fit(*rows[:1], X_std=rows[1])
    message = r"^row 5, column 0 is missing, which the transformer does not take"
    with pytest.raises(InputError, match=message):
        model.carry(rows[0], X_std=X_std)


@pytest.mark.parametrize(
    "step",
    [PolynomialFeatures(2), QuantileTransformer(n_quantiles=20), FunctionTransformer(np.square)],
)
def test_what_is_not_affine_is_refused(step, rows):
    X, X_std = rows
    message = rf"^{type(step).__name__} is not affine \(new feature \d of row \d+ is .*\), so that errors cannot go"
    with pytest.raises(InputError, match=message):
        Transformed(step, quick(1)).fit(X, X_std=X_std)


def test_a_table_with_names(rows):
    X, X_std = (pd.DataFrame(array, columns=["teff", "logg"]) for array in rows)
    step = ColumnTransformer([("t", StandardScaler(), ["logg"]), ("u", RobustScaler(), ["teff"])])
    model = Transformed(step, quick(1)).fit(X, X_std=X_std)
    assert (model.matrix_ != 0).tolist() == [[False, True], [True, False]]
    carried = model.carry(X, X_std=X_std)
    assert_allclose(carried["X_std"][:, 0], X_std["logg"] / X["logg"].std(ddof=0), rtol=1e-9)
    assert model.feature_names_in_.tolist() == ["teff", "logg"]


def test_a_detector(rows):
    X, X_std = rows
    detector = OutlierDetector(1, wild_fraction=0.01, random_state=0)
    model = Transformed(StandardScaler(), detector)
    assert is_outlier_detector(model)
    labels = model.fit_predict(X, X_std=X_std)
    assert_array_equal(labels, model.predict(X, X_std=X_std))
    assert_allclose(
        model.p_values(X, X_std=X_std),
        clone(detector).fit(X, X_std=X_std).p_values(X, X_std=X_std),
        atol=0.02,
    )
    assert model.discoveries(X, X_std=X_std, fdr=0.2).mask.shape == (200,)
    assert not hasattr(model, "predict_proba")
    with pytest.warns(MissingNoiseWarning):
        model.predict(X)


def test_it_is_an_estimator_like_others(rows):
    X, X_std = rows
    model = clone(Transformed(StandardScaler(), quick(1))).set_params(estimator__n_components=2)
    assert model.estimator.n_components == 2
    assert "transformer__with_mean" in model.get_params()
    with pytest.raises(ValueError, match="not fitted yet"):
        model.predict(X)
    halves = KFold(2, shuffle=True, random_state=0)
    with sklearn.config_context(enable_metadata_routing=True):
        model.set_fit_request(X_std=True).set_score_request(X_std=True)
        search = GridSearchCV(model, {"estimator__n_components": [1, 2]}, cv=halves)
        search.fit(X, X_std=X_std)
    assert search.best_params_ == {"estimator__n_components": 2}


MARK = (
    r"^every column of X has mean 0 and spread 1, as if a scaler had made it, and scalers in a pipeline do not see the "
    r"errors: are X_std and X_cov in the units of the scaled values\? peculiar\.Transformed\(scaler, model\) "
    r"scales both$"
)


def test_a_scaler_that_did_not_see_the_errors(rows):
    X, X_std = rows
    scaled = StandardScaler().fit_transform(X)
    for errors in ({"X_std": X_std}, {"X_cov": as_cov(X_std)}):
        with pytest.warns(ScaledValuesWarning, match=MARK) as caught:
            quick(1).fit(scaled, **errors)
        assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(ScaledValuesWarning, match=MARK):
        OutlierDetector(1, wild_fraction=0.01).fit(scaled, X_std=X_std)
    with pytest.warns(ScaledValuesWarning, match=MARK):
        quick(1).fit(PCA(whiten=True).fit_transform(X), X_std=X_std)
    with (
        sklearn.config_context(enable_metadata_routing=True),
        pytest.warns(ScaledValuesWarning, match=MARK),
    ):
        make_pipeline(StandardScaler(), quick(1).set_fit_request(X_std=True)).fit(X, X_std=X_std)


def test_no_warning_without_errors_or_without_the_mark(rows):
    X, X_std = rows
    scaled = StandardScaler().fit_transform(X)
    model = quick(1).fit(scaled)  # warnings are errors here
    model.score(scaled, X_std=X_std)
    quick(1).fit(scaled * 1.001, X_std=X_std)
    quick(1).fit(scaled + np.array([0.0, 0.001]), X_std=X_std)
    Transformed(StandardScaler(), quick(1)).fit(X, X_std=X_std)


def test_a_scaler_that_clips_is_affine_until_a_row_is_far_away(rows):
    X, X_std = rows
    model = Transformed(MinMaxScaler(clip=True), quick(1)).fit(X, X_std=X_std)
    far = X[:2].copy()
    far[1] += 100.0 * X.std(axis=0)
    with pytest.raises(
        InputError, match=r"^MinMaxScaler is not affine \(new feature 0 of row 1 is 1, a linear"
    ):
        model.score_samples(far, X_std=X_std[:2])


@pytest.mark.parametrize("step", [SimpleImputer(), SimpleImputer(add_indicator=True)], ids=str)
def test_what_is_filled_in_was_not_measured(step, rows):
    X, X_std = rows[0].copy(), rows[1]
    X[3, 0] = np.nan
    with pytest.raises(
        InputError, match=r"^row 3, column 0 is missing, but SimpleImputer makes .* nobody has"
    ):
        Transformed(step, quick(1)).fit(X, X_std=X_std)


class Makes(StandardScaler):
    """A scaler that makes something else of the rows in the end."""

    def __init__(self, what=None):
        super().__init__()
        self.what = what

    def transform(self, X):
        return self.what(super().transform(X))


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (
            ColumnTransformer([("d", "drop", [0, 1, 2])]),
            "ColumnTransformer leaves no column: there",
        ),
        (ColumnTransformer([]), "ColumnTransformer leaves no column"),
        (Makes(lambda rows: rows[:2]), r"Makes makes something of shape \(2, 3\) out of 4 rows"),
        (Makes(lambda _: None), r"Makes makes something of shape \(\) out of 4 rows"),
        (
            Makes(lambda rows: rows.astype(str) + "x"),
            "Makes makes no numbers of the columns: could",
        ),
        (Makes(lambda rows: [rows, rows[0]]), "Makes makes no numbers of the columns: setting"),
    ],
)
def test_what_makes_no_table_of_numbers_is_refused(transformer, message):
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(InputError, match=message):
        Transformed(transformer, RobustMixture(1)).fit(X)


@pytest.mark.parametrize("transformer", [None, "pca", StandardScaler, object(), RobustMixture(1)])
def test_what_is_no_transformer_is_refused(transformer):
    with pytest.raises(SettingError, match=r"transformer is .*, but has to be an object of scikit"):
        Transformed(transformer, RobustMixture(1)).fit(np.eye(3))


def test_two_columns_of_one_name_are_refused():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["a", "b", "a"])
    for model in (Transformed(StandardScaler(), RobustMixture(1)), RobustMixture(1)):
        with pytest.raises(InputError, match="X has 2 columns of the name 'a'; give each a name"):
            model.fit(X)
