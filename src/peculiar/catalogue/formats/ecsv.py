"""ECSV: text with a header that keeps types, units, descriptions and metadata."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from peculiar.catalogue.columns.names import refuse_duplicates
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo
from peculiar.catalogue.formats.meta import load_header
from peculiar.catalogue.formats.text import lines_of, open_bytes, refuse_long_lines

if TYPE_CHECKING:
    from astropy.table import Table


class Ecsv:
    """Enhanced CSV. It is read whole, then cut."""

    name: ClassVar[str] = "ecsv"
    extensions: ClassVar[tuple[str, ...]] = (".ecsv",)
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = True
    has_tables: ClassVar[bool] = False
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """One in each file, without a name."""
        return []

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """From the comment lines at the top."""
        header = _header(place.path)
        return [
            ColumnInfo(
                name=column["name"],
                dtype=_word(column),
                unit=str(column.get("unit", "")),
                ucd=str(dict(column.get("meta", {})).get("ucd", "")),
                description=column.get("description", ""),
                shape=_shape(column.get("subtype", "")),
            )
            for column in header["datatype"]
        ]

    def count_rows(self, place: Place) -> int:
        """Lines, but for those that go on within quotes; the first has the names."""
        refuse_long_lines(place.path)
        with open_bytes(place.path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            lines = (line for line in text if line.strip() and not line.startswith("#"))
            rows = csv.reader(lines, delimiter=_delimiter(place.path))
            return max(0, sum(1 for _ in rows) - 1)

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Types as the header says: a number that is none is an error."""
        from astropy.table import Table

        refuse_duplicates([column.name for column in self.list_columns(place)], str(place.path))
        refuse_long_lines(place.path)
        return Table.read(place.path, format="ascii.ecsv")

    def write(self, table: Table, path: Path) -> None:
        """Types, units, masks, descriptions and metadata are all kept."""
        table.write(path, format="ascii.ecsv", overwrite=True)


def _header(path: Path) -> dict[str, Any]:
    lines = [line.decode("utf-8")[2:].rstrip("\r\n") for line in _comments(path)]
    return load_header("\n".join(line for line in lines if not line.startswith("%ECSV")))


def _delimiter(path: Path) -> str:
    """What the comments at the top say that it is; a blank if they say nothing."""
    told = (
        re.fullmatch(rb"# delimiter: *['\"]?(.)['\"]? *\r?\n?", line) for line in _comments(path)
    )
    return next((found[1].decode() for found in told if found), " ")


def _comments(path: Path) -> Iterator[bytes]:
    with contextlib.closing(lines_of(path)) as lines:
        yield from takewhile(lambda line: line[:1] == b"#", lines)


def _word(column: dict[str, Any]) -> str:
    """The type of the values; several of them in a row are text in the file, and their type stands beside it."""
    subtype = str(column.get("subtype", ""))
    word = subtype.partition("[")[0] if _shape(subtype) else column["datatype"]
    return str(word).replace("string", "str")


def _shape(subtype: str) -> tuple[int, ...]:
    """Of ``float64[3,2]``; a length that varies, ``float64[null]``, is no shape."""
    found = re.fullmatch(r"\w+\[([\d, ]+)\]", str(subtype))
    return tuple(int(size) for size in found[1].split(",")) if found else ()
