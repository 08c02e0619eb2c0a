"""Every check on data that a user can fail. Messages name row, column and value, and a way out.

All data pass :func:`check_rows` first; later code does not check again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.errors import InputError
from peculiar.observations import (
    DiagonalNoise,
    FullNoise,
    Noise,
    NoNoise,
    Scaling,
    errors_of_feature,
)

TOLERANCE = 1e-6
"""Covariances may be this far from symmetric and positive: many catalogues are in single precision."""

LARGEST = 1e60
"""Scaled values and errors beyond this have squares that overflow somewhere."""

SPREADS = (1e-140, 1e140)
"""Squares of spreads outside this range, and of small parts of them, leave the range of float64."""

_CHUNK = 50_000


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
    values = check_values(estimator, X, reset=reset)
    return CheckedRows(*check_noise(estimator, values, X_std, X_cov))


def check_values(estimator: Any, X: Any, *, reset: bool) -> Floats:
    """X as a float64 array, NaN where missing; sets or checks the feature names of the estimator."""
    try:
        values = _as_table(estimator, _unmask(X), reset=reset)
    except ValueError:
        _refuse_text(X, "X")
        raise
    except TypeError as error:
        _refuse_text(X, "X")
        if "float() argument" in str(error):
            raise  # scikit-learn's checks want Python's own error for a cell that is, say, a dict
        raise InputError(str(error)) from None
    if np.isinf(values).any():
        row, column = _first(np.isinf(values))
        raise InputError(
            f"X contains infinity: row {row}, {name_column(estimator, column)} is {values[row, column]}; "
            "give NaN if the value is missing"
        )
    return values


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


def name_column(estimator: Any, column: int) -> str:
    """A column as the user knows it."""
    names = getattr(estimator, "feature_names_in_", None)
    return f"column {column}" if names is None else f"column {column} ({names[column]!r})"


def check_noise(estimator: Any, values: Floats, X_std: Any, X_cov: Any) -> tuple[Floats, Noise]:
    """The noise, and the values with NaN also where an error is infinite."""
    if X_std is not None and X_cov is not None:
        raise InputError(
            "both X_std and X_cov were given; give the errors once, X_cov if they are correlated"
        )
    if X_std is not None:
        return _check_std(estimator, values, X_std)
    if X_cov is not None:
        return _check_cov(estimator, values, X_cov)
    return values, NoNoise(len(values))


def _check_std(estimator: Any, values: Floats, X_std: Any) -> tuple[Floats, Noise]:
    _refuse_other_order(estimator, X_std)
    std = _as_floats(X_std, "X_std")
    if std.shape != values.shape:
        raise InputError(
            f"X_std has shape {std.shape}, X has {values.shape}; give one error for each value "
            "(np.broadcast_to repeats a common one)"
        )
    observed = ~np.isnan(values)
    wrong = observed & ~(std >= 0)
    if wrong.any():
        row, column = _first(wrong)
        place = f"row {row}, {name_column(estimator, column)}"
        if np.isnan(std[row, column]):
            raise InputError(
                f"{place}: the value {values[row, column]:g} has error NaN; give 0 if it is exact, inf (or "
                "NaN in X) if it is to count as missing"
            )
        raise InputError(
            f"{place}: the error {std[row, column]:g} is negative; X_std takes standard deviations "
            "(a sentinel for 'missing' should be inf)"
        )
    _refuse_huge(estimator, std, observed & (std > 1e150) & np.isfinite(std), "error")
    return _hide(values, observed & np.isinf(std)), DiagonalNoise(std)


def _check_cov(estimator: Any, values: Floats, X_cov: Any) -> tuple[Floats, Noise]:
    cov = _as_floats(X_cov, "X_cov")
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
        row, i, j = _first(bad)
        raise InputError(
            f"X_cov, row {start + row}: the covariance of {name_column(estimator, i)} and "
            f"{name_column(estimator, j)} is {cov[row, i, j]}; both values are observed. Give 0 if they are exact, "
            "NaN in X if one is missing"
        )
    clean = np.where(pairs, cov, 0.0)
    variances = np.diagonal(clean, axis1=1, axis2=2)
    if (variances < 0).any():
        row, column = _first(variances < 0)
        raise InputError(
            f"X_cov, row {start + row}: the variance of {name_column(estimator, column)} is "
            f"{variances[row, column]:g}, which is negative"
        )
    std = np.sqrt(variances)
    size = np.where(std > 0, std, 1.0)
    correlations = clean / size[:, :, None] / size[:, None, :]
    skew = np.abs(correlations - np.swapaxes(correlations, 1, 2))
    if (skew > TOLERANCE).any():
        row, i, j = _first(skew > TOLERANCE)
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


_LARGEST_EXPONENT = 300
"""Weights beyond 2 to this power are scaled, lest sums and their squares overflow."""


def check_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Row weights; ones if None."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = _as_floats(sample_weight, "sample_weight")
    if weights.shape == ():
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise InputError(
            f"sample_weight has shape {weights.shape}, must be ({n_rows},): one weight for each row of X"
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"sample_weight of row {row} is {weights[row]}; weights must be finite and not negative "
            "(0 leaves a row out)"
        )
    if not weights.any():
        raise InputError("sample_weight is zero for every row; nothing is left to fit")
    exponent = int(np.frexp(weights.max())[1])
    if abs(exponent) < _LARGEST_EXPONENT:
        return weights
    # No number of rows any more; by a power of two no digit changes.
    return np.ldexp(weights, -exponent)


def check_enough(estimator: Any, values: Floats, noise: Noise, n_components: int) -> None:
    """Enough different rows for the number of components, and no feature without any variation."""
    n = len(values)
    if n < 2:
        raise InputError(
            f"n_samples={n}: {n} sample with an observed value (and a weight) cannot show a spread; at least 2 rows "
            "are needed"
        )
    seen = ~np.isnan(values)
    if not seen.any(axis=0).all():
        column = int(np.argmin(seen.any(axis=0)))
        raise InputError(
            f"{name_column(estimator, column)} has no observed value in any row; leave it out"
        )
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    features = range(values.shape[1])
    exact = np.array([not (errors_of_feature(noise, j)[seen[:, j]] > 0).any() for j in features])
    constant = (low == high) & exact
    if constant.all():
        raise InputError(
            f"all {n} rows are identical and without errors ({np.array2string(values[0], threshold=8)}); "
            "there is no distribution to fit"
        )
    if constant.any():
        column = int(np.argmax(constant))
        raise InputError(
            f"{name_column(estimator, column)} is constant ({low[column]:g} in every row that has it) and has no "
            "errors; leave it out, or give its errors"
        )
    distinct = _count_distinct(values, n_components)
    if distinct < n_components:
        raise InputError(
            f"n_components={n_components} is more than the number of distinct rows, {distinct} (of {n}); "
            f"ask for at most {distinct}"
        )


def check_spread(estimator: Any, scaling: Scaling) -> None:
    """No feature in units that float64 cannot square."""
    least, greatest = SPREADS
    wrong = ~((scaling.scale >= least) & (scaling.scale <= greatest))
    if wrong.any():
        column = int(np.argmax(wrong))
        raise InputError(
            f"the values of {name_column(estimator, column)} spread over {scaling.scale[column]:.3g}, and its square "
            f"is out of range; give the column in other units (spreads from {least:g} to {greatest:g} are good)"
        )


def check_reach(
    estimator: Any, values: Floats, noise: Noise, scaling: Scaling, rows: Ints | None = None
) -> None:
    """No value so far from the others, and no error so large, that its square overflows.

    ``rows`` are the numbers of the rows in the user's table, if some were left out.
    """
    for column in range(values.shape[1]):
        given, scale = values[:, column], scaling.scale[column]
        errors = errors_of_feature(noise, column)
        with np.errstate(over="ignore", invalid="ignore"):
            distances = np.abs(given - scaling.shift[column]) / scale
            for what, numbers, sizes in (
                ("value", given, distances),
                ("error", errors, errors / scale),
            ):
                # NaN from inf - inf would hide an overflow; NaN from missing values must not count
                huge = ~(sizes < LARGEST) & ~np.isnan(given)
                if huge.any():
                    row = int(np.argmax(huge))
                    number = row if rows is None else int(rows[row])
                    raise _huge(estimator, number, column, what, numbers[row])


def _refuse_huge(estimator: Any, numbers: Floats, huge: NDArray[np.bool_], what: str) -> None:
    if huge.any():
        row, column = _first(huge)
        raise _huge(estimator, row, column, what, numbers[row, column])


def _huge(estimator: Any, row: int, column: int, what: str, number: float) -> InputError:
    return InputError(
        f"row {row}, {name_column(estimator, column)}: the {what} {number:g} is so large compared with the rest that "
        "its square overflows; if it means 'missing', give NaN in X"
    )


def _count_distinct(values: Floats, enough: int) -> int:
    """Number of distinct rows, or ``enough`` as soon as there are so many."""
    head = len(np.unique(values[: 10 * enough], axis=0))
    return head if head >= enough else len(np.unique(values, axis=0))


def _hide(values: Floats, missing: NDArray[np.bool_]) -> Floats:
    """Values with NaN at more places; the caller's array stays as it is."""
    return np.where(missing, np.nan, values) if missing.any() else values


