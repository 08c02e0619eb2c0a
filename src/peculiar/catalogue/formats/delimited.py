"""CSV, through Arrow: only the columns asked for are converted."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from peculiar.catalogue.columns.names import cut, refuse_duplicates
from peculiar.catalogue.formats.arrow import (
    from_arrow,
    largest_size,
    light_from_arrow,
    numpy_name,
)
from peculiar.catalogue.formats.base import ColumnInfo, Place, TableInfo
from peculiar.catalogue.formats.masks import mask_empty_text
from peculiar.catalogue.formats.odd_lines import refuse_odd_lines
from peculiar.catalogue.formats.text import (
    Header,
    open_bytes,
    read_header,
    refuse_long_lines,
)
from peculiar.catalogue.light import LightTable
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

NULLS = ("--",)
"""Words for a missing number, besides Arrow's own (empty, NA, N/A, NaN, null ...): what astropy prints."""

_BLOCK = 1 << 20
_MANY = 10_000
_EXACT = 2.0**53  # from here on a float64 is not every integer


class Csv:
    """Comma separated values, with a header line. Units and metadata are lost."""

    name: ClassVar[str] = "csv"
    extensions: ClassVar[tuple[str, ...]] = (".csv", ".tsv")
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """One in each file, without a name."""
        return []

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """Types as the first megabyte looks; unless there are very many columns, as that takes minutes."""
        path = place.path
        header = _header(path)
        if header.is_all or len(header.names) > _MANY:
            return [_described(name, "", header) for name in header.names]
        schema = _schema(path, header)
        return [_described(field.name, numpy_name(field.type), header) for field in schema]

    def count_rows(self, place: Place) -> int:
        """Block by block, so that nothing has to fit into memory."""
        header = _header(place.path)
        return 0 if header.is_all else _count(place.path, header)

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Text stays text: names such as 000123, dates, and integers that float64 would round."""
        header = _header(place.path)
        return _dress(mask_empty_text(from_arrow(_arrow(place.path, header, columns))), header)

    def look(self, place: Place, columns: Sequence[str] | None) -> Table | LightTable:
        """The same to be looked at; without astropy, unless comment lines tell units."""
        header = _header(place.path)
        if header.units:
            return self.read(place, columns)
        return light_from_arrow(_arrow(place.path, header, columns))

    def write(self, table: Table, path: Path) -> None:
        """Floats with every digit; missing values empty."""
        _refuse_deep(table)
        columns = [_cells(table[name]) for name in table.colnames]
        with path.open("w", encoding="utf-8", newline="") as file:
            mark = "\t" if path.suffix == ".tsv" else ","
            writer = csv.writer(file, delimiter=mark, lineterminator="\n")
            writer.writerow(table.colnames)
            writer.writerows(zip(*columns, strict=True))


def _arrow(path: Path, header: Header, columns: Sequence[str] | None) -> Any:
    names = header.names if columns is None else tuple(columns)
    table = _convert(path, header, names, {})
    table = _restore_text(table, path, header)
    _refuse_bytes(table, path, header)
    return table


def _described(name: str, dtype: str, header: Header) -> ColumnInfo:
    unit, said = header.units.get(name, ""), header.descriptions.get(name, "")
    return ColumnInfo(name, dtype, unit, description=said)


def _dress(table: Table, header: Header) -> Table:
    """With units and descriptions, if comment lines tell them."""
    for name in table.colnames:
        table[name].unit = header.units.get(name)
        table[name].description = header.descriptions.get(name)
    return table


def _header(path: Path) -> Header:
    header = read_header(path)
    refuse_duplicates(header.names, str(path))
    refuse_odd_lines(path, header)
    return header


def _options(header: Header, **read: Any) -> dict[str, Any]:
    from pyarrow import csv as arrow

    return {
        "read_options": arrow.ReadOptions(
            column_names=header.names,
            skip_rows=header.n_lines,
            # A row has to fit into a block, and is seldom longer than a few times the names.
            block_size=max(_BLOCK, 4 * header.n_bytes),
            **read,
        ),
        "parse_options": arrow.ParseOptions(
            delimiter=header.delimiter, newlines_in_values=not read.get("use_threads", True)
        ),
    }


def _conversion(names: Sequence[str], types: dict[str, Any]) -> Any:
    from pyarrow import csv as arrow

    nulls = [*arrow.ConvertOptions().null_values, *NULLS]
    return arrow.ConvertOptions(
        include_columns=list(names),
        column_types=types,
        null_values=nulls,
        strings_can_be_null=False,
    )


def _schema(path: Path, header: Header) -> Any:
    """Types as the first block looks. Only the slower way knows the number of a row that is not like the others."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    conversion = _conversion(header.names, {})
    for options in (_options(header), _options(header, use_threads=False)):
        # Arrow reads ahead in a thread of its own, also after this; a process that ends while such a thread is within
        # a file of Python is aborted. The second block is for the row that the first one cuts.
        with open_bytes(path) as file:
            start = pa.BufferReader(file.read(2 * options["read_options"].block_size))
        try:
            return arrow.open_csv(start, **options, convert_options=conversion).schema
        except pa.ArrowInvalid:
            refuse_long_lines(path)
            if not options["read_options"].use_threads:
                raise
    return None


