"""Arrow tables to astropy's and back. Nulls are masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.columns.names import cut, refuse_duplicates
from peculiar.catalogue.formats.masks import column_of, decoded
from peculiar.catalogue.light import LightTable, light_column
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


_NUMPY_NAMES = {"halffloat": "float16", "float": "float32", "double": "float64"}
"""What Arrow calls otherwise. (Its own translation, ``to_pandas_dtype``, may load pandas for it.)"""


def from_arrow(table: Any) -> Table:
    """An astropy table of an Arrow table.

    Dates and times become ISO text, durations seconds, dictionaries what they stand for.

    Parameters
    ----------
    table : pyarrow.Table

    Returns
    -------
    astropy.table.Table
    """
    from astropy.table import Table

    refuse_duplicates(table.column_names, "the Arrow table")
    return Table({name: column_from(table[name]) for name in table.column_names}, copy=False)


def light_from_arrow(table: Any) -> LightTable:
    """The same without astropy, to be looked at. Empty text is missing."""
    refuse_duplicates(table.column_names, "the Arrow table")
    return LightTable({name: light_column(*_cells(table[name])) for name in table.column_names})


def largest_size(column: Any) -> float:
    """The largest absolute value of a column of floats that is one; 0 if there is none."""
    values = np.abs(_cells(column)[0])
    return float(np.max(values, initial=0.0, where=~np.isnan(values)))


def to_arrow(table: Table) -> Any:
    """An Arrow table of an astropy table; units and metadata are the caller's business."""
    import pyarrow as pa

    return pa.table({name: _array(table[name], name) for name in table.colnames})


def numpy_name(kind: Any) -> str:
    """NumPy's word for an Arrow type.

    Examples
    --------
    >>> import pyarrow as pa
    >>> numpy_name(pa.float64()), numpy_name(pa.large_string()), numpy_name(pa.null())
    ('float64', 'str', 'float64')
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return numpy_name(kind.value_type)
    if pa.types.is_null(kind) or pa.types.is_decimal(kind) or pa.types.is_duration(kind):
        return "float64"  # no value at all: missing numbers
    if _is_text(kind) or pa.types.is_temporal(kind):
        return "str"
    if pa.types.is_primitive(kind):
        return _NUMPY_NAMES.get(str(kind), str(kind))
    return "object"


def shape_of(kind: Any) -> tuple[int, ...]:
    """How many values a row of an Arrow column has, if all have equally many; empty for one."""
    import pyarrow as pa

    if not pa.types.is_fixed_size_list(kind):
        return ()
    return (kind.list_size, *shape_of(kind.value_type))


def item_of(kind: Any) -> Any:
    """The type of the values in a list of fixed length; any other type as it is."""
    import pyarrow as pa

    return item_of(kind.value_type) if pa.types.is_fixed_size_list(kind) else kind


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    views = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or views(kind))


def column_from(chunks: Any) -> Any:
    """An astropy column of an Arrow array; what is null is masked.

    Parameters
    ----------
    chunks : pyarrow.Array or pyarrow.ChunkedArray

    Returns
    -------
    astropy.table.Column
    """
    import pyarrow as pa

    array = _as_one(chunks)
    if pa.types.is_fixed_size_list(array.type) and not array.null_count:
        return _several_in_a_row(array)
    unit = "s" if pa.types.is_duration(array.type) else None
    return column_of(*_cells(array), unit=unit)


def _as_one(chunks: Any) -> Any:
    """One array of values, whatever the pieces and the dictionary it is kept in."""
    import pyarrow as pa

    array = chunks.combine_chunks() if isinstance(chunks, pa.ChunkedArray) else chunks
    if isinstance(array, pa.ChunkedArray):  # of several chunks that do not fit into one, or of none
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return array


def _cells(chunks: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Values, and where they are missing; durations in seconds."""
    import pyarrow as pa

    array = _as_one(chunks)
    missing = _missing(array)
    word = numpy_name(array.type)
    if pa.types.is_duration(array.type):
        return _seconds(array, missing), missing
    if word == "object":
        return _nested(array, missing)
    if word == "str":
        return _text(array), missing
    if word == "bool":
        return _truths(array) & ~missing, missing
    return _numbers(array, word, missing), missing


# Arrow's to_numpy and fill_null load pandas, where that is installed, which takes longer than to read a small table;
# its casts and is_null load pyarrow.compute, which takes as long.


