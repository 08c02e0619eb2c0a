"""Errors about data: each names the place and the value, and says what to do."""

import re

import numpy as np
import polars as pl
import pytest
import scipy.sparse

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, named


def refused(message, X, *, model=None, kind=InputError, **fit):
    """That the fit is refused with just this message."""
    with pytest.raises(kind, match=message) as caught:
        (model or mixture()).fit(X, **fit)
    assert isinstance(caught.value, ValueError)


def replaced(array, place, value):
    copy = array.copy()
    copy[place] = value
    return copy


# --------------------------------------------------------------------------------------- values


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
            r"Found array with dim 3, while dim <= 2 is required by RobustMixture",
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
        rf"^row 7, column 1: the value {re.escape(f'{value:g}')} is so large against the rest that its square "
        r"overflows; a sentinel for 'missing'\? \(give NaN in X for those\)$"
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
        r"^the values of column 1 \('g'\) spread over [\d.e+-]+, the square of which is no ordinary number; give it "
        r"in other units \(spreads from 1e-140 to 1e\+140 are good\)$",
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


# --------------------------------------------------------------------------------------- errors


def test_error_nan_beside_an_observed_value():
    X, X_std, _ = good_table()
    X[3, 0], X_std[3, 0] = 2.5, np.nan
    message = (
        r": the value 2\.5 has error NaN; give 0 if it is exact, inf \(or NaN in X\) if it is to "
        r"count as missing$"
    )
    refused("^row 3, column 0" + message, X, X_std=X_std)
    refused(r"^row 3, column 0 \('u'\)" + message, named(X), X_std=X_std)
    X[3, 0] = np.nan
    mixture().fit(X, X_std=X_std)  # beside a missing value anything may stand
    X_std[3, 0] = -999.0
    mixture().fit(X, X_std=X_std)


def test_negative_error():
    X, X_std, _ = good_table()
    X_std[5, 2] = -9999.0
    message = (
        r": the error -9999 is negative; X_std takes standard deviations \(a sentinel for 'missing' "
        r"should be inf\)$"
    )
    refused("^row 5, column 2" + message, X, X_std=X_std)
    refused(r"^row 5, column 2 \('r'\)" + message, named(X), X_std=X_std)
    refused("^row 5, column 2: the error -inf", X, X_std=replaced(X_std, (5, 2), -np.inf))


@pytest.mark.parametrize("shape", [(29, 3), (30, 2), (30,), (), (30, 3, 3)])
def test_errors_of_another_shape(shape):
    X, *_ = good_table()
    refused(
        rf"^X_std has shape {re.escape(str(shape))}, X has \(30, 3\); give one error for each value "
        r"\(np\.broadcast_to repeats a common one\)$",
        X,
        X_std=np.ones(shape),
    )


def test_a_common_error_broadcast():
    X, *_ = good_table()
    mixture().fit(X, X_std=np.broadcast_to(0.3, X.shape))


@pytest.mark.parametrize("error", [1e61, 1e200])
def test_an_error_whose_square_overflows(error):
    X, X_std, _ = good_table()
    X_std[6, 1] = error
    message = (
        r"^row 6, column 1: the error 1e\+\d+ is so large against the rest that its square overf"
    )
    refused(message, X, X_std=X_std)
    with pytest.raises(InputError, match=message):
        mixture().fit(X).predict(X, X_std=X_std)


def test_errors_that_are_text():
    X, X_std, _ = good_table()
    errors = named(X_std, ["e_u", "e_g", "e_r"]).astype(object)
    errors.iloc[1, 1] = "?"
    refused(r"^X_std, row 1, column 1 \('e_g'\): '\?' is not a number; leave", X, X_std=errors)


def test_both_kinds_of_errors():
    X, X_std, X_cov = good_table()
    refused(
        r"^both X_std and X_cov were given; give the errors once, X_cov if they are correlated$",
        X,
        X_std=X_std,
        X_cov=X_cov,
    )


@pytest.mark.parametrize("method", ["score_samples", "predict", "robust_weights", "bic"])
def test_errors_are_checked_when_scoring_too(method):
    X, X_std, X_cov = good_table()
    model = mixture().fit(X)
    with pytest.raises(InputError, match=r"^row 5, column 2: the error -1 is negative"):
        getattr(model, method)(X, X_std=replaced(X_std, (5, 2), -1.0))
    with pytest.raises(InputError, match=r"^both X_std and X_cov"):
        getattr(model, method)(X, X_std=X_std, X_cov=X_cov)


def test_errors_are_checked_when_sampling_too():
    model = mixture().fit(good_table()[0])
    with pytest.raises(InputError, match=r"^X_std has shape \(4, 3\), X has \(5, 3\); "):
        model.sample(5, X_std=np.ones((4, 3)))
    with pytest.raises(InputError, match=r"^row 1, column 0: the error -1 is negative"):
        model.sample(5, X_std=replaced(np.ones((5, 3)), (1, 0), -1.0))


# ---------------------------------------------------------------------------------- covariances


def test_covariances_of_another_shape():
    X, X_std, X_cov = good_table()
    refused(
        r"^X_cov has shape \(30, 3\), must be \(30, 3, 3\) for X of shape \(30, 3\); for standard deviations use "
        r"X_std$",
        X,
        X_cov=X_std,
    )
    refused(
        r"^X_cov has shape \(29, 3, 3\), must be \(30, 3, 3\) for X of shape \(30, 3\)$",
        X,
        X_cov=X_cov[1:],
    )
    refused(r"^X_cov has shape \(3, 3\), must be", X, X_cov=X_cov[0])


