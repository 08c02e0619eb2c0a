"""Values that are limits, not measurements: flags in a column of their own say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.columns.conventions import Lookup
from peculiar.catalogue.columns.names import cut, refuse_unknown
from peculiar.catalogue.columns.pairing import LimitFlag, Pairing
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

# VizieR has l_X, and f_X for flags of any kind; the NASA Exoplanet Archive pl_masslim for pl_mass.
RULES = ("l_{x}", "{x}lim", "{x}_lim", "f_{x}")

_MOST_NUMBERS = 5
_NO_LIMIT = frozenset(
    {"", "0", "=", "~", "-", "--", "n", "no", "f", "false", "nan", "none", "null", "<na>"}
)
"""Words, in lower case, that flag nothing; ~ is 'about', <NA> what pandas has in the place of a cell."""


@dataclass(frozen=True)
class Limits:
    """The rows of a column that are limits.

    Attributes
    ----------
    rows : ndarray of bool of shape (n,)
    marks : dict
        The flags that say so, and how often.
    """

    rows: NDArray[np.bool_]
    marks: Mapping[str, int]


def find_flags(
    wanted: Sequence[str],
    lookup: Lookup,
    given: Mapping[str, str | None],
    used: Collection[str],
) -> dict[str, LimitFlag]:
    """Columns that may flag limits, by their names; :func:`confirm_flags` looks at what is in them.

    Parameters
    ----------
    wanted : sequence of str
        Columns that features are made of.
    lookup : Lookup
    given : dict
        What the user says: the name of a column, or None if all values are measured.
    used : collection of str
        Columns that are something else: values, errors, correlations.
    """
    found = {}
    for name in given:
        if name not in wanted:
            raise CatalogueError(f"a limit flag was given for {cut(name)!r}, which no feature uses")
    for name in wanted:
        if name in given:
            column = given[name]
            if column is not None:
                refuse_unknown([column], lookup.available, "the table")
                found[name] = LimitFlag(column, "given")
            continue
        flags = []
        for rule in RULES:
            names = [n for n in lookup.find(rule.format(x=name.lower()), name) if n not in used]
            if len(names) == 1:
                flags.append(LimitFlag(names[0], rule.format(x="X")))
        if flags:
            found[name] = replace(flags[0], others=tuple(flags[1:]))
    return found


@dataclass(frozen=True)
class Content:
    """What is in a column that may be a flag. Those of parts of a table can be added.

    Attributes
    ----------
    may_be : bool
        Whether it is text, or one number in a row.
    numbers : frozenset of float
        Different numbers, as far as there are not too many for a flag.
    """

    may_be: bool
    numbers: frozenset[float] = frozenset()

    @classmethod
    def of(cls, column: Any) -> Content:
        """Look at a column."""
        cells, seen = _cells(column)
        if cells.ndim != 1 or cells.dtype.kind not in "USObfiu":
            return cls(may_be=False)
        if cells.dtype.kind in "USOb":
            return cls(may_be=True)
        numbers = cells[seen].astype(np.float64)
        numbers = np.unique(numbers[~np.isnan(numbers)])
        return cls(may_be=True, numbers=frozenset(numbers[: _MOST_NUMBERS + 1].tolist()))

    def plus(self, other: Content) -> Content:
        """Of both parts of a table."""
        return Content(self.may_be and other.may_be, self.numbers | other.numbers)

    def is_flag(self, rule: str) -> bool:
        """Whether it is text, or at most five different whole numbers; by some rules only -1, 0 and 1."""
        if len(self.numbers) > _MOST_NUMBERS or not all(n.is_integer() for n in self.numbers):
            return False
        return self.may_be and (not rule.endswith("lim") or self.numbers <= {-1.0, 0.0, 1.0})


def look_at_flags(pairing: Pairing, table: Table) -> dict[str, Content]:
    """What is in the columns that may be flags."""
    flags = [flag for first in pairing.limits.values() for flag in (first, *first.others)]
    return {
        flag.column: Content.of(table[flag.column]) for flag in flags if flag.found_by != "given"
    }


def confirm_flags(
    pairing: Pairing, table: Table | None, contents: Mapping[str, Content] | None = None
) -> Pairing:
    """The pairing without columns that only have the name of a flag; the first that is one remains.

    A flag is text, or at most five different whole numbers. ``f_X`` may as well be a flux, and ``maglim`` the depth of
    a survey.

    Parameters
    ----------
    pairing : Pairing
    table : astropy.table.Table or None
    contents : dict of Content, optional
        What is in the columns, in the place of the table.

    Returns
    -------
    Pairing
    """
    known = look_at_flags(pairing, table) if contents is None else contents
    kept = {}
    for name, first in pairing.limits.items():
        for flag in (first, *first.others):
            if flag.found_by == "given" or known[flag.column].is_flag(flag.found_by):
                kept[name] = replace(flag, others=())
                break
    return replace(pairing, limits=kept)


def find_limits(pairing: Pairing, table: Table) -> dict[str, Limits]:
    """Which rows of which columns are limits."""
    return {name: _limits(table[flag.column]) for name, flag in pairing.limits.items()}


def _cells(column: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The cells of a column, and where there are any."""
    cells = np.asarray(getattr(column, "value", column))
    return cells, ~np.broadcast_to(np.asarray(getattr(column, "mask", False)), cells.shape)


def _limits(column: Any) -> Limits:
    cells, seen = _cells(column)
    if cells.dtype.kind in "fiub":
        flagged = seen & (cells != 0) & ~np.isnan(cells.astype(np.float64))
        words = [f"{float(cell):g}" for cell in cells[flagged]]
    else:
        texts = np.array([_word(cell) for cell in cells], dtype=object)
        flagged = seen & np.array([text.lower() not in _NO_LIMIT for text in texts], dtype=bool)
        words = [cut(text, 12) for text in texts[flagged]]
    return Limits(flagged, Counter(words))


def _word(cell: Any) -> str:
    return (cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)).strip()
