"""FITS tables."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.formats.astropy_warnings import quietly
from peculiar.catalogue.formats.base import (
    ColumnInfo,
    Place,
    TableInfo,
    dtype_name,
    even_cuts,
    info_of,
    slices_of,
)
from peculiar.catalogue.formats.fits_keywords import (
    KEPT,
    keywords_of_columns,
    numbered_keywords,
    speaks_of_column,
)
from peculiar.catalogue.formats.masks import column_of, decode_text, mask_empty_text
from peculiar.catalogue.formats.readable_units import with_readable_units
from peculiar.catalogue.formats.several import choose_table
from peculiar.errors import CatalogueError
from peculiar.warn import is_reading_ahead

if TYPE_CHECKING:
    from astropy.table import Table


_STRUCTURE = re.compile(r"XTENSION|BITPIX|NAXIS\d*|[PG]COUNT|TFIELDS|THEAP|COMMENT|HISTORY|")


class Fits:
    """FITS. Columns are mapped, not loaded: those that are not asked for are never touched."""

    name: ClassVar[str] = "fits"
    extensions: ClassVar[tuple[str, ...]] = (".fits", ".fit", ".fts")
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = False
    has_tables: ClassVar[bool] = True
    is_written: ClassVar[bool] = True

    def list_tables(self, path: Path) -> list[TableInfo]:
        """The HDUs that are tables, with their numbers: 0 is the primary HDU, which never is one."""
        with _opened(path) as units:
            return _tables(units)

    def count_rows(self, place: Place) -> int:
        """From the header."""
        with _opened(place.path) as units:
            return int(_chosen_table(units, place).header["NAXIS2"])

    def list_columns(self, place: Place) -> list[ColumnInfo]:
        """From the header."""
        with _opened(place.path) as units:
            table = _chosen_table(units, place)
            header = table.header
            return [
                ColumnInfo(
                    name=column.name,
                    dtype=dtype_name(column.dtype.base),
                    unit=str(column.unit or ""),
                    ucd=str(header.get(f"TUCD{number}", header.get(f"TBUCD{number}", ""))),
                    description=str(header.get(f"TCOMM{number}", "")),
                    shape=tuple(column.dtype.shape),
                )
                for number, column in enumerate(table.columns, 1)
            ]

    def read(self, place: Place, columns: Sequence[str] | None) -> Table:
        """Only the columns asked for are copied from the file."""
        about = self.list_columns(place)
        with _opened(place.path) as units:
            found = _chosen_table(units, place)
            table = _whole(found) if columns is None else _some(found, columns)
            return _finish(table, about, found.header)

    def cut(self, place: Place, n_rows: int) -> list[range]:
        """Anywhere."""
        return even_cuts(self.count_rows(place), n_rows)

    def parts(
        self, place: Place, columns: Sequence[str], n_rows: int, rows: range | None = None
    ) -> Iterator[Table]:
        """Slices of the mapped file. It is mapped anew for each, lest all that was read counts as memory in use."""
        about = self.list_columns(place)
        everywhere = range(self.count_rows(place))
        nulls = _nulls_after_zero(place, columns, slices_of(everywhere, n_rows))
        for some in slices_of(everywhere if rows is None else rows, n_rows):
            with _opened(place.path) as units:
                found = _chosen_table(units, place)
                part = _Rows(found.columns, found.data[some], nulls)
                table = _finish(_some(part, columns), about, found.header)
            yield table

    def write(self, table: Table, path: Path) -> None:
        """Masked values as FITS has them: TNULL in integers, NaN, empty text."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about keywords that need the HIERARCH convention
            readable = with_readable_units(table, "fits")
            _as_fits_has_it(readable).write(path, format="fits", overwrite=True)
            _write_keywords(readable, path)


class _Rows(NamedTuple):
    """Some rows of a table in a file."""

    columns: Any
    data: Any
    nulls_after_zero: frozenset[str]


def _some(found: Any, columns: Sequence[str]) -> Table:
    """Some columns."""
    from astropy.table import Table

    return Table({name: _column(found, name) for name in columns}, copy=False)


