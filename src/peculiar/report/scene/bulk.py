"""All objects of a list, binned: a million of them are as quickly drawn as a hundred."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.report.scene.features import Features

Counts = NDArray[np.int64]

MOST_CELLS = 1_500_000
"""Cells of all images together: what a page may carry."""

FINEST, COARSEST = 160, 40
"""Bins along an axis."""


@dataclass(frozen=True, eq=False)
class Bulk:
    """How many objects there are in each bin of the features' ranges.

    Attributes
    ----------
    n_bins : int
        Along each axis, of equal width from ``Features.low`` to ``Features.high``.
    single : ndarray of shape (d, n_bins)
        Histogram of each feature.
    pairs : dict
        For each pair (i, j) of features, i < j, an array of shape (n_bins, n_bins): row by row, the bins of j by those
        of i, so that it can be drawn with i to the right and j upwards.
    """

    n_bins: int
    single: Counts
    pairs: dict[tuple[int, int], Counts]

    @classmethod
    def of(cls, values: Floats, features: Features) -> Bulk:
        """Bin all objects.

        Parameters
        ----------
        values : ndarray of shape (n, d)
            NaN where missing; such objects, and those out of range, are left out.
        features : Features
        """
        n, d = values.shape
        n_bins = bins_for(n, d)
        at = [
            bin_numbers(values[:, j], features.low[j], features.high[j], n_bins) for j in range(d)
        ]
        single = [np.bincount(places[places >= 0], minlength=n_bins) for places in at]
        pairs = {(i, j): count_pairs(at[i], at[j], n_bins) for i, j in combinations(range(d), 2)}
        return cls(n_bins, np.array(single, dtype=np.int64).reshape(d, n_bins), pairs)


def bins_for(n_rows: int, n_features: int) -> int:
    """Bins along an axis: finer for more objects, as far as all pairs together permit.

    Examples
    --------
    >>> bins_for(3000, 4), bins_for(1_000_000, 4), bins_for(1_000_000, 20)
    (57, 160, 88)
    """
    n_pairs = max(n_features * (n_features - 1) // 2, 1)
    finest = min(4.0 * np.cbrt(n_rows), np.sqrt(MOST_CELLS / n_pairs))
    return int(np.clip(finest, COARSEST, FINEST))


def bin_numbers(values: Floats, low: float, high: float, n_bins: int) -> NDArray[np.int32]:
    """The bin of each value, from 0; -1 for those out of range, and for NaN.

    Examples
    --------
    >>> bin_numbers(np.array([0.0, 0.49, 1.0, 1.01, np.nan]), 0.0, 1.0, 2)
    array([ 0,  0,  1, -1, -1], dtype=int32)
    """
    is_in = (values >= low) & (values <= high)
    place = np.where(is_in, values - low, 0.0) * (n_bins / (high - low))
    return np.where(is_in, np.minimum(place.astype(np.int32), n_bins - 1), -1).astype(np.int32)


def count_pairs(right: NDArray[np.int32], up: NDArray[np.int32], n_bins: int) -> Counts:
    """Objects in each pair of bins, (n_bins, n_bins): row by row, those of ``up``."""
    both = (right >= 0) & (up >= 0)
    cells = up[both].astype(np.int64) * n_bins + right[both]
    return np.bincount(cells, minlength=n_bins * n_bins).reshape(n_bins, n_bins)
