"""Whether a table can be fitted: its weights, what varies in it, and its range."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Extent(NamedTuple):
    """How far the values of a table reach. Those of parts of a table can be added.

    Attributes
    ----------
    n : int
        Number of rows.
    low, high : ndarray of shape (d,)
        Range of each feature: inf to -inf if it has no value.
    has_errors : ndarray of bool of shape (d,)
    """

    n: int
    low: Floats
    high: Floats
    has_errors: NDArray[np.bool_]

    @classmethod
    def of(cls, values: Floats, noise: Noise) -> Extent:
        """Of some rows."""
        seen = ~np.isnan(values)
        features = range(values.shape[1])
        return cls(
            len(values),
            np.min(values, axis=0, where=seen, initial=np.inf),
            np.max(values, axis=0, where=seen, initial=-np.inf),
            np.array([(errors_of_feature(noise, j)[seen[:, j]] > 0).any() for j in features]),
        )

    def plus(self, other: Extent) -> Extent:
        """Of two parts of a table."""
        return Extent(
            self.n + other.n,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            self.has_errors | other.has_errors,
        )


def check_enough(
    estimator: Any,
    values: Floats,
    noise: Noise,
    n_components: int,
    extent: Extent | None = None,
) -> None:
    """Enough different rows for the number of components, and no feature without any variation.

    ``extent`` is that of the table, if the rows are only a sample of it.
    """
    extent = Extent.of(values, noise) if extent is None else extent
    n, low, high, has_errors = extent
    if n < 2:
        raise InputError(
            f"n_samples={n}: {n} sample with an observed value (and a weight) cannot show a spread; at least 2 rows "
            "are needed"
        )
    if (low > high).any():
        column = int(np.argmax(low > high))
        raise InputError(
            f"{name_column(estimator, column)} has no observed value in any row; leave it out"
        )
    constant = (low == high) & ~has_errors
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
