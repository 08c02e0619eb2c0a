"""Every check on data that a user can fail. Messages name row, column and value, and a way out.

All data pass :func:`check_rows` first; later code does not check again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.observations import Noise, NoNoise
from peculiar.validation.cells import (
    brief,
    first,
    name_column,
    refuse_dates_and_complex,
    refuse_text,
    unmask,
)
from peculiar.validation.compiler import refuse_without_compiler
from peculiar.validation.enough import (
    Extent,
    check_enough,
    check_reach,
    check_spread,
    check_weights,
)
from peculiar.validation.noise import check_noise
from peculiar.validation.scaled import warn_if_scaled
from peculiar.validation.tables import refuse_other_rows, refuse_repeated_names, refuse_table
from peculiar.validation.units import take_unit, values_in_unit_of_fit
from peculiar.validation.y import refuse_errors_as_y

__all__ = [
    "CheckedRows",
    "Extent",
    "check_enough",
    "check_noise",
    "check_reach",
    "check_rows",
    "check_spread",
    "check_values",
    "check_weights",
    "refuse_errors_as_y",
    "refuse_infinity",
    "refuse_other_rows",
]


class CheckedRows(NamedTuple):
    """Rows that have passed the checks.

    Attributes
    ----------
    values : ndarray of shape (n, d)
        NaN where missing.
    noise : Noise
    """

    values: Floats
    noise: Noise


def check_rows(estimator: Any, X: Any, X_std: Any, X_cov: Any, *, reset: bool) -> CheckedRows:
    """Values and errors as a user gives them; ``reset``: sets the feature names of the estimator."""
    refuse_without_compiler()
    refuse_table(X, "X")
    refuse_repeated_names(X)
    refuse_other_rows(X, X_std, "X_std")
    if reset:
        take_unit(estimator, X)
    values = check_values(estimator, values_in_unit_of_fit(estimator, X, X_std, X_cov), reset=reset)
    rows = CheckedRows(*check_noise(estimator, values, X_std, X_cov))
    if reset and not isinstance(rows.noise, NoNoise):
        warn_if_scaled(rows.values)
    return rows


def check_values(estimator: Any, X: Any, *, reset: bool) -> Floats:
    """X as a float64 array, NaN where missing; sets or checks the feature names of the estimator."""
    refuse_dates_and_complex(X, "X")
    try:
        values = _as_table(estimator, unmask(X), reset=reset)
    except InputError:
        raise
    except ValueError as error:
        refuse_text(X, "X")
        if brief(error) == str(error):
            raise
        raise InputError(brief(error)) from None
    except TypeError as error:
        refuse_text(X, "X")
        if "float() argument" in str(error):
            raise  # scikit-learn's checks want Python's own error for a cell that is, say, a dict
        raise InputError(str(error)) from None
    refuse_infinity(estimator, values)
    return values


def refuse_infinity(estimator: Any, values: Floats) -> None:
    """InputError for a value that is infinite."""
    if np.isinf(values).any():
        row, column = first(np.isinf(values))
        raise InputError(
            f"X contains infinity: row {row}, {name_column(estimator, column)} is {values[row, column]}; "
            "give NaN if the value is missing"
        )


def _as_table(estimator: Any, X: Any, *, reset: bool) -> Floats:
    """As scikit-learn's ``validate_data``, which is loaded only for what is no plain array."""
    is_plain = type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size > 0
    names_matter = all(hasattr(estimator, n) for n in ("feature_names_in_", "__sklearn_tags__"))
    if is_plain and not names_matter and (reset or X.shape[1] == estimator.n_features_in_):
        estimator.n_features_in_ = X.shape[1]
        return np.ascontiguousarray(X)
    from sklearn.utils.validation import validate_data

    plainly: dict[str, Any] = {"dtype": np.float64, "order": "C", "ensure_all_finite": False}
    return np.asarray(validate_data(estimator, X, reset=reset, **plainly))
