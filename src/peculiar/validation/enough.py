"""Whether a table can be fitted: its weights, what varies in it, and its range."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.errors import InputError
from peculiar.observations import Noise, Scaling, errors_of_feature
from peculiar.validation.cells import as_floats, name_column, too_large

LARGEST = 1e60
"""Scaled values and errors beyond this have squares that overflow somewhere."""

SPREADS = (1e-140, 1e140)
"""Squares of spreads outside this range, and of small parts of them, leave the range of float64."""

_LARGEST_EXPONENT = 300
"""Weights beyond 2 to this power are scaled, lest sums and their squares overflow."""


def check_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Row weights; ones if None."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = as_floats(sample_weight, "sample_weight")
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
                    raise too_large(estimator, number, column, what, numbers[row])


def _count_distinct(values: Floats, enough: int) -> int:
    """Number of distinct rows, or ``enough`` as soon as there are so many."""
    head = len(np.unique(values[: 10 * enough], axis=0))
    return head if head >= enough else len(np.unique(values, axis=0))
