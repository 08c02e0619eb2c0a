"""Errors about the covariances of the values, ``X_cov``."""

import numpy as np

from tests.messages.helpers import good_table, mixture, named, refused, replaced


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