def test_covariance_nan_between_observed_values():
    X, _, X_cov = good_table()
    X_cov[3, 0, 1] = X_cov[3, 1, 0] = np.nan
    refused(
        r"^X_cov, row 3: the covariance of column 0 \('u'\) and column 1 \('g'\) is nan; both values are observed\. "
        r"Give 0 if they are exact, NaN in X if one is missing$",
        named(X),
        X_cov=X_cov,
    )
    X[3, 1] = np.nan
    mixture().fit(X, X_cov=X_cov)


def test_negative_variance():
    X, _, X_cov = good_table()
    X_cov[2, 1, 1] = -0.25
    refused(
        r"^X_cov, row 2: the variance of column 1 is -0\.25, which is negative$", X, X_cov=X_cov
    )


def test_huge_variance():
    X, _, X_cov = good_table()
    refused(
        r"^row 8, column 2: the error variance 1e\+302 is so large",
        X,
        X_cov=replaced(X_cov, (8, 2, 2), 1e302),
    )
    refused(
        r"^row 8, column 2: the error 1e\+100 is so large",
        X,
        X_cov=replaced(X_cov, (8, 2, 2), 1e200),
    )


def test_not_symmetric():
    X, _, X_cov = good_table()
    X_cov[4] = np.eye(3)
    X_cov[4, 0, 2] = 0.5
    refused(
        r"^X_cov, row 4 is not symmetric: column 0 with column 2 is 0\.5 one way, 0 the other$",
        X,
        X_cov=X_cov,
    )


def test_not_positive():
    X, _, X_cov = good_table()
    X_cov[4] = [[1.0, 1.5, 0.0], [1.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    message = (
        r"^X_cov, row 4 is not a covariance \(as correlations, its smallest eigenvalue is -0\.5, must not be "
        r"negative\); a correlation outside \[-1, 1\] often means swapped columns$"
    )
    refused(message, X, X_cov=X_cov)
    X[4, 0] = np.nan  # only what was observed must make sense
    mixture().fit(X, X_cov=X_cov)
    X_cov[4] = [[0.0, 0.1, 0.0], [0.1, 1.0, 0.0], [0.0, 0.0, 1.0]]  # exact, and yet correlated
    X[4, 0] = 0.0
    refused(r"^X_cov, row 4 is not a covariance", X, X_cov=X_cov)


def test_rows_of_large_tables_are_counted_from_the_start():
    n = 60_000
    X = np.random.default_rng(0).standard_normal((n, 1))
    X_cov = np.ones((n, 1, 1))
    for value, message in [
        (-1.0, r"^X_cov, row 55123: the var"),
        (1e301, r"^row 55123, column 0:"),
    ]:
        refused(message, X, X_cov=replaced(X_cov, (55_123, 0, 0), value))


def test_single_precision_covariances_are_good_enough():
    """A rank-one covariance rounded to float32 has a smallest eigenvalue of about -1e-8."""
    X, *_ = good_table()
    vectors = np.random.default_rng(1).standard_normal((30, 3)) * [1.0, 1e3, 1e-3]
    rank_one = (vectors[:, :, None] * vectors[:, None, :]).astype(np.float32)
    assert np.linalg.eigvalsh(rank_one.astype(float))[:, 0].min() < 0
    model = mixture(max_iter=500).fit(X * [1.0, 1e3, 1e-3], X_cov=rank_one)
    assert np.isfinite(model.locations_).all()


# -------------------------------------------------------------------------------------- weights


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            np.ones(29),
            r"^sample_weight has shape \(29,\), must be \(30,\): one weight for each row of X$",
        ),
        (np.ones((30, 1)), r"^sample_weight has shape \(30, 1\), must be \(30,\)"),
        (
            replaced(np.ones(30), 3, -2.0),
            r"^sample_weight of row 3 is -2\.0; weights must be finite and not negative \(0 leaves a row out\)$",
        ),
        (replaced(np.ones(30), 4, np.nan), r"^sample_weight of row 4 is nan; weights must be"),
        (replaced(np.ones(30), 4, np.inf), r"^sample_weight of row 4 is inf; weights must be"),
        (np.zeros(30), r"^sample_weight is zero for every row; nothing is left to fit$"),
        (["a"] * 30, r"^sample_weight cannot be read as an array of numbers: could not convert"),
    ],
)
def test_bad_weights(weights, message):
    X, *_ = good_table()
    refused(message, X, sample_weight=weights)
    if len(weights) == 30:
        with pytest.raises(InputError, match=message):
            mixture().fit(X).score(X, sample_weight=weights)


@pytest.mark.parametrize("weight", [1.0, 3.0, 1e-320, 1e308])
def test_only_ratios_of_weights_matter(weight):
    X, *_ = good_table()
    plain = mixture().fit(X)
    for given in (weight, np.full(30, weight)):
        model = mixture().fit(X, sample_weight=given)
        assert np.allclose(model.locations_, plain.locations_, rtol=1e-12)
        assert np.isclose(model.score(X, sample_weight=given), plain.lower_bound_, rtol=1e-12)
