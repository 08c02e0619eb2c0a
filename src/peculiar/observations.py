"""What was measured: values, noise, weights, and the order in which kernels go through the rows.

:class:`Observations` is the first waist of the package: whatever the data came from, everything below sees only this.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.kernels.structs import LANES, Layout, Rows, Units

__all__ = ["DiagonalNoise", "FullNoise", "NoNoise", "Noise", "Observations", "Scaling"]


class NoNoise(NamedTuple):
    """Every value is exact."""

    n_rows: int


class DiagonalNoise(NamedTuple):
    """Independent errors: one-sigma values, in the units of the data."""

    std: Floats  # (n, d)


class FullNoise(NamedTuple):
    """Correlated errors: one covariance a row, in the units of the data."""

    cov: Floats  # (n, d, d)


Noise = NoNoise | DiagonalNoise | FullNoise


@dataclass(frozen=True)
class Scaling:
    """Units in which the kernels work: (x - shift) / scale, about 0 and of size 1 for typical data."""

    shift: Floats
    scale: Floats

    def units(self) -> Units:
        """The same, as the kernels take it."""
        per_unit = 1.0 / self.scale
        return Units(self.shift, per_unit, -np.log(self.scale))


def noise_name(noise: Noise) -> str:
    """Its kind, in a word."""
    match noise:
        case NoNoise():
            return "none"
        case DiagonalNoise():
            return "diagonal"
        case FullNoise():
            return "full"


def errors_of_feature(noise: Noise, feature: int) -> Floats:
    """Standard deviation of the error of each value of one feature, (n,). One at a time: tables may be large."""
    match noise:
        case NoNoise(n_rows):
            return np.zeros(n_rows)
        case DiagonalNoise(std):
            return std[:, feature]
        case FullNoise(cov):
            return np.sqrt(cov[:, feature, feature])


def noise_covariances(noise: Noise, n_features: int) -> Floats:
    """Error covariance of each row, (n, d, d)."""
    match noise:
        case NoNoise(n_rows):
            return np.zeros((n_rows, n_features, n_features))
        case DiagonalNoise(std):
            cov = np.zeros((len(std), n_features, n_features))
            cov[:, range(n_features), range(n_features)] = np.square(std)  # may be inf: no products
            return cov
        case FullNoise(cov):
            return cov


Numbers = TypeVar("Numbers", Floats, Ints)


def _for_kernels(array: Numbers) -> Numbers:
    """The same numbers, of the one type that kernels are compiled for: contiguous, and not said to be read-only.

    Numba takes a slice, or a read-only array (a memory map, the copies joblib gives to its workers), for another type:
    it would spend half a minute to compile everything once more, and Numba 0.60 takes one such type for another now and
    then. Kernels never write to it.
    """
    array = np.ascontiguousarray(array)
    if array.flags.writeable:
        return array
    interface = dict(array.__array_interface__)
    interface["data"] = (interface["data"][0], False)
    view: Numbers = np.asarray(SimpleNamespace(__array_interface__=interface, owner=array))
    return view


def take_rows(noise: Noise, rows: Ints | slice) -> Noise:
    """Noise of some rows."""
    match noise:
        case NoNoise(n_rows):
            return NoNoise(len(range(n_rows)[rows] if isinstance(rows, slice) else rows))
        case DiagonalNoise(std):
            return DiagonalNoise(std[rows])
        case FullNoise(cov):
            return FullNoise(cov[rows])


def scale_errors(noise: Noise, factors: Floats) -> Noise:
    """Noise with the errors of each row times its factor."""
    match noise:
        case NoNoise():
            return noise
        case DiagonalNoise(std):
            return DiagonalNoise(std * factors[:, None])
        case FullNoise(cov):
            return FullNoise(cov * np.square(factors)[:, None, None])


@dataclass(frozen=True)
class Observations:
    """Measured rows, ready for the kernels.

    Attributes
    ----------
    values : ndarray of shape (n, d)
        NaN where missing.
    noise : NoNoise, DiagonalNoise or FullNoise
        Finite wherever a value is observed.
    weights : ndarray of shape (n,)
    scaling : Scaling
    layout : Layout
        Blocks of rows; those of this object may be a part of all (:meth:`batches`).
    largest_errors : ndarray of shape (d,)
        Of all values that are observed, in units of ``scaling``.
    """

    values: Floats
    noise: Noise
    weights: Floats
    scaling: Scaling
    layout: Layout
    largest_errors: Floats

    @classmethod
    def of(
        cls, values: Floats, noise: Noise, scaling: Scaling, weights: Floats | None = None
    ) -> Observations:
        """Group the rows and put everything together. Contiguous inputs are not copied. Errors all zero are none."""
        if not isinstance(noise, NoNoise) and not noise[0].any():
            noise = NoNoise(len(values))
        return cls.part(values, noise, scaling, largest_errors(values, noise), weights)

    @classmethod
    def part(
        cls,
        values: Floats,
        noise: Noise,
        scaling: Scaling,
        largest: Floats,
        weights: Floats | None = None,
    ) -> Observations:
        """Some rows of a table, as they would be treated among all others.

        The kind of noise is kept, and ``largest`` are the largest errors of the whole table, in the units of the data:
        both decide which code is run, and so the last digits.
        """
        if weights is None:
            weights = np.ones(len(values))
        layout = group_rows(values, noise, scaling)
        if not isinstance(noise, NoNoise):
            noise = type(noise)(_for_kernels(noise[0]))
        rest = scaling, layout, largest / scaling.scale
        return cls(_for_kernels(values), noise, _for_kernels(weights), *rest)

    @property
    def n_rows(self) -> int:
        """Number of rows of the whole table, also when this is a batch of it."""
        return len(self.values)

    @property
    def n_features(self) -> int:
        """Number of features, missing ones included."""
        return int(self.values.shape[1])

    @property
    def n_observed(self) -> int:
        """Number of rows of this batch with something observed."""
        layout = self.layout
        return int((layout.last - layout.first)[layout.size[layout.pattern] > 0].sum())

    @property
    def n_blocks(self) -> int:
        """Number of blocks in this batch."""
        return len(self.layout.first)

    @cached_property
    def rows(self) -> Rows:
        """The same, as the kernels take it."""
        d = self.n_features
        std, cov = np.zeros((0, d)), np.zeros((0, d, d))
        match self.noise:
            case DiagonalNoise(given):
                std = given
            case FullNoise(given):
                cov = given
        return Rows(self.values, std, cov, self.weights, self.layout, self.scaling.units())

    def take(self, rows: Ints | slice) -> Observations:
        """Some of the rows, as a table of their own."""
        return Observations.of(
            self.values[rows], take_rows(self.noise, rows), self.scaling, self.weights[rows]
        )

    def between(self, start: int, stop: int) -> Observations:
        """Some rows that follow each other, treated as they are among all of these."""
        rows = slice(start, stop)
        noise, weights = take_rows(self.noise, rows), self.weights[rows]
        part = Observations.part(
            self.values[rows], noise, self.scaling, self.largest_errors, weights
        )
        return dataclasses.replace(part, largest_errors=self.largest_errors)

    def with_values(self, values: Floats) -> Observations:
        """Other values, NaN where missing, measured with the same noise."""
        return Observations.of(values, self.noise, self.scaling, self.weights)

    def with_errors_times(self, factors: Floats) -> Observations:
        """The same values, with the errors of each row times its factor."""
        return Observations.of(
            self.values, scale_errors(self.noise, factors), self.scaling, self.weights
        )

    def __sizeof__(self) -> int:
        """Bytes of the arrays: those who keep rows for others want to know."""
        arrays = (self.values, self.weights, *self.noise, *self.layout)
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    def __getstate__(self) -> dict[str, Any]:
        # What follows from the rest does not travel.
        return {name: value for name, value in vars(self).items() if name != "rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # What has travelled may be read-only.
        noise, layout = state["noise"], state["layout"]
        if not isinstance(noise, NoNoise):
            state["noise"] = type(noise)(_for_kernels(noise[0]))
        state["layout"] = Layout(*map(_for_kernels, layout))
        for name in ("values", "weights"):
            state[name] = _for_kernels(state[name])
        vars(self).update(state)

    def batches(self, n_blocks: int) -> list[Observations]:
        """Cut into batches of so many blocks each; arrays are shared."""
        cuts = range(0, self.n_blocks, n_blocks)
        return [self._blocks(slice(start, start + n_blocks)) for start in cuts]

    def _blocks(self, part: slice) -> Observations:
        layout = self.layout
        part_layout = layout._replace(
            first=layout.first[part], last=layout.last[part], pattern=layout.pattern[part]
        )
        return dataclasses.replace(self, layout=part_layout)


def group_rows(values: Floats, noise: Noise, scaling: Scaling) -> Layout:
    """Blocks of rows that observe the same features, with those in the order the frame wants.

    Features whose errors are more than 100 times the scale of the data come last, by powers of ten: in that
    order no accuracy is lost when an object has one feature measured far worse than another.
    """
    n, d = values.shape
    rank = _noise_rank(values, noise, scaling)
    if rank is None:
        order: Ints = np.arange(n)
        patterns, first_of_pattern = np.zeros((1, d), dtype=np.uint8), np.array([0, n])
    else:
        patterns, which = np.unique(rank, axis=0, return_inverse=True)
        which = which.reshape(-1)
        order = np.argsort(which, kind="stable").astype(np.int64)
        first_of_pattern = np.concatenate([[0], np.cumsum(np.bincount(which))])
    starts = [np.arange(first, last, LANES) for first, last in itertools.pairwise(first_of_pattern)]
    pattern = np.repeat(np.arange(len(patterns)), [len(s) for s in starts])
    first = np.concatenate(starts) if starts else np.zeros(0, dtype=np.int64)
    last = np.minimum(first + LANES, first_of_pattern[1:][pattern])
    return Layout(
        order=order,
        first=first.astype(np.int64),
        last=last.astype(np.int64),
        pattern=pattern.astype(np.int64),
        features=np.argsort(patterns, axis=1, kind="stable").astype(np.int64),
        size=(patterns < _MISSING).sum(axis=1).astype(np.int64),
    )


def largest_errors(values: Floats, noise: Noise) -> Floats:
    """Of the values of each feature that are observed, (d,), in the units of the data."""
    columns = range(values.shape[1])
    largest: Floats = np.array(
        [
            errors_of_feature(noise, j).max(where=~np.isnan(values[:, j]), initial=0.0)
            for j in columns
        ]
    )
    return largest


_MISSING = 255
_LARGE_NOISE = 100.0


def _noise_rank(values: Floats, noise: Noise, scaling: Scaling) -> NDArray[np.uint8] | None:
    """Rank of each value by the size of its error, 255 where missing; None if all are 0."""
    rank = np.zeros(values.shape, dtype=np.uint8)
    for j in range(values.shape[1]):
        ratio = errors_of_feature(noise, j) / (_LARGE_NOISE * scaling.scale[j])
        large = ratio > 1.0
        rank[large, j] = np.minimum(np.ceil(np.log10(ratio[large])), _MISSING - 1)
        rank[np.isnan(values[:, j]), j] = _MISSING
    return rank if rank.any() else None
