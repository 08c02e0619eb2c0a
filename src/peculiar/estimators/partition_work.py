"""What is done with one partition of a table, where it is: checks, sums before a fit, rows for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.catalogue.scanning import Piece
from peculiar.errors import InputError
from peculiar.estimators.elsewhere import Labels, Summary, like, observed, reach_of
from peculiar.observations import (
    DiagonalNoise,
    FullNoise,
    Noise,
    NoNoise,
    Observations,
    Scaling,
    largest_errors,
    noise_covariances,
)
from peculiar.population import Population
from peculiar.validation import CheckedRows, check_noise, check_reach, refuse_infinity
from peculiar.validation.cells import as_floats

if TYPE_CHECKING:
    from peculiar.estimators.rows import Question

KINDS = (NoNoise, DiagonalNoise, FullNoise)
"""Of noise; a table has the kind of the partition that has most."""


class Measured(NamedTuple):
    """Rows of a partition as they are given. Anything with these attributes can stand for it.

    Attributes
    ----------
    X : array-like of shape (n, d)
        NaN where missing.
    X_std : array-like of shape (n, d), optional
        One-sigma errors.
    X_cov : array-like of shape (n, d, d), optional
        Error covariances, if errors are correlated.
    """

    X: Any
    X_std: Any = None
    X_cov: Any = None


@dataclass(frozen=True)
class Place:
    """A partition, for messages.

    Attributes
    ----------
    number : int or str
        The partition, or what it is called.
    first : int or None
        Number of its first row in the table, if that is known.
    file : str
        What it was read from, if that is known, and which rows of it.
    labels : Labels
    n_features : int
    """

    number: int | str
    first: int | None
    labels: Labels
    n_features: int
    file: str = ""

    def rows(self, n_rows: int) -> str:
        """The rows of the partition, in words."""
        which, where = f"partition {self.number}", self.file
        if self.first is not None and n_rows:
            where = f"rows {self.first:,} to {self.first + n_rows - 1:,}"
        return f"{which} ({where})" if where else which

    def refused(self, n_rows: int, error: InputError) -> InputError:
        """The same error, with its place."""
        return InputError(f"{self.rows(n_rows)}, counted here from its first row: {error}")


def read_piece(piece: Piece, n_features: int) -> Measured:
    """The rows of a piece of a scan."""
    some = [measured for _, measured in piece.batches()]
    if not some:
        return Measured(np.empty((0, n_features)))
    arrays = ([getattr(part, name) for part in some] for name in Measured._fields)
    return Measured(*(None if each[0] is None else np.concatenate(each) for each in arrays))


def check(measured: Any, place: Place) -> CheckedRows:
    """The rows of a partition as float64 arrays, if they can be used."""
    try:
        values = as_floats(measured.X, "X")
        _refuse_shape(values, place.n_features)
        refuse_infinity(place.labels, values)
        return CheckedRows(*check_noise(place.labels, values, measured.X_std, measured.X_cov))
    except InputError as error:
        raise place.refused(len(measured.X), error) from None


def _refuse_shape(values: Floats, n_features: int) -> None:
    if values.shape[1:] != (n_features,):
        raise InputError(f"X has shape {values.shape}, must be (n, {n_features})")


class Errors(NamedTuple):
    """What is known of the errors of a table, or of a part of it.

    Attributes
    ----------
    kind : int
        Of noise: a place in ``KINDS``.
    is_noisy : bool
        Whether an error is not 0.
    largest : ndarray of shape (d,)
        The largest error of each feature, of the values that are observed.
    """

    kind: int
    is_noisy: bool
    largest: Floats

    @classmethod
    def of(cls, rows: CheckedRows) -> Errors:
        """Of some rows."""
        values, noise = rows
        is_noisy = not isinstance(noise, NoNoise) and bool(noise[0].any())
        kind = KINDS.index(type(noise)) if len(values) else 0
        return cls(kind, is_noisy, largest_errors(values, noise))

    def plus(self, other: Errors) -> Errors:
        """Of two parts of a table."""
        return Errors(
            max(self.kind, other.kind),
            self.is_noisy or other.is_noisy,
            np.maximum(self.largest, other.largest),
        )

    def as_of_all(self, noise: Noise, n_features: int) -> Noise:
        """The noise of a part in the kind of the table. Errors all zero are none."""
        n_rows = noise[0] if isinstance(noise, NoNoise) else len(noise[0])
        kind = KINDS[self.kind] if self.is_noisy else NoNoise
        if isinstance(noise, kind):
            return noise
        if kind is NoNoise:
            return NoNoise(n_rows)
        if kind is DiagonalNoise:
            return DiagonalNoise(np.zeros((n_rows, n_features)))
        return FullNoise(noise_covariances(noise, n_features))

    def observe(self, rows: CheckedRows, scaling: Scaling) -> Observations:
        """Rows of a part as they would be treated among all others."""
        noise = self.as_of_all(rows.noise, rows.values.shape[1])
        return Observations.part(rows.values, noise, scaling, self.largest)


class Profile(NamedTuple):
    """What one pass tells of a partition before a fit; small.

    Attributes
    ----------
    n_rows, n_bytes : int
    n_observed : int
        Number of rows that observe anything.
    errors : Errors
    """

    n_rows: int
    n_bytes: int
    n_observed: int
    errors: Errors


def profile(rows: CheckedRows) -> Profile:
    """That of a partition."""
    values, noise = rows
    n_bytes = values.nbytes + (0 if isinstance(noise, NoNoise) else noise[0].nbytes)
    n_observed = int(np.count_nonzero(~np.isnan(values).all(axis=1)))
    # Rows for the kernels have weights and an order, too.
    return Profile(len(values), n_bytes + 16 * len(values), n_observed, Errors.of(rows))


def summarise(rows: CheckedRows, first: int, errors: Errors) -> Summary:
    """Of the rows that observe anything; ``first`` such rows come before them."""
    values, noise = rows
    _, kept = observed(values, errors.as_of_all(noise, values.shape[1]))
    return Summary.of(first, kept)


def rows_to_fit(rows: CheckedRows, place: Place, scaling: Scaling, errors: Errors) -> Observations:
    """The rows that observe anything, in units of the fit."""
    numbers, kept = observed(*rows)
    try:
        check_reach(place.labels, *kept, scaling, numbers)
    except InputError as error:
        raise place.refused(len(rows.values), error) from None
    return errors.observe(kept, scaling)


def rows_to_ask(
    rows: CheckedRows, place: Place, population: Population, errors: Errors
) -> Observations:
    """All rows, in units of a population."""
    try:
        check_reach(place.labels, *rows, reach_of(population))
    except InputError as error:
        raise place.refused(len(rows.values), error) from None
    return errors.observe(rows, population.scaling)


@dataclass(frozen=True)
class Asked:
    """A population, and what is asked of it."""

    population: Population
    question: Question[Any]

    def about(self, obs: Observations) -> Any:
        """The answer about some rows."""
        return self.question(self.population, obs)

    def example(self) -> Any:
        """The answer about a row in the middle of a component: an array with one line, or a tuple of such arrays."""
        values = self.population.params.locations[:1].copy()
        return self.about(Observations.of(values, NoNoise(1), self.population.scaling))


def answer(rows: CheckedRows, place: Place, asked: Asked, errors: Errors) -> Any:
    """The answer about each row of a partition, which may have none."""
    if len(rows.values):
        return asked.about(rows_to_ask(rows, place, asked.population, errors))
    example = asked.example()
    if isinstance(example, tuple):
        return like(example, [array[:0] for array in example])
    return example[:0]


def share(rows: CheckedRows, place: Place, asked: Asked, errors: Errors) -> Floats:
    """The answer about the rows of a partition, if it is a sum over them."""
    if len(rows.values):
        total: Floats = asked.about(rows_to_ask(rows, place, asked.population, errors))
        return total
    return np.zeros_like(asked.example())
