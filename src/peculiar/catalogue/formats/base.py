"""What a file format has to answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from astropy.table import Table


@dataclass(frozen=True)
class Place:
    """A table in a file.

    Attributes
    ----------
    path : Path
    table : int, str or None
        Number or name of the table; None is the first.
    """

    path: Path
    table: int | str | None = None

    def __str__(self) -> str:
        return str(self.path) if self.table is None else f"{self.path}[{self.table}]"


@dataclass(frozen=True)
class TableInfo:
    """A table of a file that may have several.

    Attributes
    ----------
    number : int
        As it is given to choose it: that of the HDU in FITS, else counted from 0.
    name : str
        Empty if it has none.
    n_rows : int
    n_columns : int
    """

    number: int
    name: str
    n_rows: int
    n_columns: int


@dataclass(frozen=True)
class ColumnInfo:
    """What is known of a column without reading it.

    Attributes
    ----------
    name : str
    dtype : str
        NumPy's name of the type; 'str' for text. For CSV, guessed from the first rows.
    unit : str
        Empty if there is none.
    ucd : str
        UCD of the Virtual Observatory: which quantity it is; empty if the file does not say.
    description : str
    shape : tuple of int
        Of the values in one row; empty for a single value.
    """

    name: str
    dtype: str
    unit: str = ""
    ucd: str = ""
    description: str = ""
    shape: tuple[int, ...] = ()


class Format(Protocol):
    """A way to keep tables in a file. Files are known to exist, and not to be another format."""

    name: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]
    may_be_zipped: ClassVar[bool]  # whether .gz behind the extension is understood
    reads_whole: ClassVar[bool]  # whether all columns are read, whichever are asked for
    has_tables: ClassVar[bool]  # whether a file may have several
    is_written: ClassVar[bool]  # whether tables can be written in it

    def list_tables(self, path: Path) -> list[TableInfo]:
        """The tables of a file; none for a format that has one in each file."""
        ...

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """The columns, from the header alone where there is one."""
        ...

    def count_rows(self, place: Place) -> int:
        """The number of rows, without reading a column where the format permits."""
        ...

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """All columns, or those of these names, in the order of the file."""
        ...

    def write(self, table: Table, path: Path) -> None:
        """Write the table over the (empty) file at that path, not compressed."""
        ...


@runtime_checkable
class InParts(Protocol):
    """What a format also has to answer if tables larger than memory can be read in it."""

    def cut(self, place: Place, n_rows: int) -> list[range]:
        """Rows that can be read without those before them, about so many in each; together all, in their order."""
        ...

    def parts(
        self, place: Place, columns: Sequence[str], n_rows: int, rows: range | None = None
    ) -> Iterator[Table]:
        """The rows of these columns, in the order of the file, about so many at a time; never all of them in memory.

        Only ``rows``, if they are given: those of a range of :meth:`cut`, or of several that follow each other.
        """
        ...


def even_cuts(n_all: int, n_rows: int) -> list[range]:
    """So many rows in each range; fewer in the last.

    Examples
    --------
    >>> even_cuts(5, 2)
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    return [range(n_all)[some] for some in slices_of(range(n_all), n_rows)]


def slices_of(rows: range, n_rows: int) -> list[slice]:
    """The same, of some rows that follow each other, as slices."""
    return [
        slice(first, min(first + n_rows, rows.stop))
        for first in range(rows.start, rows.stop, n_rows)
    ]


def info_of(table: Table) -> list[ColumnInfo]:
    """The columns of a table in memory."""
    return [
        ColumnInfo(
            name=column.info.name,
            dtype=dtype_name(getattr(column, "dtype", None)),
            unit=str(column.info.unit or ""),
            ucd=str((column.info.meta or {}).get("ucd", "")),
            description=str(column.info.description or ""),
            shape=tuple(getattr(column, "shape", ())[1:]),
        )
        for column in table.itercols()
    ]


def dtype_name(dtype: object) -> str:
    """A dtype in one word: 'float64', 'int32', 'bool', 'str', 'object'."""
    kind = getattr(dtype, "kind", "O")
    return "str" if kind in "SU" else str(getattr(dtype, "name", "object"))
