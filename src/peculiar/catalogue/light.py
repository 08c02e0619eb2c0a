"""A table that is only looked at: what features need of astropy's, without half a second to import that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LightTable:
    """Columns by name, without units or metadata. It answers as an astropy table does, but nothing can be changed.

    Attributes
    ----------
    columns : dict of ndarray
        Masked arrays where something is missing.

    Examples
    --------
    >>> sky = LightTable({"name": np.array(["a", "b"]), "u": np.array([1.0, 2.0])})
    >>> sky.colnames, len(sky), sky[["u"]].colnames, sky[np.array([1])]["name"]
    (['name', 'u'], 2, ['u'], array(['b'], dtype='<U1'))
    """

    columns: Mapping[str, NDArray[Any]]

    @property
    def colnames(self) -> list[str]:
        """Names of the columns."""
        return list(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, which: str | Sequence[str] | NDArray[Any]) -> Any:
        """The column of a name; a table with the columns of several names, or with some of the rows."""
        if isinstance(which, str):
            return self.columns[which]
        if isinstance(which, np.ndarray):
            return LightTable({name: column[which] for name, column in self.columns.items()})
        return LightTable({name: self.columns[name] for name in which})


def light_column(values: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    """A column; a masked one only if something is missing. Empty text is missing, as in a file without a mask."""
    if values.dtype.kind == "U" and values.ndim == 1:
        missing = missing | (values == "")
    return np.ma.MaskedArray(values, mask=missing) if missing.any() else values


def in_full(table: Any) -> Any:
    """The table as one of astropy, to which columns can be added; a copy of the table, not of its columns."""
    from astropy.table import Table

    return Table(table.columns if isinstance(table, LightTable) else table, copy=False)
