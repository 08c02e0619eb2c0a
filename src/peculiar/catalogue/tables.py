"""Any table as an astropy table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.catalogue.columns.names import QUOTED, cut, refuse_duplicates
from peculiar.catalogue.formats.arrow import from_arrow, light_from_arrow
from peculiar.catalogue.formats.installed import require
from peculiar.catalogue.light import LightTable
from peculiar.catalogue.reading import read
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


def as_table(table: Any) -> Table:
    """Turn any table into an astropy table.

    Parameters
    ----------
    table : table
        A table of astropy (``Table``, ``QTable``), pandas, polars or Arrow; a dict of columns; a structured array; or
        the path of a file.

    Returns
    -------
    astropy.table.Table
        The table itself, not a copy, if it is one already. Nulls, and NaN in pandas, are masked.

    Examples
    --------
    >>> import polars
    >>> print(as_table(polars.DataFrame({"u": [1, None]})))
     u
    ---
      1
     --
    """
    require("astropy", "pyarrow")
    from astropy.table import QTable, Table

    if isinstance(table, str | os.PathLike):
        return read(table)
    if isinstance(table, QTable) or (type(table) is not Table and isinstance(table, Table)):
        return Table(table)
    if isinstance(table, Table):
        return table
    if isinstance(table, Mapping) or (isinstance(table, np.ndarray) and table.dtype.names):
        return _from_columns(table)
    converters = {"pandas": _from_pandas, "polars": _from_polars, "pyarrow": _from_arrow}
    for kind in type(table).__mro__:  # a frame of geopandas or nested_pandas is one of pandas
        module = kind.__module__.partition(".")[0]
        if module in converters and hasattr(kind, "columns"):
            return converters[module](table)
    raise CatalogueError(
        f"{type(table).__name__} is not a table we know: give one of astropy, pandas, polars or Arrow, a dict of "
        "columns, a structured array, or the path of a file"
    )


def light_table(frame: Any, columns: Sequence[str]) -> LightTable:
    """Some columns of a pandas frame, whatever it keeps them in, without its index: to be looked at only.

    Parameters
    ----------
    frame : pandas.DataFrame
    columns : sequence of str

    Returns
    -------
    LightTable
    """
    import pyarrow as pa

    return light_from_arrow(pa.table({name: _series(frame[name]) for name in columns}))


def stack(tables: Sequence[Table]) -> Table:
    """The rows of several tables with the same columns, one table after the other."""
    from astropy.table import vstack

    return vstack(list(tables), join_type="exact", metadata_conflicts="silent")


def _from_columns(table: Any) -> Table:
    from astropy.table import Table

    try:
        return Table(table)
    except (ValueError, TypeError) as error:
        raise CatalogueError(
            f"these columns cannot form a table: {cut(str(error), QUOTED)}"
        ) from None


def _from_arrow(table: Any) -> Table:
    import pyarrow as pa

    return from_arrow(
        pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
    )


def _from_polars(table: Any) -> Table:
    if not hasattr(table, "to_arrow"):
        raise CatalogueError("a LazyFrame has no rows yet; collect() it first")
    return from_arrow(table.to_arrow())


def _from_pandas(table: Any) -> Table:
    import pyarrow as pa

    named = [name for name in table.index.names if name is not None]
    if named:  # an index with a name is a column, often that of the objects' names
        refuse_duplicates([str(name) for name in [*named, *table.columns]], "the frame")
        table = table.reset_index()
    names = [str(name) for name in table.columns]
    refuse_duplicates(names, "the frame")
    columns = [table.iloc[:, j] for j in range(len(names))]
    return from_arrow(pa.table({n: _series(c) for n, c in zip(names, columns, strict=True)}))


def _series(series: Any) -> Any:
    import pyarrow as pa

    try:
        return pa.Array.from_pandas(series)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # numbers and words in one column
        missing = series.isna().to_numpy()
        return pa.array([str(cell) for cell in series], pa.string(), mask=missing)