def _finish(table: Table, about: Sequence[ColumnInfo], header: Any) -> Table:
    """What the header says of the table, and of its columns."""
    table.meta.update(_metadata(header))
    kept = keywords_of_columns(header, [info.name for info in about])
    for info in about:
        if info.name in table.colnames:
            _dress(table[info.name], info, kept.get(info.name, {}))
    for key in [key for key in table.meta if speaks_of_column(key)]:
        del table.meta[key]  # the columns have it now
    return mask_empty_text(decode_text(table))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The HDUs of a file."""
    from astropy.io import fits

    if is_reading_ahead():  # after a survey, which has heard all that matters
        with quietly(), fits.open(path, memmap=True) as units:
            yield units
        return
    with warnings.catch_warnings():
        # Remarks about headers that are not quite as they should be; but rows that are not there are no remark.
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", message=".*truncated")
        with fits.open(path, memmap=True) as units:
            yield units


def _chosen_table(units: Any, place: Place) -> Any:
    """The table that is meant; if it is the first, what comes after it is not looked at."""
    if place.table is None:
        for unit in units:
            if _is_table(unit):
                return unit
    tables = _tables(units)
    if not tables:
        kinds = ", ".join(type(unit).__name__ for unit in units)
        raise CatalogueError(f"{place.path} is FITS, but has no table in it (only {kinds})")
    return units[choose_table(place, tables).number]


def _is_table(unit: Any) -> bool:
    from astropy.io import fits

    return isinstance(unit, fits.BinTableHDU | fits.TableHDU)


def _tables(units: Any) -> list[TableInfo]:
    """An EXTNAME that occurs again has its EXTVER behind it, as in ``SCI,2``."""
    found = [(number, unit) for number, unit in enumerate(units) if _is_table(unit)]
    twice = Counter(unit.name for _, unit in found)
    return [
        TableInfo(
            number,
            f"{unit.name},{unit.ver}" if unit.name and twice[unit.name] > 1 else unit.name,
            int(unit.header["NAXIS2"]),
            int(unit.header["TFIELDS"]),
        )
        for number, unit in found
    ]


def _column(found: Any, name: str) -> Any:
    """One column of the file; the others are not touched. Masks as astropy has them for a whole table."""
    about = found.columns[name]
    cells = np.array(found.data[name])
    missing = None
    if _is_scaled(found, name):
        missing = _is_null(found, name)
    elif about.null is not None and cells.dtype.kind in "iu":
        missing = cells == about.null
    elif cells.dtype.kind in "fc":
        missing = np.isnan(cells)
    return column_of(cells, missing, unit=about.unit)


def _whole(found: Any) -> Table:
    """All columns, as astropy reads them; but it looks for TNULL among scaled values, so that those are masked here."""
    from astropy.table import MaskedColumn, Table

    scaled = [name for name in found.columns.names if _is_scaled(found, name)]
    missing = {name: _is_null(found, name) for name in scaled}
    for name in scaled:
        found.columns[name].null = None  # in memory only
    table = Table.read(found, format="fits")
    for name, mask in missing.items():
        table[name] = MaskedColumn(table[name], mask=mask)
    return table


def _is_scaled(found: Any, name: str) -> bool:
    """Whether a column of integers has a TNULL, and TSCAL or TZERO."""
    about = found.columns[name]
    if about.null is None or (about.bscale in (None, "", 1) and about.bzero in (None, "", 0)):
        return False
    is_array_elsewhere = (
        "P" in about.format or "Q" in about.format
    )  # of any length, behind the rows
    return not is_array_elsewhere and _raw(found, name).dtype.kind in "iu"


def _is_null(found: Any, name: str) -> NDArray[np.bool_]:
    """Where the number in the file is TNULL, which is meant before TSCAL and TZERO are applied.

    astropy writes TNULL of unsigned integers as the value after TZERO: it is that if no number in the file is TNULL.
    """
    null, cells = found.columns[name].null, np.asarray(found.data[name])
    missing = np.asarray(_raw(found, name) == null).reshape(cells.shape)
    if cells.dtype.kind != "u":
        return missing
    is_part = isinstance(found, _Rows)
    is_after = name in found.nulls_after_zero if is_part else not missing.any()
    return np.asarray(cells == null) if is_after else missing


def _nulls_after_zero(
    place: Place, columns: Sequence[str], slices: Sequence[slice]
) -> frozenset[str]:
    """Columns of unsigned integers in which no number in the file is TNULL: all rows have to be asked."""
    with _opened(place.path) as units:
        about = _chosen_table(units, place).columns
        open_ = {name for name in columns if about[name].null is not None and about[name].bzero}
    for rows in slices if open_ else ():
        with _opened(place.path) as units:
            found = _chosen_table(units, place)
            part = _Rows(found.columns, found.data[rows], frozenset())
            open_ -= {name for name in open_ if (_raw(part, name) == about[name].null).any()}
    return frozenset(open_)


def _raw(found: Any, name: str) -> NDArray[Any]:
    """The numbers of a column as they are in the file."""
    rows = found.data.view(np.ndarray)
    return np.asarray(rows[rows.dtype.names[found.columns.names.index(name)]])


def _metadata(header: Any) -> dict[str, Any]:
    """The keywords that are about the table as a whole."""
    return {
        key: value
        for key, value in header.items()
        if not _STRUCTURE.fullmatch(key) and not speaks_of_column(key)
    }


def _as_fits_has_it(table: Table) -> Table:
    """Text as bytes; masked integers with a stand-in (TNULL) that is no value of theirs; masked truths as integers.

    FITS knows T and F only, and a masked truth would come back as T. astropy's own stand-in, 999999, may be somebody's
    number.
    """
    from astropy.table import MaskedColumn, Table

    changed = Table(table, copy=False)
    for key in [key for key in changed.meta if speaks_of_column(str(key))]:
        del changed.meta[key]  # of which table? A column of ours has its own
    for name in table.colnames:
        column = table[name]
        kind = getattr(getattr(column, "dtype", None), "kind", "")
        if kind == "U":
            changed[name] = _encoded(column)
        if kind not in "biu" or not np.any(getattr(column, "mask", False)):
            continue
        wide = column.astype(np.int16) if kind == "b" else column
        changed[name] = MaskedColumn(wide, fill_value=_unused(wide))
    return changed


def _encoded(column: Any) -> Any:
    """UTF-8, which is what everybody reads; for plain English it is the ASCII of the standard."""
    from astropy.table import Column, MaskedColumn

    cells = np.char.encode(np.asarray(column), "utf-8")
    about = {"unit": column.unit, "description": column.description, "meta": column.meta}
    if not hasattr(column, "mask"):
        return Column(cells, **about)
    return MaskedColumn(
        np.where(column.mask, b"", cells), mask=column.mask, fill_value=b"", **about
    )


def _write_keywords(table: Table, path: Path) -> None:
    """UCDs and descriptions as the keywords TUCDn and TCOMMn, as TOPCAT writes them; and what columns have kept."""
    from astropy.io import fits

    about = list(enumerate(info_of(table), 1))
    keywords = {f"TUCD{number}": info.ucd for number, info in about}
    keywords |= {f"TCOMM{number}": info.description for number, info in about}
    with fits.open(path, mode="update") as units:
        header = units[1].header
        header.update({key: ascii_line(text) for key, text in keywords.items() if text})
        header.update(dict(numbered_keywords(table)))


def ascii_line(text: str) -> str:
    r"""One line of ASCII: headers of FITS have nothing else.

    Examples
    --------
    >>> print(ascii_line("in Å,  one line"))
    in \xc5, one line
    """
    return " ".join(text.encode("ascii", "backslashreplace").decode().split())


def _dress(column: Any, info: ColumnInfo, kept: dict[str, Any]) -> None:
    column.info.description = column.info.description or info.description or None
    more = {"ucd": info.ucd, KEPT: kept}
    if any(more.values()):
        said = {key: value for key, value in more.items() if value}
        column.info.meta = {**(column.info.meta or {}), **said}


def _unused(column: Any) -> int:
    """A number for TNULL that is no value.

    Of unsigned integers one that is no number in the file, either (see _is_null): a large one; or, of 64 bits, one that
    the header has room for, and that is no value without its TZERO.
    """
    limits = np.iinfo(column.dtype)
    used = set(np.asarray(column)[~np.asarray(column.mask)].tolist())
    top, zero = min(limits.max, 2**63 - 1), 0 if limits.min < 0 else 2**63
    ends = (limits.min, top) if limits.min < 0 else (top,)
    numbers = (*ends, *range(max(top - 300, limits.min), top))
    free = [number for number in numbers if number not in used and number + zero not in used]
    return int(free[0])
