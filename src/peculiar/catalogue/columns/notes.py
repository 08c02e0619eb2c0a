"""What is noted about the values of a table. Notes on the parts of a table add up to those on the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.columns.names import counted

USUAL = (-99999.0, -9999.0, -999.0, -99.99, -99.9, -99.0, 99.0, 99.9, 99.99, 999.0, 9999.0, 99999.0)
"""What surveys write for 'missing'; a column that has one of them at its end, twice or more, gets a remark."""


class Remark(Protocol):
    """A note: it has a name that parts of a table share, can be added, and becomes some sentences, perhaps none."""

    @property
    def key(self) -> str:
        """The same for notes that can be added."""
        ...

    def plus(self, other: Self) -> Self:
        """The note on both parts."""
        ...

    def at(self, numbers: Ints) -> Self:
        """The same, if the rows have these numbers in the table that they are a part of."""
        ...

    def lines(self) -> list[str]:
        """In words."""
        ...


@dataclass(frozen=True)
class Place:
    """A row that is shown as an example: the first, or the worst.

    Attributes
    ----------
    row : int
    value : float
    weight : float
        Of two places the one of larger weight is shown, else the first.
    """

    row: int
    value: float
    weight: float = 0.0


@dataclass(frozen=True)
class Note:
    """A sentence about some values.

    Attributes
    ----------
    key : str
    say : callable
        From the note to the sentence.
    counts : dict of int
        How many values it is about, under the empty name, and whatever else is counted. Nothing is said about none.
    place : Place, optional
        An example.
    """

    key: str
    say: Callable[[Note], str]
    counts: Mapping[str, int]
    place: Place | None = None

    @classmethod
    def of(cls, count: int | np.integer, sentence: str) -> Note:
        """A sentence about so many ``{values}``."""
        return cls(sentence, _count_values, {"": int(count)})

    @property
    def total(self) -> int:
        """How many values it is about."""
        return self.counts[""]

    def plus(self, other: Note) -> Note:
        """The note on both parts."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return Note(self.key, self.say, dict(counts), _shown(self.place, other.place))

    def at(self, numbers: Ints) -> Note:
        """The same, if the rows have these numbers."""
        if self.place is None:
            return self
        there = Place(int(numbers[self.place.row]), self.place.value, self.place.weight)
        return Note(self.key, self.say, self.counts, there)

    def lines(self) -> list[str]:
        """The sentence, if there is something to say."""
        return [self.say(self)] if self.total else []


def _count_values(note: Note) -> str:
    return note.key.replace("{values}", counted(note.total))


def _shown(one: Place | None, other: Place | None) -> Place | None:
    if one is None or other is None:
        return one or other
    return other if other.weight > one.weight else one


@dataclass(frozen=True)
class Suspects:
    """Usual sentinels that are the least or the greatest value of a column, and how often they occur.

    Attributes
    ----------
    key : str
        The column.
    low, high : float
        Its range.
    n_seen : int
        Number of finite values.
    counts : dict
        How often each of ``USUAL`` occurs.
    """

    key: str
    low: float
    high: float
    n_seen: int
    counts: Mapping[float, int] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, values: Floats) -> Suspects:
        """Of one column."""
        seen = values[np.isfinite(values)]
        if not seen.size:
            return cls(name, np.inf, -np.inf, 0)
        low, high = float(seen.min()), float(seen.max())
        # Only what is outermost in a part can be outermost in the whole.
        counts = {value: int((seen == value).sum()) for value in USUAL if value in (low, high)}
        return cls(name, low, high, len(seen), counts)

    def plus(self, other: Suspects) -> Suspects:
        """Of both parts."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Suspects(self.key, low, high, self.n_seen + other.n_seen, dict(counts))

    def at(self, numbers: Ints) -> Suspects:
        """The same: no row is named."""
        return self

    def lines(self) -> list[str]:
        """A sentence for each."""
        found = [(value, self.counts.get(value, 0)) for value in USUAL]
        return [
            f"{self.key}: {counted(count)} {value:g}; if that means 'missing', say --missing {value:g}"
            for value, count in found
            if value in (self.low, self.high) and 1 < count < self.n_seen
        ]


def add_notes(one: Sequence[Remark], other: Sequence[Remark]) -> tuple[Remark, ...]:
    """The notes on both of two parts of a table, in the order in which they would be taken of the whole."""
    mine, theirs = ({_name(note): note for note in notes} for notes in (one, other))
    both = [note.plus(theirs[name]) if name in theirs else note for name, note in mine.items()]
    return (*both, *(note for name, note in theirs.items() if name not in mine))


def _name(note: Remark) -> tuple[str, str]:
    return type(note).__name__, note.key


def in_words(notes: Iterable[Remark]) -> tuple[str, ...]:
    """What there is to say."""
    return tuple(line for note in notes for line in note.lines())
