"""Rows of a scan: read and checked part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.backends import PartsBackend
from peculiar.backends.ahead import read_ahead
from peculiar.catalogue.recipe import Recipe
from peculiar.catalogue.scanning import Scan
from peculiar.errors import InputError
from peculiar.estimators.elsewhere import (
    Labels,
    Summary,
    join,
    observed,
    reach_of,
    sample_in_units,
)
from peculiar.observations import NoNoise, Observations, Scaling
from peculiar.population import Population
from peculiar.validation import CheckedRows, check_noise, check_reach

if TYPE_CHECKING:
    from peculiar.estimators.rows import Answer, Question

_NO_LABELS = Labels(None)  # columns of a scan are named by their numbers


class _Part(NamedTuple):
    """Some rows of a scan that have passed the checks, and their numbers in the catalogue."""

    numbers: Ints
    rows: CheckedRows


@dataclass(frozen=True)
class ScanRows:
    """The rows of a scan, read for every question."""

    scan: Scan
    what = "scan"

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.scan.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the features."""
        return self.scan.names

    @property
    def recipe(self) -> Recipe:
        """How the features are made of the columns of a catalogue."""
        return self.scan.recipe

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.scan.n_rows

    @property
    def is_noisy(self) -> bool:
        """Whether any error is not 0."""
        return self.scan.is_noisy

    @property
    def lacks_errors(self) -> bool:
        """Whether all errors are 0."""
        return not self.scan.is_noisy

    def whole(self) -> CheckedRows:
        """All rows, in memory: for those that are few."""
        parts = list(self.parts())
        values = np.concatenate([part.values for part in parts])
        kind, noises = type(parts[0].noise), [part.noise[0] for part in parts]
        noise = NoNoise(len(values)) if kind is NoNoise else kind(np.concatenate(noises))  # type: ignore[arg-type]
        return CheckedRows(values, noise)

    def parts(self) -> Iterator[CheckedRows]:
        """All rows, in the order of the catalogue, some at a time."""
        return (part.rows for part in self._checked())

    def summary(self) -> Summary:
        """Of the rows that observe anything. One pass."""
        parts, total = _observed(self._checked()), None
        for part in read_ahead(lambda: parts):
            own = Summary.of(0 if total is None else total.extent.n, part.rows)
            total = own if total is None else total.plus(own)
        if total is None:
            raise InputError(
                f"{self.scan.path}: no row has an observed value; there is nothing to fit"
            )
        return total

    def backend(self, scaling: Scaling, summary: Summary, n_threads: int) -> PartsBackend:
        """The rows that observe anything, in these units, to fit a mixture to."""
        largest = self.scan.largest_errors

        def parts() -> Iterator[Observations]:
            return _in_units(_observed(self._checked()), scaling, scaling, largest)

        some = sample_in_units(summary, scaling, largest)
        return PartsBackend(parts, some, summary.extent.n, n_threads)

    def ask(self, population: Population, question: Question[Answer]) -> Answer:
        """The answer of a population about each row, in the order of the catalogue."""
        answer: Answer = join(list(self._answers(population, question)))
        return answer

    def add_up(self, population: Population, question: Question[Floats]) -> Floats:
        """The sum of the answers about all parts."""
        total: Floats = np.sum(list(self._answers(population, question)), axis=0)
        return total

    def _answers(self, population: Population, question: Question[Any]) -> Iterator[Any]:
        # The survey is made now, and not in the thread that reads: it may warn.
        largest, parts = self.scan.largest_errors, self._checked()
        units, reach = population.scaling, reach_of(population)
        for obs in read_ahead(lambda: _in_units(parts, units, reach, largest)):
            yield question(population, obs)

    def _checked(self) -> Iterator[_Part]:
        """All rows, in the order of the catalogue, some at a time."""
        return _check(self.scan, is_noisy=self.scan.is_noisy)


def _check(scan: Scan, *, is_noisy: bool) -> Iterator[_Part]:
    for numbers, measured in scan.batches():
        try:
            given = measured.X, measured.X_std, measured.X_cov
            rows = CheckedRows(*check_noise(_NO_LABELS, *given))
        except InputError as error:
            raise InputError(
                f"{scan.path}, rows {numbers[0]:,} to {numbers[-1]:,}, counted here from the first of them: {error}"
            ) from None
        yield _Part(numbers, rows if is_noisy else rows._replace(noise=NoNoise(len(numbers))))


def _observed(parts: Iterator[_Part]) -> Iterator[_Part]:
    """The rows that observe anything."""
    for numbers, rows in parts:
        some, kept = observed(*rows)
        if len(some):
            yield _Part(numbers[some], kept)


def _in_units(
    parts: Iterator[_Part], scaling: Scaling, reach: Scaling, largest: Floats
) -> Iterator[Observations]:
    """Rows for the kernels; no value may be too far away in the units of ``reach``."""
    for numbers, (values, noise) in parts:
        check_reach(_NO_LABELS, values, noise, reach, numbers)
        yield Observations.part(values, noise, scaling, largest)
