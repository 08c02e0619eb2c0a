"""What only all rows of a table can tell, for those who see it in parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from peculiar.arrays import Ints
from peculiar.catalogue.columns.notes import Remark, add_notes

NOISES = ("none", "std", "cov")
"""Kinds of errors: none, independent, correlated. The whole has the kind of the part that has most."""


@dataclass(frozen=True)
class Whole:
    """What was decided from all rows.

    Attributes
    ----------
    positive : frozenset of str
        Columns of which some errors are positive: one of exactly 0 among them is not to be believed.
    noise : {'none', 'std', 'cov'}
        Whether features have errors, and whether these are correlated.
    is_final : bool
        Whether nothing is left to be noted: all rows were seen before.
    """

    positive: frozenset[str]
    noise: str = "none"
    is_final: bool = False


@dataclass
class Tally:
    """What some rows show. The tallies of all parts of a table add up to that of the table.

    Attributes
    ----------
    n_rows : int
    n_seen : dict of int
        How many values each column, and each feature, has.
    positive : set of str
        Columns of which some errors are positive.
    noise : {'none', 'std', 'cov'}
    is_noisy : bool
        Whether an error is not 0.
    largest_errors : tuple of float
        Of the values of each feature.
    notes, doubts : list of Remark
        What became missing, and why; where errors are too large to be propagated.
    """

    n_rows: int = 0
    n_seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    positive: frozenset[str] = frozenset()
    noise: str = "none"
    is_noisy: bool = False
    largest_errors: tuple[float, ...] = ()
    notes: list[Remark] = field(default_factory=list)
    doubts: list[Remark] = field(default_factory=list)

    def saw(self, kind: str, name: str, count: int | np.integer) -> None:
        """So many values of a column, or of a feature, are there."""
        self.n_seen[kind, name] += int(count)

    def plus(self, other: Tally) -> Tally:
        """Of both parts of a table."""
        return Tally(
            self.n_rows + other.n_rows,
            self.n_seen + other.n_seen,
            self.positive | other.positive,
            max(self.noise, other.noise, key=NOISES.index),
            self.is_noisy or other.is_noisy,
            _largest(self.largest_errors, other.largest_errors),
            list(add_notes(self.notes, other.notes)),
            list(add_notes(self.doubts, other.doubts)),
        )

    def at(self, numbers: Ints) -> Tally:
        """The same, if the rows have these numbers in the table that they are a part of."""
        notes, doubts = ([note.at(numbers) for note in some] for some in (self.notes, self.doubts))
        return replace(self, notes=notes, doubts=doubts)


def _largest(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    if not one or not other:
        return one or other
    return tuple(max(pair) for pair in zip(one, other, strict=True))
