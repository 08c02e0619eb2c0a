"""HDF5: a table as one compound data set (astropy, h5py), or as a group with a data set for each column."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.formats.base import (
    ColumnInfo,
    Place,
    TableInfo,
    dtype_name,
    even_cuts,
    info_of,
    slices_of,
)
from peculiar.catalogue.formats.hdf5_heaps import open_hdf5
from peculiar.catalogue.formats.masks import column_of, decode_text
from peculiar.catalogue.formats.meta import describe, header_of, mixins_of
from peculiar.catalogue.formats.parquet import refuse_taken_apart
from peculiar.catalogue.formats.references import refuse_in_hdf5
from peculiar.catalogue.formats.several import choose_table
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

_PATH = "table"
_META = ".__table_column_meta__"

_UNCHECKED = 100_000_000
_PACKED = 2000  # zlib packs nothing below a thousandth of its size


class Hdf5:
    """HDF5. Only the columns asked for are read."""

    name: ClassVar[str] = "hdf5"
    extensions: ClassVar[tuple[str, ...]] = (".h5", ".hdf5", ".hdf")
    may_be_zipped: ClassVar[bool] = False
    reads_whole: ClassVar[bool] = False
    has_tables: ClassVar[bool] = True
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """Compound data sets, then groups; their names are their paths in the file."""
        with open_hdf5(path) as file:
            return [_info(number, table) for number, table in enumerate(_find_tables(file, path))]

    def count_rows(self, place: Place) -> int:
        """From the shape."""
        with open_hdf5(place.path) as file:
            return _n_rows(_find_table(file, place))

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """Names and types; units if they were written by astropy, or are attributes of the data sets."""
        with open_hdf5(place.path) as file:
            found = _find_table(file, place)
            header, types = _header(file, found), _types(found)
            if _has_other_mixins(header):
                return info_of(_read_by_astropy(found))
            return [
                ColumnInfo(
                    name,
                    _word(dtype),
                    shape=_shape(found, name, dtype),
                    **_about(header, found, name),
                )
                for name, dtype in types.items()
                if not _is_mask(name, types)
            ]

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Columns of a compound data set, or data sets of a group."""
        from astropy.table import Table

        with open_hdf5(place.path) as file:
            found = _find_table(file, place)
            header, types = _header(file, found), _types(found)
            if _has_other_mixins(header):
                whole = _read_by_astropy(found)
                return whole if columns is None else whole[list(columns)]
            names = [name for name in types if not _is_mask(name, types)]
            chosen = names if columns is None else list(columns)
            made = {name: _read_column(found, name, types, header) for name in chosen}
        return Table(made, meta=_meta_of(header), copy=False)

    def cut(self, place: Place, n_rows: int) -> list[range]:
        """Anywhere."""
        return even_cuts(self.count_rows(place), n_rows)

    def parts(
        self, place: Place, columns: Sequence[str], n_rows: int, rows: range | None = None
    ) -> Iterator[Table]:
        """Slices of the data sets."""
        from astropy.table import Table

        with open_hdf5(place.path) as file:
            found = _find_table(file, place)
            header, types = _header(file, found), _types(found)
            if _has_other_mixins(header):
                refuse_taken_apart(place, columns, mixins_of(header))
            for some in slices_of(range(_n_rows(found)) if rows is None else rows, n_rows):
                made = {name: _read_column(found, name, types, header, some) for name in columns}
                yield Table(made, meta=_meta_of(header), copy=False)

    def write(self, table: Table, path: Path) -> None:
        """As astropy does: masks in columns of their own, units and metadata beside the table."""
        import h5py

        # HDF5 ends the process if the disk is full, so that it writes to memory.
        content = io.BytesIO()
        with h5py.File(content, "w") as file:
            table.write(file, format="hdf5", path=_PATH, serialize_meta=True)
        path.write_bytes(content.getbuffer())


def _read_by_astropy(found: Any) -> Table:
    """Times and positions are put together by who took them apart."""
    from astropy.table import Table

    table = Table.read(found.parent, path=found.name.rpartition("/")[2], format="hdf5")
    return decode_text(table)


def _find_table(file: Any, place: Place) -> Any:
    """The table that is meant; without a choice, the first compound data set, else the first group of columns."""
    tables = _find_tables(file, place.path)
    chosen = choose_table(place, [_info(number, table) for number, table in enumerate(tables)])
    found = tables[chosen.number]
    _refuse_claims(found, place.path)
    return found


