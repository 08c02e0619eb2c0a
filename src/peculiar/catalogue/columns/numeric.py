"""Columns of a table as arrays of numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.catalogue.columns.meaning import ErrorMeaning
from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.columns.notes import Note
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.errors import CatalogueError, RowError

if TYPE_CHECKING:
    from astropy.table import Table


@dataclass
class Reader:
    """A table, and what is noted while its columns are read.

    Attributes
    ----------
    table : astropy.table.Table
    meaning : ErrorMeaning
    whole : Whole, optional
        What is known of the table that this one is a part of. None: it is all there is.
    tally : Tally
        What is noted.
    """

    table: Table
    meaning: ErrorMeaning
    whole: Whole | None = None
    tally: Tally = field(default_factory=Tally)

    @property
    def takes_notes(self) -> bool:
        """Whether these rows are seen for the first time."""
        return self.whole is None or not self.whole.is_final

    def note(self, count: int | np.integer[Any], sentence: str) -> None:
        """Note a sentence about so many ``{values}``."""
        self.tally.notes.append(Note.of(count, sentence))


def numbers(table: Table, name: str) -> Floats:
    """A column as float64, NaN where masked; a copy.

    Parameters
    ----------
    table : astropy.table.Table
    name : str

    Returns
    -------
    ndarray of shape (n,)
    """
    column = table[name]
    cells = np.asarray(getattr(column, "value", column))
    if cells.ndim != 1:
        raise CatalogueError(
            f"column {name!r} has {cells.shape[1:]} values in each row; a feature needs one number: name one of them, "
            f"such as {name}[{','.join('0' * (cells.ndim - 1))}]"
        )
    if cells.dtype.kind == "c":
        raise CatalogueError(
            f"column {name!r} has complex numbers, and a feature needs real ones; make two columns of it, such as "
            "amplitude and phase"
        )
    if cells.dtype.kind in "fiub":
        found = cells.astype(np.float64)
    else:
        found = _from_text(cells, _mask(column, cells), name)
    found[_mask(column, cells)] = np.nan
    return found


def _mask(column: Any, cells: NDArray[Any]) -> NDArray[np.bool_]:
    return np.broadcast_to(np.asarray(getattr(column, "mask", False)), cells.shape)


def _from_text(cells: NDArray[Any], mask: NDArray[np.bool_], name: str) -> Floats:
    """Text that is a number is one; anything else is refused, with its place."""
    found = np.full(cells.shape, np.nan)
    for row in np.flatnonzero(~mask):
        cell = cells[row]
        try:
            if cell is not None and str(cell).strip():
                found[row] = float(cell)
        except (TypeError, ValueError):
            word = cut(str(cell))
            raise RowError(
                int(row), f", column {name!r}: {word!r} is not a number; {_way_out(word)}"
            ) from None
    return found


def _way_out(word: str) -> str:
    if re.fullmatch(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*", word):
        return "is it a decimal comma? Write the table with points"
    if re.fullmatch(r"\s*[+-]?\d*\.?\d*[dD][+-]?\d+\s*", word):
        return "is it Fortran's D for an exponent? Write the table with E"
    return f"if it means 'missing', say missing=[{word!r}] (--missing {word})"
