"""VOTables."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from peculiar.catalogue.columns.names import refuse_duplicates
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo, info_of
from peculiar.catalogue.formats.masks import mask_empty_text
from peculiar.catalogue.formats.readable_units import with_readable_units
from peculiar.catalogue.formats.references import refuse_in_votable
from peculiar.catalogue.formats.remembered import remembered
from peculiar.catalogue.formats.several import choose_table
from peculiar.catalogue.formats.text import open_bytes
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


class VOTable:
    """VOTable, the XML of the Virtual Observatory. It is read whole, then cut."""

    name: ClassVar[str] = "votable"
    extensions: ClassVar[tuple[str, ...]] = (".vot", ".votable", ".xml")
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = True
    has_tables: ClassVar[bool] = True
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """In the order of the file; empty ones (a reference, a header) are left out."""
        return [about for about, _, _ in _overview(path)]

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """Its fields; the rows are read, too, as nothing else can tell where the header ends."""
        return _chosen(place)[1]

    def count_rows(self, place: Place) -> int:
        """It is read for that: what a VOTable says of its length is optional."""
        return _chosen(place)[0].n_rows

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """The names of its fields win over their identifiers."""
        return _parse(place)

    def write(self, table: Table, path: Path) -> None:
        """Rows as BINARY2, the one encoding with a mask for every type; metadata as INFO."""
        from astropy.io.votable import from_table

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            document = from_table(_with_empty_text(with_readable_units(table, "vounit")))
            document.get_first_table().infos.extend(_infos(table))
            document.to_xml(str(path), tabledata_format="binary2")


def _tables(path: Path) -> list[Any]:
    from astropy.io.votable import parse

    with open_bytes(path) as file:
        refuse_in_votable(file.read, path)
    with warnings.catch_warnings(), open_bytes(path) as file:
        # Half of the published files break some rule of the standard. Of a path, astropy would open more than the file.
        warnings.simplefilter("ignore")
        document = parse(file.read, verify="ignore", filename=str(path))
    tables = [table for table in document.iter_tables() if not table.is_empty()]
    if not tables:
        raise CatalogueError(f"{path} is a VOTable, but has no table with rows in it")
    return tables


@remembered
def _overview(path: Path) -> list[tuple[TableInfo, list[str], list[ColumnInfo]]]:
    """All tables of a file, with the names of their columns, and the columns if each has a name of its own."""
    found = []
    for number, table in enumerate(_tables(path)):
        names = _names(table)
        columns = info_of(_as_table(table)) if len(set(names)) == len(names) else []
        found.append((_about(number, table), names, columns))
    return found


def _chosen(place: Place) -> tuple[TableInfo, list[ColumnInfo]]:
    tables = _overview(place.path)
    about, names, columns = tables[choose_table(place, [each[0] for each in tables]).number]
    refuse_duplicates(names, str(place))
    return about, columns


def _names(table: Any) -> list[str]:
    return [field.name or field.ID for field in table.fields]


def _about(number: int, table: Any) -> TableInfo:
    return TableInfo(number, table.name or table.ID or "", len(table.array), len(table.fields))


def _parse(place: Place) -> Table:
    tables = _tables(place.path)
    chosen = choose_table(place, [_about(number, table) for number, table in enumerate(tables)])
    found = tables[chosen.number]
    refuse_duplicates(_names(found), str(place))
    return _as_table(found)


def _as_table(found: Any) -> Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = found.to_table(use_names_over_ids=True)
    for info in found.infos:
        table.meta.setdefault(str(info.name), str(info.value))
    return mask_empty_text(table)


def _infos(table: Table) -> list[Any]:
    """The metadata of a table, as far as they are text, numbers or truths."""
    from astropy.io.votable.tree import Info

    plain = (str, int, float)  # a truth is an int
    return [
        Info(name=str(key), value=str(value))
        for key, value in table.meta.items()
        if isinstance(value, plain) and str(key).strip()
    ]


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
