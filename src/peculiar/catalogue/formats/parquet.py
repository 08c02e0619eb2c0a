"""Parquet, through Arrow: only the columns asked for are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from peculiar.catalogue.formats.arrow import from_arrow, item_of, numpy_name, shape_of, to_arrow
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo
from peculiar.catalogue.formats.meta import describe, header_of, mixins_of, yaml_of

if TYPE_CHECKING:
    from astropy.table import Table

_KEY = b"table_meta_yaml"
"""Where astropy keeps units and metadata in Parquet; ours are there, too, so that each reads the other's."""


class Parquet:
    """Apache Parquet."""

    name: ClassVar[str] = "parquet"
    extensions: ClassVar[tuple[str, ...]] = (".parquet", ".parq", ".pq")
    may_be_zipped: ClassVar[bool] = False
    reads_whole: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """One in each file, without a name."""
        return []

    def count_rows(self, place: Place) -> int:
        """From the footer."""
        from pyarrow import parquet

        return int(parquet.read_metadata(place.path).num_rows)

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """From the footer."""
        from pyarrow import parquet

        schema = parquet.read_schema(place.path)
        header, names = header_of((schema.metadata or {}).get(_KEY)), frozenset(schema.names)
        return [
            ColumnInfo(
                field.name,
                numpy_name(item_of(field.type)),
                shape=shape_of(field.type),
                **describe(header, field.name),
            )
            for field in schema
            if not _is_mask(field.name, names)
        ]

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Nulls as masks; units and metadata if they were written by astropy or by us."""
        from pyarrow import parquet

        path = place.path
        schema = parquet.read_schema(path)
        header = header_of((schema.metadata or {}).get(_KEY))
        if mixins_of(header):
            return _read_by_astropy(path, columns)
        found = parquet.read_table(path, columns=None if columns is None else list(columns))
        return _dress(from_arrow(found), header)

    def write(self, table: Table, path: Path) -> None:
        """Masks as nulls."""
        from pyarrow import parquet

        plain = to_arrow(table)
        metadata = {_KEY: yaml_of(table).encode()}
        parquet.write_table(plain.replace_schema_metadata(metadata), path)


def _is_mask(name: str, names: Collection[str]) -> bool:
    """Whether a column is where astropy keeps the mask of another."""
    return name.endswith(".mask") and name.removesuffix(".mask") in names


def _read_by_astropy(path: Path, columns: Sequence[str] | None) -> Table:
    """Columns that astropy took apart (masks, times, positions) are put together by astropy."""
    from astropy.table import Table

    return Table.read(
        path, format="parquet", include_names=None if columns is None else list(columns)
    )


def _dress(table: Table, header: Mapping[str, Any]) -> Table:
    for name in table.colnames:
        about = describe(header, name)
        table[name].unit = about.get("unit") or None
        table[name].description = about.get("description") or None
        if "ucd" in about:
            table[name].meta["ucd"] = about["ucd"]
    table.meta.update(header.get("meta", {}))
    return table