def _missing(array: Any) -> NDArray[np.bool_]:
    import pyarrow as pa

    known = array.buffers()[0]
    if known is None:
        return np.full(len(array), pa.types.is_null(array.type))
    return ~_bits(known, array)


def _several_in_a_row(array: Any) -> Any:
    """Lists of one length as the rows of a matrix."""
    items = column_from(array.flatten())
    shape = (len(array), array.type.list_size, *items.shape[1:])
    missing = np.asarray(items.mask).reshape(shape) if hasattr(items, "mask") else None
    return column_of(np.asarray(items).reshape(shape), missing, unit=items.unit)


def _seconds(array: Any, missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    import pyarrow as pa

    per_second = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[array.type.unit]
    return _numbers(array.cast(pa.int64()), "int64", missing) / per_second


def _text(array: Any) -> NDArray[Any]:
    import pyarrow as pa

    words = (array if _is_text(array.type) else array.cast(pa.large_string())).to_pylist()
    return np.array(["" if word is None else word for word in words], dtype=np.str_)


def _truths(array: Any) -> NDArray[np.bool_]:
    """Behind a null is anything."""
    return _bits(array.buffers()[1] or b"", array)


def _bits(buffer: Any, array: Any) -> NDArray[np.bool_]:
    """Those of the rows of an array, the first one lowest."""
    bits = np.frombuffer(buffer, dtype=np.uint8)
    start, end = array.offset, array.offset + len(array)
    return np.unpackbits(bits, count=end, bitorder="little")[start:].astype(np.bool_)


def _numbers(array: Any, word: str, missing: NDArray[np.bool_]) -> NDArray[Any]:
    """Nulls as zeros, or as NaN: what is behind a mask should not look like a measurement."""
    import pyarrow as pa

    wanted = pa.float64() if word == "float64" else array.type
    plain = array if array.type == wanted else array.cast(wanted)
    kind = np.dtype(word)
    values = np.frombuffer(plain.buffers()[1] or b"", dtype=kind)
    zero = np.nan if kind.kind == "f" else 0
    return np.where(missing, kind.type(zero), values[plain.offset :][: len(plain)])


def _nested(array: Any, missing: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Lists of equal lengths as rows of a matrix; anything else as Python objects."""
    cells = array.to_pylist()
    try:
        matrix = np.array([cell for cell in cells if cell is not None])
    except ValueError:
        matrix = np.empty(0, dtype=object)
    if matrix.ndim == 2 and matrix.dtype.kind in "fiub" and not missing.any():
        return matrix, np.zeros(matrix.shape, dtype=bool)
    objects = np.empty(len(cells), dtype=object)
    objects[:] = cells
    return objects, missing


def _array(column: Any, name: str) -> Any:
    import pyarrow as pa

    values = np.asarray(column)
    missing = np.broadcast_to(np.asarray(getattr(column, "mask", False)), values.shape)
    if values.ndim > 1:
        return _lists(values, missing, name)
    if values.dtype.kind == "S":
        values = decoded(values)
    if values.dtype.kind in "UO":
        return _objects(values.tolist(), np.array(missing), name)
    native = values.astype(values.dtype.newbyteorder("="), copy=False)  # FITS is big-endian
    return pa.array(native, mask=np.array(missing))


def _lists(values: NDArray[Any], missing: NDArray[np.bool_], name: str) -> Any:
    """Lists of one length; of lists, if there is another dimension."""
    import pyarrow as pa

    if 0 in values.shape[1:]:
        raise CatalogueError(
            f"column {name!r} has no values in a row ({values.shape}); Parquet has no place for that. Write ECSV, "
            "or leave it out"
        )
    inner = np.ma.MaskedArray(
        values.reshape(-1, *values.shape[2:]), missing.reshape(-1, *values.shape[2:])
    )
    return pa.FixedSizeListArray.from_arrays(_array(inner, name), values.shape[1])


def _objects(cells: list[Any], missing: NDArray[np.bool_], name: str) -> Any:
    """Text, lists and records; CatalogueError if the cells of a column are of several kinds."""
    import pyarrow as pa

    try:
        return pa.array(cells, mask=missing)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise CatalogueError(
            f"column {name!r} has cells of several kinds, and Parquet has room for one ({cut(str(error))}); write CSV "
            "or ECSV, or leave it out"
        ) from None
