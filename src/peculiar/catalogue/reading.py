"""From a file to an astropy table."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.catalogue.columns.names import QUOTED, cut, refuse_duplicates, refuse_unknown
from peculiar.catalogue.columns.sentinels import Sentinel, mask_sentinels
from peculiar.catalogue.formats import ColumnInfo, Format, Place, TableInfo
from peculiar.catalogue.formats.astropy_warnings import quietly
from peculiar.catalogue.formats.choose import check_content, check_exists, find_format
from peculiar.catalogue.formats.delimited import Csv
from peculiar.catalogue.formats.several import place_of, refuse_choice
from peculiar.catalogue.light import LightTable
from peculiar.catalogue.many import columns_of_all, find_places, read_all
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


def read(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002 (what everybody calls it)
    missing: Sequence[Sentinel] = (),
    where: str | None = None,
) -> Table:
    r"""Read a catalogue: FITS, VOTable, ECSV, CSV, Parquet, HDF5, and tables of text.

    Parameters
    ----------
    path : path-like
        The file. All but Parquet and HDF5 may be compressed (``.gz``, ``.bz2``). A table of it may be named in
        brackets: ``survey.fits[3]``, ``survey.fits[SOURCES]``. A pattern (``field_*.fits``), a folder of Parquet
        files, or one of a HATS catalogue is one catalogue, with a column ``source_file``; all files need the same
        columns.
    columns : sequence of str, optional
        Names of the columns that are needed. In FITS, CSV, Parquet and HDF5, the others are not read.
    table : int or str, optional
        Which table of the file, in the place of brackets: the number or name of the HDU (FITS; 0 is the primary HDU),
        the number, name or identifier (VOTable), the path within the file (HDF5).
        :func:`~peculiar.catalogue.list_tables` lists them. Without it, the first table is read.
    format : str, optional
        One of fits, votable, ecsv, csv, parquet, hdf5, mrt (also CDS), ipac, sextractor, vizier, text. If None, it is
        chosen by the extension, and by the look of the file.
    missing : sequence of float or str, optional
        Values that mean 'missing', such as -9999.
    where : str, optional
        Which rows, such as ``"class == 'QSO' and r < 19"``. A row with a missing value is not chosen by a comparison
        of it. Nothing is evaluated as Python.

    Returns
    -------
    astropy.table.Table
        Masked where values are missing; with units and metadata as far as the format has them.

    Raises
    ------
    CatalogueError
        The file cannot be read, or has no such column.

    Examples
    --------
    >>> import peculiar, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "stars.csv"
    >>> _ = path.write_text("name,u,g,r\n007,1.5,-9999,3\n008,2,,4\n")
    >>> print(peculiar.read(path, columns=["name", "g", "u"], missing=[-9999]))
    name  g   u
    ---- --- ---
     007  -- 1.5
     008  -- 2.0
    """
    if isinstance(columns, str):
        columns = [columns]
    if where is not None:
        return _read_where(path, columns, table, format, missing, where)
    places = find_places(path, table)
    if places is None:
        found = _read_one(place_of(path, table), columns, format)
    else:
        found = read_all(
            places,
            columns,
            lambda place: list_columns_of(place, format),
            lambda place, names: _read_one(place, names, format),
        )
    return mask_sentinels(found, missing)[0]


def look(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None,
    *,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002
) -> Table | LightTable:
    """What :func:`read` gives, for those who only look at it: of a CSV without units, a light table.

    Parameters
    ----------
    path : path-like
    columns : sequence of str or None
    table, format : optional
        As in :func:`read`.

    Returns
    -------
    astropy.table.Table or LightTable
    """
    if find_places(path, table) is None:
        place = place_of(path, table)
        form = find_format_of(place, format)
        if isinstance(form, Csv):
            with translating(place, form):
                return _read_columns(form, place, columns, form.look)
    return read(path, columns=columns, table=table, format=format)


def _read_where(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None,
    table: int | str | None,
    form: str | None,
    missing: Sequence[Sentinel],
    where: str,
) -> Table:
    """Read what is wanted and what the condition is about, and keep the rows for which it is true."""
    from peculiar.catalogue.expressions.conditions import choose_rows, columns_in, parse_condition
    from peculiar.catalogue.expressions.elements import bases_of

    needed = columns_in(parse_condition(where))
    names = columns
    if columns is not None:
        known = {info.name for info in list_columns(path, table=table, format=form)}
        asked = [name for name in bases_of(needed, known) if name in known]
        names = [*columns, *asked]
    found = read(path, columns=names, table=table, format=form, missing=missing)
    chosen = found[choose_rows(found, where)]
    return chosen if columns is None else chosen[list(dict.fromkeys(columns))]


def _read_one(place: Place, columns: Sequence[str] | None, given: str | None) -> Table:
    form = find_format_of(place, given)
    with translating(place, form):
        found = _read_columns(form, place, columns, form.read)
    refuse_duplicates(found.colnames, str(place))
    return found


def list_columns(
    path: str | os.PathLike[str],
    *,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002
) -> tuple[ColumnInfo, ...]:
    """The columns of a catalogue, with types and units; rows are not read where the format permits.

    Parameters
    ----------
    path : path-like
    table, format : optional
        As in :func:`read`.

    Returns
    -------
    tuple of ColumnInfo
    """
    places = find_places(path, table)
    if places is None:
        return list_columns_of(place_of(path, table), format)
    return columns_of_all(places, lambda place: list_columns_of(place, format))


def list_columns_of(place: Place, given: str | None) -> tuple[ColumnInfo, ...]:
    """The columns of one file."""
    form = find_format_of(place, given)
    with translating(place, form):
        columns = form.list_columns(place)
    refuse_duplicates([column.name for column in columns], str(place))
    return tuple(columns)


def list_tables(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> tuple[TableInfo, ...]:
    """The tables of a file; none for formats that have one in each file.

    Parameters
    ----------
    path : path-like
    format : str, optional
        As in :func:`read`.

    Returns
    -------
    tuple of TableInfo
    """
    if find_places(path) is not None:
        return ()
    place = place_of(path)
    form = find_format_of(place, format)
    with translating(place, form):
        return tuple(form.list_tables(place.path))


def count_rows(
    path: str | os.PathLike[str],
    *,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002
) -> int:
    """The number of rows of a catalogue, without reading a column where the format permits.

    Parameters
    ----------
    path : path-like
    table, format : optional
        As in :func:`read`.

    Returns
    -------
    int
    """
    total = 0
    for place in find_places(path, table) or (place_of(path, table),):
        form = find_format_of(place, format)
        with translating(place, form):
            total += form.count_rows(place)
    return total


def find_format_of(place: Place, given: str | None) -> Format:
    """The format of a file that is there, and is what it says."""
    check_exists(place.path)
    form = find_format(place.path, given)
    check_content(place.path, form)
    if not form.has_tables:
        refuse_choice(place, form.name)
    return form


@contextlib.contextmanager
def translating(place: Place, form: Format) -> Iterator[None]:
    """Turn whatever a library below says into one message of ours."""
    try:
        with quietly():
            yield
    except (CatalogueError, MemoryError, PermissionError, ModuleNotFoundError):
        raise
    except Exception as error:
        raise _unreadable(place.path, form.name, error) from error


def _read_columns(
    form: Format,
    place: Place,
    columns: Sequence[str] | None,
    read_some: Callable[[Place, Sequence[str] | None], Any],
) -> Any:
    """In the order asked for; names are checked as soon as they are known."""
    wanted = None if columns is None else list(dict.fromkeys(columns))
    if form.reads_whole:
        table = read_some(place, None)
        refuse_unknown(wanted or (), table.colnames, str(place))
        return table if wanted is None else table[wanted]
    names = [info.name for info in form.list_columns(place)]
    refuse_duplicates(names, str(place))
    refuse_unknown(wanted or (), names, str(place))
    table = read_some(place, wanted)
    return table if wanted is None else table[wanted]


def _unreadable(path: Path, form: str, error: Exception) -> CatalogueError:
    """One screen at most, whatever the library below has to say: it may quote a whole file."""
    said = cut(str(error) or type(error).__name__, QUOTED)
    return CatalogueError(f"{path} cannot be read as {form}; it may be damaged or cut off. {said}")
