"""Errors about the standard deviations of the values, ``X_std``."""

import re

import numpy as np
import pytest

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, named, refused, replaced


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
        r"^row 6, column 1: the error 1e\+\d+ is so large compared with the rest that its square"
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
