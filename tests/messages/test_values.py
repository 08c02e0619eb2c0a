"""Errors about the table of values: each names the place and the value, and says what to do."""

import re

import numpy as np
import polars as pl
import pytest
import scipy.sparse

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, named, refused, replaced


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_value(value):
    X, *_ = good_table()
    X[4, 1] = value
    refused(
        rf"^X contains infinity: row 4, column 1 is {value}; give NaN if the value is missing$", X
    )
    refused(rf"^X contains infinity: row 4, column 1 \('g'\) is {value}; ", named(X))


def test_text():
    X, *_ = good_table()
    table = named(X).astype(object)
    table.iloc[2, 2] = "n/a"
    message = (
        r"^X, row 2, column 2 \('r'\): 'n/a' is not a number; leave such columns out, "
        r"and give NaN for a missing value$"
    )
    refused(message, table)
    refused(message.replace(r" \('r'\)", ""), table.to_numpy())
    refused(
        r"^X, row 0, column 0 \('a'\): 'x' is not", pl.DataFrame({"a": ["x"] * 9, "b": [1] * 9})
    )


def test_text_that_is_a_number():
    X, *_ = good_table()
    model = mixture().fit(named(X).astype(str).astype(object))
    assert np.array_equal(model.locations_, mixture().fit(X).locations_)


def test_dates():
    X, *_ = good_table()
    table = named(X)
    table["g"] = np.datetime64("2026-11-15T00:00:00")
    refused(r"^X, row 0, column 1 \('g'\): Timestamp\('2026-11-15 00:00:00'\) is not a num", table)


def test_complex_and_sparse():
    X, *_ = good_table()
    refused("Complex data not supported", X + 1j, kind=ValueError)
    refused(r"Sparse data was passed.*Use '\.toarray\(\)'", scipy.sparse.csr_array(X))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones(5), r"(?s)Expected 2D array, got 1D array instead.*Reshape your data"),
        (
            np.ones((5, 2, 2)),
            r"Found array with dim 3(, while dim <= 2 is required by RobustMixture|\. RobustMixture expected <= 2)",
        ),
        (np.empty((0, 2)), r"Found array with 0 sample\(s\) \(shape=\(0, 2\)\)"),
        (np.empty((5, 0)), r"Found array with 0 feature\(s\) \(shape=\(5, 0\)\)"),
        ([[1.0, 2.0], [3.0]], r"inhomogeneous shape"),
    ],
)
def test_no_table(X, message):
    refused(message, X, kind=ValueError)


def test_one_row():
    refused(
        r"^n_samples=1: 1 sample with an observed value \(and a weight\) cannot show a spread; at least 2 rows are "
        r"needed$",
        [[1.0, 2.0]],
    )
    refused(r"^n_samples=0: 0 sample with an observed value", np.full((5, 2), np.nan))


def test_a_column_that_was_never_observed():
    X, *_ = good_table()
    X[:, 1] = np.nan
    refused(r"^column 1 has no observed value in any row; leave it out$", X)
    refused(r"^column 1 \('g'\) has no observed value in any row; leave it out$", named(X))


def test_a_constant_column():
    X, X_std, _ = good_table()
    X[:, 2] = 1.5
    X[3, 2] = np.nan
    message = (
        r"is constant \(1\.5 in every row that has it\) and has no errors; leave it out, "
        r"or give its errors$"
    )
    refused("^column 2 " + message, X)
    refused(r"^column 2 \('r'\) " + message, named(X))
    refused("^column 2 " + message, X, X_std=X_std * [1, 1, 0])
    model = mixture().fit(X, X_std=X_std)  # a constant within errors has a spread to find
    assert 0 <= model.scatters_[0, 2, 2] < 0.1


def test_identical_rows():
    X = np.tile([1.5, -2.0], (20, 1))
    refused(
        r"^all 20 rows are identical and without errors \(\[ 1\.5 -2\. \]\); there is no distribution to fit$",
        X,
    )
    model = mixture().fit(X, X_std=np.ones_like(X))
    assert np.allclose(model.locations_, [[1.5, -2.0]])
    refused(
        r"^n_components=2 is more than the number of distinct rows, 1 \(of 20\); ask for at most 1$",
        X,
        model=mixture(2),
        X_std=np.ones_like(X),
    )


def test_more_components_than_rows():
    X = np.random.default_rng(0).standard_normal((3, 2))
    refused(
        r"^n_components=5 is more than the number of distinct rows, 3 \(of 3\); ask for at most 3$",
        X,
        model=mixture(5),
    )
    refused(
        r"distinct rows, 3 \(of 90\); ask for at most 3$",
        np.repeat(X, 30, axis=0),
        model=mixture(4),
    )


@pytest.mark.parametrize("value", [1e200, -1e61, 1e308])
def test_a_value_whose_square_overflows(value):
    X, *_ = good_table()
    X[7, 1] = value
    message = (
        rf"^row 7, column 1: the value {re.escape(f'{value:g}')} is so large compared with the rest that its "
        r"square overflows; if it means 'missing', give NaN in X$"
    )
    refused(message, X)
    model = mixture().fit(good_table()[0])
    with pytest.raises(InputError, match=message):
        model.predict(X)


def test_rows_are_counted_in_the_users_table():
    X, *_ = good_table()
    X[7, 1] = 1e200
    X[2] = np.nan
    weights = replaced(np.ones(30), 4, 0.0)
    refused(r"^row 7, column 1: the value 1e\+200", X, sample_weight=weights)


@pytest.mark.parametrize("unit", [1e-200, 1e-320, 1e180])
def test_units_that_cannot_be_squared(unit):
    X, *_ = good_table()
    X[:, 1] *= unit
    refused(
        r"^the values of column 1 \('g'\) spread over [\d.e+-]+, and its square is out of range; give the "
        r"column in other units \(spreads from 1e-140 to 1e\+140 are good\)$",
        named(X),
    )


def test_wrong_number_of_features_at_predict():
    X, *_ = good_table()
    model = mixture().fit(X)
    with pytest.raises(ValueError, match="X has 2 features, but RobustMixture is expecting 3 feat"):
        model.score_samples(X[:, :2])


@pytest.mark.parametrize("method", ["predict", "score", "sample", "bic", "predict_latent", "save"])
def test_not_fitted(method):
    arguments = {"sample": (3,), "save": ("nowhere",)}.get(method, (good_table()[0],))
    with pytest.raises(ValueError, match="This RobustMixture instance is not fitted yet"):
        getattr(mixture(), method)(*arguments)
