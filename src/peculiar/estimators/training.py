"""A number for each row, wherever these are: what thresholds and discoveries ask of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.backends.dask.arrays import is_collection, mapped_array
from peculiar.backends.dask.cluster import compute, compute_all
from peculiar.backends.dask.tasks import in_tree, mapped, once
from peculiar.errors import SettingError
from peculiar.population.discoveries import Discoveries, by_p_values, greatest_p
from peculiar.population.in_parts import Digits, Histogram, draw_line


class Found(NamedTuple):
    """Discoveries among log p-values.

    Attributes
    ----------
    n : int
        How many there are.
    log_p : float
        The largest of a discovery; if there is none, what one object alone would have needed.
    line : float
        The p-value up to which an object would be a discovery beside them.
    """

    n: int
    log_p: float
    line: float


class Numbers(Protocol):
    """A number for each row of a table: its log p-value, or another score."""

    @property
    def values(self) -> Any:
        """As an array, of NumPy or of Dask, of shape (n,)."""
        ...

    def found(self, fdr: float) -> Found:
        """Discoveries at this rate, if the numbers are log p-values."""
        ...

    def discoveries(self, fdr: float, method: str) -> Discoveries:
        """The same, row by row."""
        ...

    def n_up_to(self, most: float) -> int:
        """How many are not above this one."""
        ...

    def nth(self, n: int) -> float:
        """The n-th smallest, from 0."""
        ...

    def percentile(self, percent: float) -> float:
        """As NumPy has it."""
        ...


@dataclass(frozen=True, eq=False)
class NumbersHere:
    """Numbers in memory."""

    values: Floats

    def found(self, fdr: float) -> Found:
        """Discoveries at this rate, if the numbers are log p-values."""
        p = np.exp(self.values)
        found = by_p_values(p, fdr)
        n, line = int(np.count_nonzero(found.mask)), greatest_p(p, found, fdr)
        # In logarithms: all discoveries may have p-values smaller than any float.
        log_p = float(self.values[found.mask].max()) if n else math.log(found.threshold)
        return Found(n, log_p, line)

    def discoveries(self, fdr: float, method: str) -> Discoveries:
        """The same, row by row."""
        return by_p_values(np.exp(self.values), fdr, method)

    def n_up_to(self, most: float) -> int:
        """How many are not above this one."""
        return int(np.count_nonzero(self.values <= most))

    def nth(self, n: int) -> float:
        """The n-th smallest, from 0."""
        return float(np.partition(self.values, n)[n])

    def percentile(self, percent: float) -> float:
        """As NumPy has it."""
        return float(np.percentile(self.values, percent))


class NumbersInPartitions:
    """Numbers in partitions of Dask, which are computed once and stay there: 8 bytes for each row.

    Parameters
    ----------
    values : dask array of shape (n,)
    """

    def __init__(self, values: Any) -> None:
        self.values = values.persist()
        self._parts = list(self.values.to_delayed().ravel())

    def found(self, fdr: float) -> Found:
        """Discoveries at this rate, if the numbers are log p-values."""
        total, some = self._candidates(fdr, "bh")
        line = draw_line(total, np.exp(some), fdr, "bh")
        n = len(line.p)
        greatest = (
            float(some[np.exp(some) <= line.threshold].max()) if n else math.log(line.threshold)
        )
        return Found(n, greatest, float(min(max(n, 1) * fdr / max(total.n, 1), 1.0)))

    def discoveries(self, fdr: float, method: str) -> Discoveries:
        """The same, row by row. A row that is no discovery has the q-value NaN, which would take a sort of all rows."""
        total, some = self._candidates(fdr, method)
        line = draw_line(total, np.exp(some), fdr, method)
        mask = mapped_array(lambda log_p: line.mask(np.exp(log_p)), self.values, np.bool_)
        q_values = mapped_array(lambda log_p: line.q_values(np.exp(log_p)), self.values, np.float64)
        return Discoveries(mask, line.threshold, q_values, method)

    def _candidates(self, fdr: float, method: str) -> tuple[Histogram, Floats]:
        """How p-values are distributed, and the logarithms of those that can be discoveries."""
        counts = mapped(_histogram, "histogram", self._parts)
        total: Histogram = compute(in_tree(counts, Histogram.plus))
        most = total.most(fdr, method)
        if most < 0.0:
            return total, np.empty(0)
        line = [once(most, "line")] * len(self._parts)
        return total, np.concatenate(compute_all(mapped(_up_to, "candidates", self._parts, line)))

    def n_up_to(self, most: float) -> int:
        """How many are not above this one."""
        line = [once(most, "line")] * len(self._parts)
        return int(compute(in_tree(mapped(_count_up_to, "count", self._parts, line))))

    def nth(self, n: int) -> float:
        """The n-th smallest, from 0: digit by digit, as all of them are in no single place."""
        digits = Digits()
        while not digits.is_complete:
            known = [once(digits, "digits")] * len(self._parts)
            counts = compute(in_tree(mapped(_count_digits, "count", self._parts, known)))
            digits, n = digits.next(counts, n)
        return digits.number

    def percentile(self, percent: float) -> float:
        """As NumPy has it."""
        n = int(compute(in_tree(mapped(len, "count", self._parts))))
        place = percent / 100.0 * (n - 1)
        below = math.floor(place)
        pair = [self.nth(below), self.nth(min(below + 1, n - 1))]
        return float(np.percentile(pair, 100.0 * (place - below)))


def numbers_of(values: Any) -> Numbers:
    """Numbers where they are."""
    return NumbersInPartitions(values) if is_collection(values) else NumbersHere(values)


def in_one_place(values: Any) -> Floats:
    """An array in memory; SettingError if the numbers are elsewhere, where outlier probabilities cannot be ranked."""
    if is_collection(values):
        raise SettingError(
            "method='bayes' ranks the outlier probabilities of all rows, which are in no single place for a table of "
            "Dask; choose method='bh' or 'storey', which need p-values"
        )
    given: Floats = values
    return given


def _histogram(log_p: Floats) -> Histogram:
    return Histogram.of(np.exp(log_p))


def _up_to(log_p: Floats, most: float) -> Floats:
    return log_p[np.exp(log_p) <= most]


def _count_up_to(numbers: Floats, most: float) -> int:
    return int(np.count_nonzero(numbers <= most))


def _count_digits(numbers: Floats, digits: Digits) -> Ints:
    return digits.count(numbers)
