"""From a file to an astropy table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peculiar.catalogue.columns.names import cut, refuse_duplicates, refuse_unknown
from peculiar.catalogue.columns.sentinels import Sentinel, mask_sentinels
from peculiar.catalogue.formats import ColumnInfo, Format
from peculiar.catalogue.formats.choose import check_content, check_exists, choose_format
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


def read(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 (what everybody calls it)
    missing: Sequence[Sentinel] = (),
) -> Table:
    r"""Read a catalogue: FITS, VOTable, ECSV, CSV, Parquet or HDF5.

    Parameters
    ----------
    path : path-like
        The file. For the first four formats it may end in ``.gz``.
    columns : sequence of str, optional
        Names of the columns that are needed. In FITS, CSV, Parquet and HDF5, the others are not read.
    format : {'fits', 'votable', 'ecsv', 'csv', 'parquet', 'hdf5'}, optional
        Chosen by the extension if None.
    missing : sequence of float or str, optional
        Values that mean 'missing', such as -9999.

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
    file = Path(path)
    if isinstance(columns, str):
        columns = [columns]
    check_exists(file)
    form = choose_format(file, format)
    check_content(file, form)
    try:
        table = _read_columns(form, file, columns)
    except (CatalogueError, MemoryError, PermissionError, ModuleNotFoundError):
        raise
    except Exception as error:
        raise _unreadable(file, form.name, error) from error
    refuse_duplicates(table.colnames, str(file))
    return mask_sentinels(table, missing)[0]


def list_columns(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> tuple[ColumnInfo, ...]:
    """The columns of a catalogue, with types and units; rows are not read where the format permits.

    Parameters
    ----------
    path : path-like
    format : str, optional
        As in :func:`read`.

    Returns
    -------
    tuple of ColumnInfo
    """
    file = Path(path)
    check_exists(file)
    form = choose_format(file, format)
    check_content(file, form)
    try:
        columns = form.list_columns(file)
    except (CatalogueError, MemoryError, PermissionError, ModuleNotFoundError):
        raise
    except Exception as error:
        raise _unreadable(file, form.name, error) from error
    refuse_duplicates([column.name for column in columns], str(file))
    return tuple(columns)


def _read_columns(form: Format, path: Path, columns: Sequence[str] | None) -> Table:
    """In the order asked for; names are checked as soon as they are known."""
    wanted = None if columns is None else list(dict.fromkeys(columns))
    if form.reads_whole:
        table = form.read(path, None)
        refuse_unknown(wanted or (), table.colnames, str(path))
        return table if wanted is None else table[wanted]
    names = [info.name for info in form.list_columns(path)]
    refuse_duplicates(names, str(path))
    refuse_unknown(wanted or (), names, str(path))
    table = form.read(path, wanted)
    return table if wanted is None else table[wanted]


def _unreadable(path: Path, form: str, error: Exception) -> CatalogueError:
    """One screen at most, whatever the library below has to say."""
    said = cut(str(error) or type(error).__name__, 400)
    return CatalogueError(f"{path} cannot be read as {form}; it may be damaged or cut off. {said}")