def _find_tables(file: Any, path: Path) -> list[Any]:
    """Compound data sets, then groups with columns of the same length."""
    import h5py

    refuse_in_hdf5(file, path)
    compounds: list[Any] = []
    groups: list[Any] = [file] if _columns_of_group(file) else []

    def visit(_: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.names and item.ndim == 1:
            compounds.append(item)
        if isinstance(item, h5py.Group) and _columns_of_group(item):
            groups.append(item)

    file.visititems(visit)
    if not compounds and not groups:
        raise CatalogueError(
            f"{path} is HDF5, but has no table in it: neither a compound data set nor a group with a data set for "
            "each column"
        )
    return [*compounds, *groups]


def _info(number: int, table: Any) -> TableInfo:
    return TableInfo(number, table.name, _n_rows(table), len(_types(table)))


def _n_rows(table: Any) -> int:
    if hasattr(table, "dtype"):
        return int(table.shape[0])
    return int(next(iter(_columns_of_group(table).values())).shape[0])


def _refuse_claims(table: Any, path: Path) -> None:
    """CatalogueError for rows that cannot be in the file: their memory would be asked for, and filled with nothing."""
    items = [table] if hasattr(table, "dtype") else _columns_of_group(table).values()
    for item in items:
        stored = int(item.id.get_storage_size())
        if item.nbytes > max(_UNCHECKED, _PACKED * stored):
            raise CatalogueError(
                f"{path}: {cut(item.name)!r} claims {item.shape[0]:,} rows ({item.nbytes:.2g} bytes), but only "
                f"{stored:,} bytes of it are stored; the file is damaged, or was never filled. If it is right, make a "
                "new one of the rows there are (h5repack)"
            )


def _shape(found: Any, name: str, dtype: Any) -> tuple[int, ...]:
    """Of the values in one row."""
    return tuple(dtype.shape) if hasattr(found, "dtype") else tuple(found[name].shape[1:])


def _columns_of_group(group: Any) -> dict[str, Any]:
    import h5py

    columns = {
        name: item
        for name, item in group.items()
        if isinstance(item, h5py.Dataset)
        and item.ndim >= 1
        and not item.dtype.names
        and not name.endswith(_META)
    }
    lengths = {item.shape[0] for item in columns.values()}
    return columns if len(lengths) == 1 else {}


def _types(found: Any) -> dict[str, Any]:
    if names := getattr(getattr(found, "dtype", None), "names", None):
        return {name: found.dtype[name] for name in names}
    return {name: item.dtype for name, item in _columns_of_group(found).items()}


def _word(dtype: Any) -> str:
    import h5py

    return "str" if h5py.check_string_dtype(dtype) is not None else dtype_name(dtype.base)


def _is_mask(name: str, names: Mapping[str, Any]) -> bool:
    return name.endswith(".mask") and name.removesuffix(".mask") in names


def _header(file: Any, found: Any) -> dict[str, Any]:
    lines = file.get(f"{found.name}{_META}")
    return header_of(None if lines is None else b"\n".join(lines[:]))


def _meta_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the table as a whole."""
    return {k: v for k, v in header["meta"].items() if k != "__serialized_columns__"}


def _has_other_mixins(header: Mapping[str, Any]) -> bool:
    """Whether astropy took apart more than masks: times, positions; it then has to put them together."""
    return any(
        "__class__" in parts and not parts["__class__"].endswith(("Column", "Quantity"))
        for parts in mixins_of(header).values()
    )


def _about(header: Mapping[str, Any], found: Any, name: str) -> dict[str, str]:
    about = describe(header, name)
    if hasattr(found, "dtype"):
        return about
    attributes = found[name].attrs
    unit = attributes.get("unit", attributes.get("units"))
    return about if unit is None else {**about, "unit": str(_decoded(unit))}


def _read_column(
    found: Any,
    name: str,
    types: Mapping[str, Any],
    header: Mapping[str, Any],
    rows: slice = slice(None),
) -> Any:
    def fetch(key: str) -> Any:
        return found.fields(key)[rows] if hasattr(found, "dtype") else found[key][rows]

    about: dict[str, Any] = dict(_about(header, found, name))
    values = fetch(name)
    if _word(types[name]) == "str":
        values = np.array([_decoded(cell) for cell in values.ravel()], dtype=np.str_).reshape(
            values.shape
        )
    missing = fetch(f"{name}.mask") if f"{name}.mask" in types else None
    ucd = about.pop("ucd", None)
    return column_of(values, missing, **about, meta={"ucd": ucd} if ucd else None)


def _decoded(cell: Any) -> Any:
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else cell
