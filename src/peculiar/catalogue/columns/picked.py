"""Some columns, and some rows, of a table, such that their memory is free as soon as nobody needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from peculiar.arrays import Ints
from peculiar.catalogue.light import LightTable

if TYPE_CHECKING:
    from astropy.table import Table


def pick(table: Table, names: Iterable[str], rows: Ints | None = None) -> Table:
    """Some columns of a table, each once; not copied unless some rows are asked for.

    ``table[names]`` makes a table that refers to itself (its groups know their table), and so stays in memory until the
    garbage collector comes by: parts of a large file would pile up.

    Parameters
    ----------
    table : astropy.table.Table
    names : iterable of str
    rows : ndarray of int, optional

    Returns
    -------
    astropy.table.Table
    """
    if isinstance(table, LightTable):
        return table[list(dict.fromkeys(names))]
    from astropy.table import Table

    columns = {name: table[name] for name in dict.fromkeys(names)}
    if rows is not None:
        columns = {name: column[rows] for name, column in columns.items()}
    return Table(columns, copy=False)
