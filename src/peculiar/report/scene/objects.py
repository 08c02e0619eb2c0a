"""The strangest objects of a list, one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints

FEWEST, MOST = 1000, 4000
"""So many objects are listed one by one: all discoveries, but not fewer or more than these."""


@dataclass(frozen=True, eq=False)
class Objects:
    """The strangest objects, by rank.

    Attributes
    ----------
    rank, row : ndarray of int of shape (n,)
        The row is that of the catalogue.
    key : tuple of str
        As files of marks have it (:func:`peculiar.triage.object_keys`).
    name : tuple of str
        Empty texts if the list has no names.
    p, q : ndarray of shape (n,)
    is_discovery : ndarray of bool of shape (n,)
    tolerance : ndarray of shape (n,)
        By which factor larger errors would make it no discovery; NaN if the list does not say.
    group : tuple of str
        The letter of its strange group; empty if it belongs to none.
    main : ndarray of int of shape (n,)
        The feature that makes it strange; -1 if there is none.
    side : ndarray of int of shape (n,)
        1 if the value of that feature is too high, -1 if it is too low, 0 if that is not known.
    values : ndarray of shape (n, d)
        NaN where missing.
    covariance : ndarray of shape (n, d, d) or None
        Of the measurement errors. NaN where missing.
    has_correlations : bool
        Whether the correlations of the errors are known; otherwise they are taken as 0.
    clean : ndarray of shape (n, d) or None
    clean_covariance : ndarray of shape (n, d, d) or None
    surprise : ndarray of shape (n, d) or None
    expected : ndarray of shape (n, d) or None
        The clean value that ordinary objects with the same other features have, on average.
    sentence : tuple of str
        Why it is strange, in words.
    neighbours : ndarray of int of shape (n, k)
        The nearest other objects of this list in the clean space, relative to the errors; -1 where there is none.
    ra, dec : ndarray of shape (n,) or None
        In degrees; NaN where missing.
    shown : dict of ndarrays of shape (n,)
        Columns of the catalogue that were asked for.
    """

    rank: Ints
    row: Ints
    key: tuple[str, ...]
    name: tuple[str, ...]
    p: Floats
    q: Floats
    is_discovery: NDArray[np.bool_]
    tolerance: Floats
    group: tuple[str, ...]
    main: Ints
    side: Ints
    values: Floats
    covariance: Floats | None
    has_correlations: bool
    clean: Floats | None
    clean_covariance: Floats | None
    surprise: Floats | None
    expected: Floats | None
    sentence: tuple[str, ...]
    neighbours: Ints
    ra: Floats | None = None
    dec: Floats | None = None
    shown: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many they are."""
        return len(self.rank)


def how_many(n_rows: int, n_discoveries: int, asked: int | None = None) -> int:
    """How many objects are listed one by one.

    Examples
    --------
    >>> (
    ...     how_many(50_000, 70),
    ...     how_many(500, 70),
    ...     how_many(10**6, 30_000),
    ...     how_many(50_000, 70, asked=10),
    ... )
    (1000, 500, 4000, 10)
    """
    wanted = min(max(n_discoveries, FEWEST), MOST) if asked is None else asked
    return min(wanted, n_rows)
