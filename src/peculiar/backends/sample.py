"""The rows that stand for all in what is decided before a fit: units, starts, the way down from many components.

Each row has a random key that follows from its number in the table and from nothing else, and the rows of smallest keys
are taken. So the same rows are chosen wherever they live, and however the table is cut into parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.observations import Noise, take_rows

MAX_ROWS = 20_000
"""A table of at most so many rows is its own sample; of a larger one about so many are taken."""

OF_EACH_FEATURE = 100
"""So many values at least of a feature that few rows have, if there are so many."""

_SEED = 1801


def row_keys(first: int, n: int) -> Floats:
    """Random numbers between 0 and 1 of n rows, counted from ``first``.

    Examples
    --------
    >>> bool((row_keys(0, 10)[7:] == row_keys(7, 3)).all())
    True
    """
    generator = np.random.PCG64(_SEED)
    generator.advance(first)
    return np.random.Generator(generator).random(n)


class Sample(NamedTuple):
    """Some rows of a table.

    Attributes
    ----------
    keys : ndarray of shape (m,)
    values : ndarray of shape (m, d)
    noise : Noise
    """

    keys: Floats
    values: Floats
    noise: Noise

    @classmethod
    def of(cls, first: int, values: Floats, noise: Noise) -> Sample:
        """That of a part of a table, whose first row has the number ``first``; each row observes something."""
        keys = row_keys(first, len(values))
        return cls(keys, values, noise).take(choose(keys, ~np.isnan(values)))

    def take(self, rows: Ints) -> Sample:
        """Some of its rows."""
        return Sample(self.keys[rows], self.values[rows], take_rows(self.noise, rows))

    def plus(self, other: Sample) -> Sample:
        """That of two parts of a table that follow each other."""
        keys = np.concatenate([self.keys, other.keys])
        values = np.concatenate([self.values, other.values])
        both = Sample(keys, values, join_noise(self.noise, other.noise))
        return both.take(choose(keys, ~np.isnan(values)))


def choose(keys: Floats, seen: NDArray[np.bool_]) -> Ints:
    """The rows of smallest keys, and more of those that have a feature which few have; in their order.

    What is chosen from several parts, and then from all that were chosen, is what is chosen from the whole.

    Parameters
    ----------
    keys : ndarray of shape (n,)
    seen : ndarray of bool of shape (n, d)
    """
    if len(keys) <= MAX_ROWS:
        return np.arange(len(keys))
    chosen = np.argpartition(keys, MAX_ROWS)[:MAX_ROWS]
    some = [chosen]
    for j in np.flatnonzero(seen[chosen].sum(axis=0) < OF_EACH_FEATURE):
        rows = np.flatnonzero(seen[:, j])
        some.append(rows[np.argsort(keys[rows], kind="stable")[:OF_EACH_FEATURE]])
    return np.unique(np.concatenate(some))


def sample_rows(values: Floats) -> Ints:
    """The numbers of the rows that are the sample of a table in memory."""
    if len(values) <= MAX_ROWS:
        return np.arange(len(values))
    return choose(row_keys(0, len(values)), ~np.isnan(values))


def join_noise(one: Noise, other: Noise) -> Noise:
    """The noise of the rows of two parts, one after the other; both of one kind."""
    first, second = one[0], other[0]
    both = first + second if isinstance(first, int) else np.concatenate([first, second])
    return type(one)(both)  # type: ignore[arg-type]  # the kind says which