def _as_floats(array: Any, name: str) -> Floats:
    """Any array-like as a float64 C-ordered array; not copied if it is one."""
    if type(array) is np.ndarray and array.dtype == np.float64:
        return np.asarray(array, order="C")
    from sklearn.utils.validation import check_array  # here: it takes more than a second to load

    try:
        return np.asarray(
            check_array(
                _unmask(array),
                dtype=np.float64,
                order="C",
                ensure_all_finite=False,
                ensure_2d=False,
                allow_nd=True,
                ensure_min_samples=0,
                ensure_min_features=0,
                input_name=name,
            )
        )
    except (TypeError, ValueError) as error:
        _refuse_text(array, name)
        raise InputError(f"{name} cannot be read as an array of numbers: {error}") from None


def _unmask(array: Any) -> Any:
    """NumPy's masked arrays with NaN where masked; anything else as it is."""
    return np.ma.filled(array.astype(float), np.nan) if np.ma.isMaskedArray(array) else array


def _refuse_other_order(estimator: Any, X_std: Any) -> None:
    """A table of errors with the names of the features must have them in their order; others are free."""
    names, columns = getattr(estimator, "feature_names_in_", None), getattr(X_std, "columns", None)
    if names is None or columns is None:
        return
    if set(columns) == set(names) and list(columns) != list(names):
        raise InputError(
            f"X_std has the columns of X in another order: {list(columns)}, not {list(names)}; give X_std[X.columns]"
        )


def _refuse_text(array: Any, name: str) -> None:
    """Raise with the place of the first cell that is no number (text, a date), if there is one."""
    try:
        cells = np.asarray(array, dtype=object)
    except ValueError:  # rows of different lengths
        return
    if cells.ndim != 2:
        return
    for (row, column), cell in np.ndenumerate(cells):
        if hasattr(cell, "isoformat") or (isinstance(cell, str) and not _is_number(cell)):
            columns: Sequence[Any] | None = getattr(array, "columns", None)
            label = f" ({columns[column]!r})" if columns is not None else ""
            raise InputError(
                f"{name}, row {row}, column {column}{label}: {cell!r} is not a number; leave such columns out, "
                "and give NaN for a missing value"
            ) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _first(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """Index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