def _count(path: Path, header: Header) -> int:
    import pyarrow as pa
    from pyarrow import csv as arrow

    first = header.names[0]
    options = _options(header, use_threads=False)  # knows lines that go on within quotes
    conversion = _conversion([first], {first: pa.binary()})
    with open_bytes(path) as file:
        return sum(
            batch.num_rows for batch in arrow.open_csv(file, **options, convert_options=conversion)
        )


def _convert(path: Path, header: Header, names: Sequence[str], types: dict[str, Any]) -> Any:
    import pyarrow as pa
    from pyarrow import csv as arrow

    if header.is_all:
        return pa.table({name: pa.array([], pa.float64()) for name in names})
    conversion = _conversion(names, types)
    try:
        with open_bytes(path) as file:
            return arrow.read_csv(file, **_options(header), convert_options=conversion)
    except pa.ArrowInvalid:
        refuse_long_lines(path)
        # Slower, but it knows the number of a row that is not like the others, and lines that go on within quotes.
        with open_bytes(path) as file:
            options = _options(header, use_threads=False)
            return arrow.read_csv(file, **options, convert_options=conversion)


def _restore_text(table: Any, path: Path, header: Header) -> Any:
    """Columns that lost something by becoming numbers or dates, as they stand in the file."""
    import pyarrow as pa

    doubtful = [field.name for field in table.schema if _is_doubtful(table[field.name])]
    if not doubtful:
        return table
    text = _convert(path, header, doubtful, dict.fromkeys(doubtful, pa.string()))
    for name in doubtful:
        if (better := _better(table[name], text[name])) is not None:
            table = table.set_column(table.schema.get_field_index(name), name, better)
    return table


def _is_doubtful(column: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return _EXACT <= largest_size(column) <= 2.0**64
    return bool(pa.types.is_temporal(column.type) or pa.types.is_integer(column.type))


def _better(column: Any, text: Any) -> Any:
    """The text, if the numbers are not all of it; else None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_temporal(column.type):
        return text
    if pa.types.is_integer(column.type):
        return text if _any_match(text, r"^\s*[+-]?0[\dxX]") else None  # 000123 and 0x1F are names
    known = pc.if_else(pc.is_null(column), None, text)
    are_digits = pc.all(pc.match_substring_regex(known, r"^\s*\d+\s*$")).as_py()
    if not are_digits or _any_match(known, r"^\s*0\d"):
        return None
    return pc.cast(pc.utf8_trim_whitespace(known), pa.uint64())


def _any_match(text: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(text, pattern)).as_py())


def _refuse_bytes(table: Any, path: Path, header: Header) -> None:
    """Arrow reads text that is not UTF-8 as bytes."""
    import pyarrow as pa

    for field in table.schema:
        if not pa.types.is_binary(field.type):
            continue
        for row, cell in enumerate(table[field.name].to_pylist()):
            _refuse_cell(
                cell, f"{path}, row {row} (line {row + header.n_lines + 1}), column {field.name!r}"
            )


def _refuse_cell(cell: bytes | None, place: str) -> None:
    try:
        (cell or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        assert cell is not None
        guess = cut(cell.decode("latin-1"))
        raise CatalogueError(
            f"{place}: byte 0x{cell[error.start]:02x} is not UTF-8 text ({guess!r} if it is Latin-1); save the file "
            "as UTF-8 (iconv -f latin1 -t utf8), or do without this column"
        ) from None


def _refuse_deep(table: Table) -> None:
    for name in table.colnames:
        if getattr(table[name], "ndim", 1) != 1:
            raise CatalogueError(
                f"column {name!r} has {table[name].shape[1:]} values in a row, and CSV has room for one; write FITS, "
                "ECSV, HDF5 or Parquet"
            )


def _cells(column: Any) -> list[Any]:
    """Python values; floats print with as few digits as bring them back."""
    missing = np.broadcast_to(np.asarray(getattr(column, "mask", False)), len(column))
    cells = np.asarray(column).tolist()
    if getattr(column, "dtype", None) == np.float32:
        cells = [str(cell) for cell in np.asarray(column)]
    return ["" if gone else cell for cell, gone in zip(cells, missing.tolist(), strict=True)]
