"""Checks of measurement errors, ``X_std`` and ``X_cov``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.observations import DiagonalNoise, FullNoise, Noise, NoNoise
from peculiar.validation.cells import as_floats, first, is_masked, name_column, too_large
from peculiar.validation.tables import refuse_other_columns, refuse_table
from peculiar.validation.units import errors_in_unit_of_fit

TOLERANCE = 1e-6
"""Covariances may be this far from symmetric and positive: many catalogues are in single precision."""

_CHUNK = 50_000


def check_noise(estimator: Any, values: Floats, X_std: Any, X_cov: Any) -> tuple[Floats, Noise]:
    """The noise, and the values with NaN also where an error is infinite."""
    if X_std is not None and X_cov is not None:
        raise InputError(
            "both X_std and X_cov were given; give the errors once, X_cov if they are correlated"
        )
    if X_std is not None:
        refuse_table(X_std, "X_std")
        refuse_other_columns(estimator, X_std)
        return _check_std(estimator, values, X_std)
    if X_cov is not None:
        return _check_cov(estimator, values, X_cov)
    return values, NoNoise(len(values))


def _check_std(estimator: Any, values: Floats, X_std: Any) -> tuple[Floats, Noise]:
    std = as_floats(errors_in_unit_of_fit(estimator, X_std, "X_std"), "X_std")
    if std.shape != values.shape:
        raise InputError(
            f"X_std has shape {std.shape}, X has {values.shape}; give one error for each value "
            "(np.broadcast_to repeats a common one)"
        )
    observed = ~np.isnan(values)
    wrong = observed & ~(std >= 0)
    if wrong.any():
        row, column = first(wrong)
        place = f"row {row}, {name_column(estimator, column)}"
        if np.isnan(std[row, column]):
            what = "an error that is masked" if is_masked(X_std, (row, column)) else "error NaN"
            raise InputError(
                f"{place}: the value {values[row, column]:g} has {what}; give 0 if it is exact, inf (or "
                "NaN in X) if it is to count as missing"
            )
        raise InputError(
            f"{place}: the error {std[row, column]:g} is negative; X_std takes standard deviations "
            "(a sentinel for 'missing' should be inf)"
        )
    _refuse_huge(estimator, std, observed & (std > 1e150) & np.isfinite(std), "error")
    return _hide(values, observed & np.isinf(std)), DiagonalNoise(std)


def _check_cov(estimator: Any, values: Floats, X_cov: Any) -> tuple[Floats, Noise]:
    cov = as_floats(errors_in_unit_of_fit(estimator, X_cov, "X_cov"), "X_cov")
    n, d = values.shape
    if cov.shape != (n, d, d):
        hint = "; for standard deviations use X_std" if cov.shape == (n, d) else ""
        raise InputError(
            f"X_cov has shape {cov.shape}, must be {(n, d, d)} for X of shape {(n, d)}{hint}"
        )
    variances = np.diagonal(cov, axis1=1, axis2=2)
    values = _hide(values, ~np.isnan(values) & np.isposinf(variances))
    _refuse_huge(estimator, variances, ~np.isnan(values) & (variances > 1e300), "error variance")
    for start in range(0, n, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        _check_cov_rows(estimator, values[chunk], cov[chunk], start)
    return values, FullNoise(cov)


def _check_cov_rows(estimator: Any, values: Floats, cov: Floats, start: int) -> None:
    """Finite, not negative, symmetric, positive semi-definite among the observed features."""
    observed = ~np.isnan(values)
    pairs = observed[:, :, None] & observed[:, None, :]
    bad = pairs & ~np.isfinite(cov)
    if bad.any():
        row, i, j = first(bad)
        raise InputError(
            f"X_cov, row {start + row}: the covariance of {name_column(estimator, i)} and "
            f"{name_column(estimator, j)} is {cov[row, i, j]}; both values are observed. Give 0 if they are exact, "
            "NaN in X if one is missing"
        )
    clean = np.where(pairs, cov, 0.0)
    variances = np.diagonal(clean, axis1=1, axis2=2)
    if (variances < 0).any():
        row, column = first(variances < 0)
        raise InputError(
            f"X_cov, row {start + row}: the variance of {name_column(estimator, column)} is "
            f"{variances[row, column]:g}, which is negative"
        )
    std = np.sqrt(variances)
    size = np.where(std > 0, std, 1.0)
    correlations = clean / size[:, :, None] / size[:, None, :]
    skew = np.abs(correlations - np.swapaxes(correlations, 1, 2))
    if (skew > TOLERANCE).any():
        row, i, j = first(skew > TOLERANCE)
        raise InputError(
            f"X_cov, row {start + row} is not symmetric: {name_column(estimator, i)} with "
            f"{name_column(estimator, j)} is {cov[row, i, j]:g} one way, {cov[row, j, i]:g} the other"
        )
    least = _least_eigenvalues(correlations)
    if (least < -TOLERANCE).any():
        row = int(np.argmax(least < -TOLERANCE))
        raise InputError(
            f"X_cov, row {start + row} is not a covariance (as correlations, its smallest eigenvalue is "
            f"{least[row]:.3g}, must not be negative); a correlation outside [-1, 1] often means swapped columns"
        )


def _least_eigenvalues(correlations: Floats) -> Floats:
    """Smallest eigenvalue of each matrix, or 0 for all if a Cholesky factorisation shows that none is bad."""
    d = correlations.shape[1]
    try:
        np.linalg.cholesky(correlations + TOLERANCE * np.eye(d))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.eigvalsh(correlations)[:, 0], dtype=np.float64)
    return np.zeros(len(correlations))


def _refuse_huge(estimator: Any, numbers: Floats, huge: NDArray[np.bool_], what: str) -> None:
    if huge.any():
        row, column = first(huge)
        raise too_large(estimator, row, column, what, numbers[row, column])


def _hide(values: Floats, missing: NDArray[np.bool_]) -> Floats:
    """Values with NaN at more places; the caller's array stays as it is."""
    return np.where(missing, np.nan, values) if missing.any() else values
