"""Tables of text that only astropy reads: CDS and MRT, IPAC, SExtractor, VizieR's TSV, and columns between blanks.

They are read whole, and never written. astropy is given the lines, not the path: of a path it would open more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from peculiar.catalogue.columns.names import cut, refuse_duplicates
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo, info_of
from peculiar.catalogue.formats.masks import mask_empty_text
from peculiar.catalogue.formats.odd_lines import PEEKED, refuse_odd_rows
from peculiar.catalogue.formats.remembered import remembered
from peculiar.catalogue.formats.text import Header, lines_of
from peculiar.catalogue.formats.told import unit_in_words
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


class AstropyText:
    """A table of text, by one of astropy's readers."""

    name: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]] = ()
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = True
    has_tables: ClassVar[bool] = False
    is_written: ClassVar[bool] = False
    reader: ClassVar[str]

    def list_tables(self, path: Path) -> list[TableInfo]:
        """One in each file, without a name."""
        return []

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """The rows are read, too: types are known only then."""
        return _overview(place.path, self)[1]

    def count_rows(self, place: Place) -> int:
        """It is read for that."""
        return _overview(place.path, self)[0]

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Masked where values are missing; with units as far as the format has them."""
        table = self._parse(_lines(place.path), place.path)
        table.meta = _flat(table.meta)
        return mask_empty_text(table)

    def write(self, table: Table, path: Path) -> None:
        """Not this format."""
        raise CatalogueError(f"{self.name} is read, but not written; write FITS, ECSV or CSV")

    def _parse(self, lines: list[str], path: Path) -> Table:
        return _by_astropy(lines, self.reader)


class Mrt(AstropyText):
    """Machine-readable tables of the AAS journals, and those of the CDS with their description above the rows."""

    name: ClassVar[str] = "mrt"
    extensions: ClassVar[tuple[str, ...]] = (".mrt", ".cds")
    reader: ClassVar[str] = "cds"


class Ipac(AstropyText):
    """Tables of IPAC, with names, types and units between vertical bars."""

    name: ClassVar[str] = "ipac"
    extensions: ClassVar[tuple[str, ...]] = (".tbl", ".ipac")
    reader: ClassVar[str] = "ipac"


class SExtractor(AstropyText):
    """Catalogues of SExtractor, with a comment line for each column."""

    name: ClassVar[str] = "sextractor"
    reader: ClassVar[str] = "sextractor"


class Vizier(AstropyText):
    """Tab-separated tables of VizieR: names, units and dashes above the rows, and what columns are in comments."""

    name: ClassVar[str] = "vizier"
    reader: ClassVar[str] = "tab"

    def _parse(self, lines: list[str], path: Path) -> Table:
        told = [line.split("\t") for line in lines if line.startswith("#Column")]
        body = [line for line in lines if line.strip() and not line.startswith("#")]
        if sum(map(is_dashes, body)) > 1:
            raise CatalogueError(
                f"{path} has {sum(map(is_dashes, body))} tables one below the other; ask VizieR for one at a time, or "
                "for a VOTable"
            )
        if not any(map(is_dashes, body[2:3])):
            raise CatalogueError(
                f"{path} is not as VizieR writes tables: names, units and dashes in three lines above the rows; leave "
                "out format= (--format), and its look decides"
            )
        names, units, *rows = ([cell.strip() for cell in line.split("\t")] for line in body)
        refuse_duplicates(names, str(path))
        table = _by_astropy(["\t".join(row) for row in (names, *rows[1:])], self.reader)
        for name, unit in zip(names, units, strict=False):
            table[name].unit = unit_in_words(unit) or None
        for name, *words in (cells[1:] for cells in told if len(cells) > 1):
            if name.strip() in table.colnames:
                _tell(table[name.strip()], words)
        return table


class Blanks(AstropyText):
    """Columns between blanks; the names are in the first line, or in the comment line above the rows."""

    name: ClassVar[str] = "text"
    extensions: ClassVar[tuple[str, ...]] = (".dat", ".cat", ".txt")
    reader: ClassVar[str] = "basic"

    def _parse(self, lines: list[str], path: Path) -> Table:
        kept = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        n_told = next((i for i, (_, line) in enumerate(kept) if not _is_comment(line)), None)
        if n_told is None:
            raise CatalogueError(f"{path} has no rows: only {len(kept):,} comment lines")
        body, words = kept[n_told:], kept[n_told][1].split()
        names = kept[n_told - 1][1].lstrip().lstrip("#").split() if n_told else []
        is_told = len(names) == len(words) and not all(map(_is_number, names))
        if not is_told or _is_header([line.split() for _, line in body[:PEEKED]]):
            names, body = words, body[1:]
        if all(map(_is_number, names)):
            raise CatalogueError(
                f"{path}: the first line without # has only numbers where the names of the columns should be "
                f"({cut(' '.join(words[:4]))}...); write a line with names above it"
            )
        refuse_duplicates(names, str(path))
        _refuse_odd_rows(path, names, body)
        return _by_astropy([" ".join(names), *(line for _, line in body)], self.reader)


@remembered
def _overview(path: Path, form: AstropyText) -> tuple[int, list[ColumnInfo]]:
    """The number of rows, and the columns."""
    table = form.read(Place(path), None)
    return len(table), info_of(table)


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first line has no numbers, but others have: a comment above it has as many words by chance."""
    first, *others = (any(map(_is_number, row)) for row in rows)
    return not first and any(others)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _refuse_odd_rows(path: Path, names: list[str], body: list[tuple[int, str]]) -> None:
    """CatalogueError for a line of units or dashes below the names; of each line its number is known."""
    above = body[0][0] - 1 if body else 0
    header = Header(tuple(names), " ", above, n_bytes=0, is_all=False)
    rows = [line.split() for _, line in body[:PEEKED] if not _is_comment(line)]
    refuse_odd_rows(path, header, rows)


def is_dashes(line: str) -> bool:
    """Whether a line only rules off what is above it."""
    return bool(re.fullmatch(r"-+(\t-*)*", line.strip()))


def _lines(path: Path) -> list[str]:
    found = []
    for number, line in enumerate(lines_of(path), 1):
        try:
            found.append(line.decode("utf-8-sig").rstrip("\r\n"))
        except UnicodeDecodeError as error:
            raise CatalogueError(
                f"{path}, line {number}: byte {error.start} is 0x{line[error.start]:02x}, which is not UTF-8 text; "
                "save the file as UTF-8 (iconv -f latin1 -t utf8)"
            ) from None
    return found


def _by_astropy(lines: list[str], reader: str) -> Table:
    from astropy.io import ascii as reading

    return reading.read(lines, format=reader, guess=False)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _flat(meta: Any) -> dict[str, Any]:
    """Keywords as they are elsewhere; comments as text."""
    keywords = {key: word["value"] for key, word in meta.get("keywords", {}).items()}
    comments = " ".join(map(str, meta.get("comments", [])))
    return keywords | ({"comments": cut(comments, 1000)} if comments.strip() else {})


def _tell(column: Any, words: Sequence[str]) -> None:
    """What VizieR says of a column: its format, what it is, and its UCD."""
    text = " ".join(words)
    if ucd := re.search(r"\[ucd=([^\]]*)\]", text):
        column.meta["ucd"] = ucd[1]
    said = re.sub(r"^\s*\([^)]*\)|\[ucd=[^\]]*\]", "", text)
    column.description = " ".join(said.split()) or None
