"""VOTables: the first table of a file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from peculiar.catalogue.columns.names import refuse_duplicates
from peculiar.catalogue.formats.base import ColumnInfo, info_of
from peculiar.catalogue.formats.masks import mask_empty_text
from peculiar.catalogue.formats.references import refuse_in_votable
from peculiar.catalogue.formats.text import open_bytes

if TYPE_CHECKING:
    from astropy.table import Table


class VOTable:
    """VOTable, the XML of the Virtual Observatory. It is read whole, then cut."""

    name: ClassVar[str] = "votable"
    extensions: ClassVar[tuple[str, ...]] = (".vot", ".votable", ".xml")
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = True

    def list_columns(self, path: Path) -> list[ColumnInfo]:
        """Its fields; the rows are read, too, as nothing else can tell where the header ends."""
        return info_of(_parse(path))

    def read(self, path: Path, columns: Sequence[str] | None) -> Table:
        """The first table; the names of its fields win over their identifiers."""
        return _parse(path)

    def write(self, table: Table, path: Path) -> None:
        """Rows as BINARY2, the one encoding with a mask for every type."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _with_empty_text(table).write(
                path, format="votable", tabledata_format="binary2", overwrite=True
            )


def _parse(path: Path) -> Table:
    from astropy.io.votable import parse_single_table

    with open_bytes(path) as file:
        refuse_in_votable(file.read, path)
    with warnings.catch_warnings():
        # Half of the published files break some rule of the standard.
        warnings.simplefilter("ignore")
        with open_bytes(path) as file:  # of a path, astropy would open more than this file
            found = parse_single_table(file.read, verify="ignore", filename=str(path))
        refuse_duplicates([field.name or field.ID for field in found.fields], str(path))
        table = found.to_table(use_names_over_ids=True)
    return mask_empty_text(table)


def _with_empty_text(table: Table) -> Table:
    """Nothing behind the masks of text: BINARY2 has a mask for it, but astropy writes what is behind."""
    from astropy.table import Table

    changed = Table(table, copy=False)
    for name in table.colnames:
        if getattr(getattr(table[name], "dtype", None), "kind", "") == "U" and hasattr(
            table[name], "filled"
        ):
            changed[name] = table[name].filled("")
    return changed
