"""What rows are sorted by: some columns, of which the first decides, then the second; the last one has no equals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Ints

Keys = tuple[NDArray[Any], ...]
"""Columns of equal length."""

_EVERY = 100


def sorted_rows(keys: Keys) -> Ints:
    """The order in which the rows are sorted.

    Examples
    --------
    >>> import numpy as np
    >>> sorted_rows((np.array([0.5, 0.1, 0.5]), np.array([9, 8, 7])))
    array([1, 2, 0])
    """
    return np.lexsort(keys[::-1])


def take(keys: Keys, rows: Ints | slice) -> Keys:
    """Those of some rows."""
    return tuple(column[rows] for column in keys)


def thin(keys: Keys, every: int = _EVERY) -> Keys:
    """One row of so many, in their order: enough to see where all are. Copies, since a slice would keep all rows."""
    return take(keys, sorted_rows(keys)[every // 2 :: every])


def edges_of(samples: Sequence[Keys], n_buckets: int) -> Keys:
    """Where to cut all rows into buckets of about equal size.

    Parameters
    ----------
    samples : sequence of Keys
        As :func:`thin` gives them, of all parts of a table.
    n_buckets : int

    Returns
    -------
    Keys
        Sorted; one less than there are buckets, or fewer if the samples are few.
    """
    joined = tuple(np.concatenate(columns) for columns in zip(*samples, strict=True))
    ordered = take(joined, sorted_rows(joined))
    n = len(ordered[0])
    cuts = np.unique(np.arange(1, n_buckets) * n // n_buckets)
    return take(ordered, cuts[cuts < n].astype(np.int64))


def bucket_of(edges: Keys, keys: Keys) -> Ints:
    """The bucket of each row: how many edges are not behind it.

    Parameters
    ----------
    edges : Keys
        Sorted.
    keys : Keys
        Of the rows.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> edges = np.array([0.1, 0.5, 0.5]), np.array([3, 1, 4])
    >>> bucket_of(edges, (np.array([0.0, 0.1, 0.5, 0.5, 0.9]), np.array([0, 3, 2, 4, 5])))
    array([0, 1, 2, 3, 3])
    """
    if len(edges) == 1:
        return np.searchsorted(edges[0], keys[0], side="right")
    first = np.searchsorted(edges[0], keys[0], side="left")
    behind = np.searchsorted(edges[0], keys[0], side="right")
    found: Ints = first.copy()
    equal = np.flatnonzero(first < behind)
    for value in np.unique(keys[0][equal]):
        rows = equal[keys[0][equal] == value]
        tied = slice(int(first[rows[0]]), int(behind[rows[0]]))
        found[rows] += bucket_of(take(edges[1:], tied), take(keys[1:], rows))
    return found
