"""Which objects of a sorted table are discoveries, and their q-values, with one bucket of it in memory at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.population.discoveries import greatest_beside, ordinary_probability

Read = Callable[[int], Floats]
"""P-values, or outlier probabilities, of the bucket of that number."""


class Line(Protocol):
    """What all objects together say about each."""

    @property
    def n_found(self) -> int:
        """Number of discoveries."""
        ...

    @property
    def greatest_p(self) -> float:
        """The p-value up to which an object would be a discovery beside those that were found."""
        ...

    def q_values(self, bucket: int, given: Floats) -> Floats:
        """Of the objects of a bucket, in any order, from what they are sorted by."""
        ...


class ByPValues(NamedTuple):
    """The step-up rule: min over j >= i of n p_(j) / j, where the minimum over later buckets is known.

    Attributes
    ----------
    n_found : int
    greatest_p : float
        The p-value up to which an object would be a discovery beside those that were found.
    n : int
        How many objects there are.
    share : float
        Of ordinary ones, as the method takes it.
    first : ndarray of int
        How many objects are before each bucket.
    behind : tuple of float
        The smallest rate in any later bucket.
    """

    n_found: int
    greatest_p: float
    n: int
    share: float
    first: Ints
    behind: tuple[float, ...]

    @classmethod
    def of(cls, read: Read, sizes: Ints, share: float, fdr: float) -> ByPValues:
        """Of sorted buckets of p-values; one pass, from the last to the first."""
        n, first = int(sizes.sum()), np.cumsum(sizes) - sizes
        behind, least = [1.0] * len(sizes), 1.0
        line = cls(0, 0.0, n, share, first, ())
        n_found = 0
        for bucket in reversed(range(len(sizes))):
            behind[bucket] = least
            rates = line._rates(bucket, read(bucket), least)[1]
            n_found += int(np.count_nonzero(np.minimum(share * rates, 1.0) <= fdr))
            least = float(rates.min(initial=least))
        greatest = greatest_beside(n_found, n, share, fdr)
        return cls(n_found, greatest, n, share, first, tuple(behind))

    def q_values(self, bucket: int, given: Floats) -> Floats:
        """Of the objects of a bucket, from their p-values."""
        order, rates = self._rates(bucket, given, self.behind[bucket])
        q = np.empty(len(given))
        q[order] = np.minimum(self.share * rates, 1.0)
        return q

    def _rates(self, bucket: int, p: Floats, behind: float) -> tuple[Ints, Floats]:
        """The order of the p-values, and for each in this order its smallest rate."""
        order, first = np.argsort(p, kind="stable"), int(self.first[bucket])
        scaled = p[order] * (self.n / np.arange(first + 1.0, first + len(p) + 1.0))
        return order, np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], behind)


class ByProbabilities(NamedTuple):
    """The mean probability of being ordinary among all that are at least as probable outliers; equal ones go together.

    Attributes
    ----------
    n_found : int
    greatest_p : float
    first : ndarray of int
    before : tuple of float
        Sum of these probabilities over all earlier buckets.
    behind : tuple of (float, float)
        The first outlier probability of the next bucket, and its q-value: if it goes on where this one ends.
    """

    n_found: int
    greatest_p: float
    first: Ints
    before: tuple[float, ...]
    behind: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, read: Read, read_p: Read, sizes: Ints, fdr: float) -> ByProbabilities:
        """Of buckets of outlier probabilities, sorted from the largest, and of their p-values; two passes."""
        first, before = np.cumsum(sizes) - sizes, [0.0]
        for bucket in range(len(sizes)):
            ordered = -np.sort(-read(bucket))
            before.append(float(_sums(before[-1], ordered)[-1]) if len(ordered) else before[-1])
        line = cls(0, 0.0, first, tuple(before), ((-1.0, 0.0),) * len(sizes))
        n_found, behind, next_ = 0, [(-1.0, 0.0)] * len(sizes), (-1.0, 0.0)
        greatest = float(np.finfo(float).tiny)
        for bucket in reversed(range(len(sizes))):
            behind[bucket] = next_
            line = line._replace(behind=tuple(behind))
            given = read(bucket)
            if len(given):
                q = line.q_values(bucket, given)
                next_ = float(given.max()), float(q[np.argmax(given)])
                is_found = q <= fdr
                if is_found.any():
                    n_found += int(np.count_nonzero(is_found))
                    greatest = max(greatest, float(read_p(bucket)[is_found].max()))
        if not n_found:
            greatest = greatest_beside(0, int(sizes.sum()), 1.0, fdr)
        return line._replace(n_found=n_found, greatest_p=greatest)

    def q_values(self, bucket: int, given: Floats) -> Floats:
        """Of the objects of a bucket, from their outlier probabilities."""
        order = np.argsort(-given, kind="stable")
        ordered, first = given[order], int(self.first[bucket])
        ranks = np.arange(first + 1, first + len(given) + 1)
        means = _sums(self.before[bucket], ordered) / ranks
        q = np.empty(len(given))
        q[order] = means[np.searchsorted(-ordered, -ordered, side="right") - 1]
        probability, rate = self.behind[bucket]
        return np.where(given == probability, rate, q)


def _sums(before: float, outlier_probability: Floats) -> Floats:
    """Sums of the probabilities of being ordinary, one after the other, as if no bucket had ended."""
    return np.cumsum(np.concatenate([[before], ordinary_probability(outlier_probability)]))[1:]
