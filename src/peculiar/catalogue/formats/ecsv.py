"""ECSV: text with a header that keeps types, units, descriptions and metadata."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from peculiar.catalogue.columns.names import refuse_duplicates
from peculiar.catalogue.formats.base import ColumnInfo
from peculiar.catalogue.formats.text import open_text

if TYPE_CHECKING:
    from astropy.table import Table


class Ecsv:
    """Enhanced CSV. It is read whole, then cut."""

    name: ClassVar[str] = "ecsv"
    extensions: ClassVar[tuple[str, ...]] = (".ecsv",)
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = True

    def list_columns(self, path: Path) -> list[ColumnInfo]:
        """From the comment lines at the top."""
        from astropy.table.meta import get_header_from_yaml

        with open_text(path) as file:
            lines = [
                line[2:].rstrip("\n") for line in takewhile(lambda line: line[:1] == "#", file)
            ]
        header = get_header_from_yaml(line for line in lines if not line.startswith("%ECSV"))
        return [
            ColumnInfo(
                name=column["name"],
                dtype=column["datatype"].replace("string", "str"),
                unit=str(column.get("unit", "")),
                ucd=str(dict(column.get("meta", {})).get("ucd", "")),
                description=column.get("description", ""),
            )
            for column in header["datatype"]
        ]

    def read(self, path: Path, columns: Sequence[str] | None) -> Table:
        """Types as the header says: a number that is none is an error."""
        from astropy.table import Table

        refuse_duplicates([column.name for column in self.list_columns(path)], str(path))
        return Table.read(path, format="ascii.ecsv")

    def write(self, table: Table, path: Path) -> None:
        """Types, units, masks, descriptions and metadata are all kept."""
        table.write(path, format="ascii.ecsv", overwrite=True)
