"""What the first lines of a table of text look like: columns that were not told apart, lines of units or dashes."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.formats.text import Header, open_bytes
from peculiar.errors import CatalogueError

PEEKED = 30
"""Lines to look at."""

_FEW = 3
_LONGEST_UNIT = 40
_LONGEST = 1 << 16
_NOTHING = {"", "-", "--", "---", "?", "n/a", "na", "nan", "none", "null", "...", '""'}
"""Words for a missing number."""


def refuse_odd_lines(path: Path, header: Header) -> None:
    """CatalogueError if the file is not the table that its first line makes of it.

    Parameters
    ----------
    path : Path
    header : Header
    """
    if header.is_all:
        return
    lines = _first_lines(path, header.n_lines)
    _refuse_one_column(path, header, lines)
    refuse_odd_rows(path, header, list(csv.reader(lines, delimiter=header.delimiter)))


def refuse_odd_rows(path: Path, header: Header, rows: Sequence[Sequence[str]]) -> None:
    """CatalogueError if one of the first rows is none: a line of units, or of dashes.

    Parameters
    ----------
    path : Path
    header : Header
    rows : sequence of sequence of str
        Cells of the first lines below the names.
    """
    _refuse_dashes(path, header, rows)
    _refuse_units(path, header, rows)


def are_units(words: Sequence[str]) -> bool:
    """Whether all words are units, or stand for none.

    Examples
    --------
    >>> are_units(["mag", "[km/s]", "-"]), are_units(["mag", "bright"])
    (True, False)
    """
    found = [word.strip(" \t[]()") for word in words if word.strip().lower() not in _NOTHING]
    return bool(found) and all(_is_unit(word) for word in found)


def _is_unit(word: str) -> bool:
    if len(word) > _LONGEST_UNIT or _is_number(word):
        return False
    from astropy.units import Unit

    try:
        Unit(word, parse_strict="raise")
    except (ValueError, TypeError):
        return False
    return True


def _first_lines(path: Path, skipped: int) -> list[str]:
    with open_bytes(path) as file:
        for _ in itertools.islice(file, skipped):
            pass
        lines = [file.readline(_LONGEST) for _ in range(PEEKED)]
    return [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines if line]


def _refuse_one_column(path: Path, header: Header, lines: Sequence[str]) -> None:
    """One name with spaces or bars in it, and rows that have as many parts, are several columns."""
    if len(header.names) > 1:
        return
    (name,) = header.names
    for mark, what in (("|", "bars"), (None, "spaces"), (":", "colons")):
        n_parts = len(name.strip("|").split(mark))
        alike = [line for line in lines if len(line.strip("| ").split(mark)) == n_parts]
        if n_parts > 1 and lines and 2 * len(alike) > len(lines):
            raise CatalogueError(
                f"{path}, line {header.n_lines}: this gives a single column, {cut(name)!r}; its {n_parts} names seem "
                f"to be separated by {what}, and commas, semicolons or tabs are expected. Replace them, and read that"
            )


def _refuse_dashes(path: Path, header: Header, rows: Sequence[Sequence[str]]) -> None:
    """A line of dashes ends the header of VizieR's tables, with the units above it."""
    for number, row in enumerate(rows[:3]):
        is_drawn = row and all(re.fullmatch(r"\s*(-+|=+)\s*", cell) for cell in row)
        if is_drawn and max(len(cell.strip()) for cell in row) > 2:  # -- is a missing value
            first, last = header.n_lines + 1, header.n_lines + 1 + number
            which = f"line {last}" if first == last else f"lines {first} to {last}"
            raise CatalogueError(
                f"{path}, line {last} has only dashes ({cut(header.delimiter.join(row), 30)}), and would be taken for "
                f"a row: it ends a header, as VizieR writes it. Remove {which}, or have it as VOTable or FITS"
            )


def _refuse_units(path: Path, header: Header, rows: Sequence[Sequence[str]]) -> None:
    """Words in the first row, in each column that has only numbers below it, are units."""
    full = [row for row in rows if len(row) == len(header.names)]
    if len(full) < 2 or full[0] is not rows[0]:
        return
    columns = list(zip(*full, strict=True))
    numeric = [cells for cells in columns if _are_numbers(cells[1:])]
    words = [cells[0] for cells in numeric if cells[0].strip().lower() not in _NOTHING]
    is_sure = len(full) > _FEW or are_units(words)  # of a few rows, one may be a word by chance
    if words and is_sure and not any(_is_number(word) for word in words):
        shown = ", ".join(cut(word.strip(), 20) for word in words[:4])
        elsewhere = (
            "" if header.delimiter == " " else ", or begin it with # and put it above the names"
        )
        raise CatalogueError(
            f"{path}, line {header.n_lines + 1} has words ({shown}) where all other rows have numbers: a line of "
            f"units? Remove it{elsewhere}"
        )


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether there are numbers (two, where there are rows for it), and nothing else but gaps."""
    known = [cell for cell in cells if cell.strip().lower() not in _NOTHING]
    return len(known) >= min(2, len(cells)) and all(_is_number(cell) for cell in known)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
