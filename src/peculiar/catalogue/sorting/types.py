"""One type for each column of a table that is in several part files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.sorting.part_files import PartFiles
from peculiar.errors import CatalogueError


def one_schema(files: PartFiles, places: Sequence[str], name_of: Callable[[str], str]) -> Any:
    """The schema of Arrow that the rows of all parts have room in.

    Parameters
    ----------
    files : PartFiles
    places : sequence of str
        Where the rows of each part are from, for messages.
    name_of : callable
        What the user calls a column.

    Returns
    -------
    pyarrow.Schema
        CatalogueError for a column of text in one part and of numbers in another. One without any value may be either.
    """
    import pyarrow as pa

    found = dict[str, dict[Any, list[int]]]()
    for number in range(len(places)):
        for name, kind in files.types(number).items():
            found.setdefault(name, {}).setdefault(kind, []).append(number)
    types = dict[str, Any]()
    for name, kinds in found.items():
        kind = one_type([*kinds]) or one_type(_with_values(files, name, kinds))
        if kind is None:
            raise _mixed(name_of(name), kinds, places)
        types[name] = kind
    return pa.schema(types)


def one_type(types: Sequence[Any]) -> Any:
    """The type of Arrow that has room for values of all these; None if there is none. Numbers meet as in NumPy.

    Examples
    --------
    >>> import pyarrow as pa
    >>> one_type([pa.int64(), pa.float32(), pa.null()])
    DataType(double)
    >>> one_type([pa.list_(pa.int64(), 2), pa.list_(pa.int64(), 3)])
    ListType(list<item: int64>)
    >>> one_type([pa.string(), pa.float64()])
    """
    import pyarrow as pa

    some = list(dict.fromkeys(kind for kind in types if not pa.types.is_null(kind)))
    if len(some) < 2:
        return some[0] if some else pa.null()
    if all(map(_is_number, some)):
        return pa.from_numpy_dtype(np.result_type(*(kind.to_pandas_dtype() for kind in some)))
    if not all(map(_is_list, some)):
        return None
    item, sizes = one_type([kind.value_type for kind in some]), {_size(kind) for kind in some}
    return None if item is None else pa.list_(item, sizes.pop() if len(sizes) == 1 else -1)


def cast(table: Any, schema: Any) -> Any:
    """A table of Arrow with its columns in the types of a schema; what has no values may have been of any type."""
    import pyarrow as pa

    return pa.table([_column(table[field.name], field.type) for field in schema], schema=schema)


def _column(column: Any, kind: Any) -> Any:
    import pyarrow as pa

    if column.type == kind:
        return column
    if column.null_count == len(column):
        return pa.nulls(len(column), kind)
    return column.cast(kind, safe=False)  # large integers lose digits, as they do in NumPy


def _with_values(files: PartFiles, name: str, kinds: dict[Any, list[int]]) -> list[Any]:
    """Those of the types that some part has a value of."""
    return [
        kind
        for kind, numbers in kinds.items()
        if any(files.has_values(number, name) for number in numbers)
    ]


def _mixed(name: str, kinds: dict[Any, list[int]], places: Sequence[str]) -> CatalogueError:
    said = " and ".join(f"{kind} in {places[numbers[0]]}" for kind, numbers in kinds.items())
    return CatalogueError(
        f"column {cut(name)!r} is {said}, which cannot be one column of a list; give it one type in all files, or "
        "leave it out of them"
    )


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind))


def _size(kind: Any) -> int:
    """How many values are in each list; -1 if that varies."""
    return int(getattr(kind, "list_size", -1))
