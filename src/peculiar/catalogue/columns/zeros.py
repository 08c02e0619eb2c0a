"""Errors of exactly 0 in a column in which others are positive: not known, or rounded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.columns.names import counted
from peculiar.catalogue.columns.notes import Place
from peculiar.catalogue.columns.pairing import ErrorColumns
from peculiar.errors import RowError

_DIGITS = range(7)
_ENOUGH = 3
_GLANCE = 100
"""Errors that show at once, most times, that there was no rounding."""


@dataclass(frozen=True)
class Rounding:
    """Which steps some errors may have been rounded to. Those of parts of a column can be added.

    Attributes
    ----------
    n_zero : int
    n_next : dict of int
        For each number of digits that all errors may have been rounded to, how many are one or two steps.
    some : frozenset of float
        Up to three different positive errors.
    """

    n_zero: int
    n_next: dict[int, int]
    some: frozenset[float]

    @classmethod
    def of(cls, errors: Floats) -> Rounding:
        """Look at some errors.

        Examples
        --------
        >>> import numpy as np
        >>> Rounding.of(np.array([0.0, 0.01, 0.02, 0.05])).step
        0.01
        >>> Rounding.of(np.array([0.0, 1.7, 2.9, 5.3])).step
        0.0
        """
        known = errors[np.isfinite(errors)]
        positive = known[known > 0]
        some = frozenset(np.unique(positive)[:_ENOUGH].tolist())
        n_next = {
            digits: int(np.count_nonzero(positive < 2.5 * 10.0**-digits))
            for digits in _DIGITS
            if _is_rounded(positive[:_GLANCE], digits) and _is_rounded(positive, digits)
        }
        return cls(int(np.count_nonzero(known == 0)), n_next, some)

    def plus(self, other: Rounding) -> Rounding:
        """Of both parts of a column."""
        both = {k: n + other.n_next[k] for k, n in self.n_next.items() if k in other.n_next}
        some = frozenset(sorted(self.some | other.some)[:_ENOUGH])
        return Rounding(self.n_zero + other.n_zero, both, some)

    @property
    def step(self) -> float:
        """The step that errors seem to be rounded to, if that explains why some are 0; else 0."""
        if len(self.some) < _ENOUGH or not self.n_next:
            return 0.0
        digits = min(self.n_next)
        # If 0 is a rounded error, the next two steps are at least as common.
        return 10.0**-digits if self.n_next[digits] >= self.n_zero else 0.0


def _is_rounded(errors: Floats, digits: int) -> bool:
    return bool(np.allclose(errors, np.round(errors, digits), rtol=1e-6, atol=0.0))


@dataclass(frozen=True)
class ZeroErrors:
    """A note on errors of 0, and what was made of them.

    Attributes
    ----------
    pair : ErrorColumns
    treatment : {'missing', 'exact', 'refuse'}
    n : int
        How many values have such an error.
    place : Place or None
        The first of them.
    rounding : Rounding
        Of all errors of the column.
    """

    pair: ErrorColumns
    treatment: str
    n: int
    place: Place | None
    rounding: Rounding

    @property
    def key(self) -> str:
        """The column."""
        return self.pair.column

    def plus(self, other: ZeroErrors) -> ZeroErrors:
        """Of both parts of a column."""
        first = self.place or other.place
        together = self.rounding.plus(other.rounding)
        return ZeroErrors(self.pair, self.treatment, self.n + other.n, first, together)

    def at(self, numbers: Ints) -> ZeroErrors:
        """The same, if the rows have these numbers."""
        there = self.place and Place(int(numbers[self.place.row]), self.place.value)
        return ZeroErrors(self.pair, self.treatment, self.n, there, self.rounding)

    def lines(self) -> list[str]:
        """What was made of them."""
        if not self.n:
            return []
        source, step = ", ".join(self.pair.names), self.rounding.step
        if self.treatment != "missing":
            return [f"{self.key}: {counted(self.n)} taken as exact, with an error of 0 ({source})"]
        instead = "takes them literally." if step else "keeps them"
        why = f"missing because the error is exactly 0 ({source}), unlike others"
        way_out = f"--zero-errors exact {instead}{self._way_out()}"
        return [f"{self.key}: {counted(self.n)} {why}; {way_out}"]

    def refuse(self) -> None:
        """RowError, if that is what the user wants."""
        if self.treatment == "refuse" and self.place is not None:
            raise RowError(
                self.place.row,
                f", column {', '.join(self.pair.names)}: the error is exactly 0 (in {self.n:,} rows in all), unlike "
                f"others; say zero_errors='missing' or 'exact' (--zero-errors).{self._way_out()}",
            )

    def _way_out(self) -> str:
        step = self.rounding.step
        if not step:
            return ""
        return (
            f" The errors are multiples of {step:g}, so that 0 looks rounded: --error-floor {self.key}={step / 2:g} "
            "keeps the values, with that error"
        )
