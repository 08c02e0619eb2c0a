"""From part files to sorted buckets, and to what all objects together say about each."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.sorting import (
    Buckets,
    Keys,
    PartFiles,
    arrays_of,
    bucket_of,
    cast,
    edges_of,
    filling,
    one_schema,
    sorted_rows,
    thin,
)
from peculiar.population.calibration import count_small
from peculiar.population.discoveries import STOREY_LAMBDA, ordinary_share_of
from peculiar.report.in_parts.lines import ByProbabilities, ByPValues, Line
from peculiar.report.in_parts.pieces import GROUP, LOG_P, PROBABILITY, ROW

MOST_BUCKETS = 500
"""Their files are open at the same time."""

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Rule:
    """How a list is made of what was found.

    Attributes
    ----------
    fdr : float
    method, order : str
        As for :func:`peculiar.report.rank`.
    """

    fdr: float
    method: str
    order: str

    @property
    def names(self) -> list[str]:
        """The columns of part files that this takes."""
        return [LOG_P, ROW, GROUP, *([PROBABILITY] if self.method == "bayes" else [])]

    def keys(self, columns: Columns) -> Keys:
        """What rows are sorted by; equal ones follow in the order of the catalogue."""
        keys = columns[LOG_P], columns[ROW]
        return (-columns[PROBABILITY], *keys) if self.method == "bayes" else keys


class Counts(NamedTuple):
    """What one pass over all part files tells.

    Attributes
    ----------
    n, n_large : int
        Number of objects, and of those with large p-values.
    calibration : ndarray
        As :func:`~peculiar.population.calibration.count_small` gives it.
    of_groups : Counter
        How many objects have each letter, or none.
    samples : list of Keys
        Some rows of each part.
    """

    n: int
    n_large: int
    calibration: NDArray[np.void]
    of_groups: Counter[str]
    samples: list[Keys]

    @classmethod
    def of(cls, files: PartFiles, n_parts: int, rule: Rule) -> Counts:
        """Of all part files."""
        n, n_large, letters, samples = 0, 0, Counter[str](), list[Keys]()
        calibration = count_small(np.empty(0))
        for columns in _all(files, n_parts, rule):
            log_p = columns[LOG_P]
            n += len(log_p)
            n_large += int(np.count_nonzero(np.exp(log_p) > STOREY_LAMBDA))
            calibration["seen"] += count_small(log_p)["seen"]
            letters.update(columns[GROUP].tolist())
            samples.append(thin(rule.keys(columns)))
        calibration["expected"] = n * calibration["p"]
        return cls(n, n_large, calibration, letters, samples)


def _all(files: PartFiles, n_parts: int, rule: Rule) -> Iterator[Columns]:
    for number in range(n_parts):
        yield from files.columns(number, rule.names)


@dataclass(frozen=True)
class Sorted:
    """All rows in buckets, in the order of their ranks.

    Attributes
    ----------
    buckets : Buckets
    rule : Rule
    line : ByPValues or ByProbabilities
    """

    buckets: Buckets
    rule: Rule
    line: Line

    def bucket(self, number: int) -> Ranked:
        """The keys of the rows of a bucket, with what all objects say about them."""
        columns = self.buckets.columns(number, self.rule.names)
        first = sum(self.buckets.sizes[:number])
        if self.rule.method == "bayes":
            q = self.line.q_values(number, columns[PROBABILITY])
            order = np.lexsort((columns[ROW], columns[LOG_P], q))
        else:
            q = self.line.q_values(number, np.exp(columns[LOG_P]))
            order = sorted_rows(self.rule.keys(columns))
        ranks = np.arange(first + 1, first + len(order) + 1)
        log_p, row, group = (columns[name][order] for name in (LOG_P, ROW, GROUP))
        return Ranked(order, ranks, log_p, row, group, q[order])

    def at(self, ranks: Ints) -> Ranked:
        """The keys of the rows of these ranks, in this order."""
        return self._gather(ranks)[0]

    def with_table(self, ranks: Ints) -> tuple[Ranked, Any]:
        """The same, with all their columns as a table of Arrow."""
        ranked, places = self._gather(ranks)
        return ranked, self.buckets.gather(places, np.argsort(np.argsort(ranks)))

    def _gather(self, ranks: Ints) -> tuple[Ranked, list[tuple[int, Ints]]]:
        """Rows of these ranks; and where they are, from the first rank to the last."""
        found, places = [], []
        ends = np.cumsum(self.buckets.sizes)
        for number in np.unique(np.searchsorted(ends, ranks, side="left")):
            bucket = self.bucket(int(number))
            some = bucket.take(np.isin(bucket.rank, ranks))
            found.append(some)
            places.append((int(number), some.order))
        joined = _ranked(np.concatenate(columns) for columns in zip(*found, strict=True))
        return joined.take(np.searchsorted(joined.rank, ranks)), places


class Ranked(NamedTuple):
    """Rows of a bucket in the order of their ranks.

    Attributes
    ----------
    order : ndarray of int of shape (m,)
        Where each is in the bucket.
    rank, log_p, row, group, q : ndarray of shape (m,)
    """

    order: Ints
    rank: Ints
    log_p: Floats
    row: Ints
    group: NDArray[np.str_]
    q: Floats

    def take(self, rows: Ints | slice | NDArray[np.bool_]) -> Ranked:
        """Some of them."""
        return _ranked(column[rows] for column in self)


def _ranked(columns: Iterable[Any]) -> Ranked:
    return Ranked(*columns)


def sort(
    files: PartFiles,
    places: Sequence[str],
    rule: Rule,
    counts: Counts,
    bucket_rows: int,
    folder: Path,
) -> Sorted:
    """Put the rows of all part files into buckets by their ranks, and draw the line between them.

    Parameters
    ----------
    files : PartFiles
    places : sequence of str
        Where the rows of each part are from.
    rule : Rule
    counts : Counts
    bucket_rows : int
        About so many rows in each.
    folder : Path
        For the buckets; what an earlier run has left there is removed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    n_buckets = min(max(1, -(-counts.n // bucket_rows)), MOST_BUCKETS)
    edges, schema = edges_of(counts.samples, n_buckets), one_schema(files, places, _name_of)
    with filling(folder, n_buckets) as filled:
        for number in range(len(places)):
            for table in files.read(number):
                columns = arrays_of(table, rule.names)
                filled.add(cast(table, schema), bucket_of(edges, rule.keys(columns)))
    buckets = filled.buckets()
    return Sorted(buckets, rule, _line(buckets, counts, rule))


def _name_of(source: str) -> str:
    """The name of a column by where it comes from."""
    return source.partition(":")[2].rpartition(":")[0]


def _line(buckets: Buckets, counts: Counts, rule: Rule) -> Line:
    """Which are discoveries."""
    sizes = np.array(buckets.sizes, dtype=np.int64)
    if rule.method == "bayes":
        return ByProbabilities.of(
            partial(_probabilities, buckets), partial(_p, buckets), sizes, rule.fdr
        )
    share = ordinary_share_of(counts.n_large, counts.n) if rule.method == "storey" else 1.0
    return ByPValues.of(partial(_p, buckets), sizes, share, rule.fdr)


def _p(buckets: Buckets, number: int) -> Floats:
    p: Floats = np.exp(buckets.columns(number, [LOG_P])[LOG_P])
    return p


def _probabilities(buckets: Buckets, number: int) -> Floats:
    return buckets.columns(number, [PROBABILITY])[PROBABILITY]
