"""Parquet, through Arrow: only the columns asked for are read."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from peculiar.catalogue.columns.names import QUOTED, cut, listed
from peculiar.catalogue.formats.arrow import from_arrow, item_of, numpy_name, shape_of, to_arrow
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo
from peculiar.catalogue.formats.meta import describe, header_of, mixins_of, yaml_of
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

META_KEY = b"table_meta_yaml"
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
        header, names = header_of((schema.metadata or {}).get(META_KEY)), frozenset(schema.names)
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
        header = header_of((schema.metadata or {}).get(META_KEY))
        if mixins_of(header):
            return _read_by_astropy(path, columns)
        wanted = None if columns is None else list(columns)
        try:
            found = parquet.read_table(path, columns=wanted)
        except (OSError, ValueError):
            _refuse_damaged(path, wanted)
            raise
        return _dress(from_arrow(found), header)

    def cut(self, place: Place, n_rows: int) -> list[range]:
        """Whole row groups; small ones are put together."""
        from pyarrow import parquet

        ranges: list[range] = []
        for group in _row_groups(parquet.read_metadata(place.path)):
            if ranges and group.stop - ranges[-1].start <= n_rows:
                ranges[-1] = range(ranges[-1].start, group.stop)
            elif group:
                ranges.append(group)
        return ranges

    def parts(
        self, place: Place, columns: Sequence[str], n_rows: int, rows: range | None = None
    ) -> Iterator[Table]:
        """Row groups are taken apart, or put together, as their sizes ask for it."""
        import pyarrow as pa
        from pyarrow import parquet

        with parquet.ParquetFile(place.path, pre_buffer=False) as file:
            header = header_of((file.schema_arrow.metadata or {}).get(META_KEY))
            refuse_taken_apart(place, columns, mixins_of(header))
            waiting: list[Any] = []
            for batch in _batches(file, place.path, columns, n_rows, rows):
                waiting.append(batch)
                if sum(len(each) for each in waiting) >= n_rows:
                    yield _dress(from_arrow(pa.Table.from_batches(waiting)), header)
                    waiting = []
            if waiting:
                yield _dress(from_arrow(pa.Table.from_batches(waiting)), header)

    def write(self, table: Table, path: Path) -> None:
        """Masks as nulls."""
        from pyarrow import parquet

        plain = to_arrow(table)
        metadata = {META_KEY: yaml_of(table).encode()}
        parquet.write_table(plain.replace_schema_metadata(metadata), path)


def _row_groups(footer: Any) -> list[range]:
    """The rows of each row group."""
    sizes = [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]
    ends = list(itertools.accumulate(sizes, initial=0))
    return [range(*ends_of_one) for ends_of_one in itertools.pairwise(ends)]


def _batches(
    file: Any, path: Path, columns: Sequence[str], n_rows: int, rows: range | None
) -> Iterator[Any]:
    """At most so many rows of one row group at a time. One that cannot be read is named."""
    for number, group in enumerate(_row_groups(file.metadata)):
        if rows is not None and group.start not in rows:
            continue
        with _naming(path, number, group):
            yield from file.iter_batches(n_rows, row_groups=[number], columns=list(columns))


def _refuse_damaged(path: Path, columns: Sequence[str] | None) -> None:
    """CatalogueError for the first row group that cannot be read, if it is one: to read all at once does not say it."""
    from pyarrow import parquet

    with parquet.ParquetFile(path, pre_buffer=False) as file:
        for number, group in enumerate(_row_groups(file.metadata)):
            with _naming(path, number, group):
                file.read_row_group(number, columns=columns)


@contextlib.contextmanager
def _naming(path: Path, number: int, group: range) -> Iterator[None]:
    """Name a row group that cannot be read."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise CatalogueError(
            f"{path}: row group {number} (rows {group.start:,} to {group.stop - 1:,}) cannot be read; the file may "
            f"be damaged or cut off. {cut(str(error), QUOTED)}"
        ) from error


def refuse_taken_apart(place: Place, columns: Sequence[str], mixins: Collection[str]) -> None:
    """CatalogueError for columns that astropy took apart when it wrote them, which it can only put together whole."""
    apart = [name for name in columns if name in mixins]
    if apart:
        raise CatalogueError(
            f"{place}: astropy has written {listed(apart, 4)} in pieces (times, positions, masked values), which are "
            "put together in memory only; write the columns that are needed as plain ones: "
            "peculiar.catalogue.write(peculiar.read(..., columns=[...]), 'new.parquet')"
        )


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
