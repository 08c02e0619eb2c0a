"""From a table to a file, whole or not at all."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from peculiar.catalogue.columns.names import QUOTED, cut
from peculiar.catalogue.formats import WRITTEN, Format
from peculiar.catalogue.formats.astropy_warnings import quietly
from peculiar.catalogue.formats.choose import choose_format
from peculiar.catalogue.formats.spreadsheets import harmless
from peculiar.catalogue.formats.writable import writable
from peculiar.catalogue.tables import as_table
from peculiar.errors import CatalogueError
from peculiar.files import replacing


def write(
    table: Any,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 (as in read)
    overwrite: bool = False,
    plain: bool = False,
) -> None:
    r"""Write a table as FITS, VOTable, ECSV, CSV, Parquet or HDF5.

    Masked values are written as missing, in the way of each format. CSV keeps no units and no metadata,
    VOTable keeps metadata as text (INFO). A unit that FITS or VOTable do not know stands in the description.

    Parameters
    ----------
    table : table
        Anything :func:`as_table` takes.
    path : path-like
        Ends in ``.gz`` if it is to be compressed.
    format : str, optional
        As in :func:`read`.
    overwrite : bool, default=False
        Whether a file of that name may be replaced.
    plain : bool, default=False
        Whether text is written to CSV as it is. Otherwise text that begins with ``=``, ``+``, ``-`` or ``@`` gets a
        ``'`` before it, so that no spreadsheet takes it for a formula and runs it. Numbers are never changed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "two.csv"
    >>> write({"name": ["a", "b"], "u": [1.0, 0.1]}, path)
    >>> path.read_text()
    'name,u\na,1.0\nb,0.1\n'
    """
    target = Path(path)
    form = format_to_write(target, format)
    is_zipped = target.name.lower().endswith(".gz")
    if target.exists() and not overwrite:
        raise CatalogueError(
            f"{target} is there already; say overwrite=True (--overwrite) to replace it"
        )
    rows = writable(as_table(table), form.name)
    if form.name == "csv" and not plain:
        rows = harmless(rows)
    with replacing(target) as temporary:
        _write_plain(rows, form, temporary, is_zipped=is_zipped)


def check_table(table: Any, path: str | os.PathLike[str]) -> None:
    """CatalogueError if the format of a file has no place for a column: better now than after the work.

    Parameters
    ----------
    table : astropy.table.Table
    path : path-like
        Not touched.
    """
    form = format_to_write(Path(path), None)
    with tempfile.TemporaryDirectory() as folder:
        _convert(writable(table[:1], form.name), form, Path(folder) / "first_row")


def format_to_write(target: Path, given: str | None) -> Format:
    """The format of a file to be written; CatalogueError if there is none.

    Parameters
    ----------
    target : Path
    given : str or None
        None goes by the extension.

    Returns
    -------
    Format
    """
    form = choose_format(target, given, to_write=True)
    if not form.is_written:
        raise CatalogueError(
            f"{target}: {form.name} is read, but not written; write one of {', '.join(WRITTEN)}"
        )
    if target.name.lower().endswith(".bz2"):
        raise CatalogueError(f"{target}: .bz2 is read, but not written; use .gz")
    if target.name.lower().endswith(".gz") and not form.may_be_zipped:
        raise CatalogueError(f"{target}: {form.name} is compressed internally; leave out the .gz")
    return form


def _write_plain(rows: Any, form: Format, temporary: Path, *, is_zipped: bool) -> None:
    plain = temporary.with_suffix("") if is_zipped else temporary
    try:
        _convert(rows, form, plain)
        if is_zipped:
            _pack(plain, temporary)
    finally:
        if is_zipped:
            plain.unlink(missing_ok=True)


def _pack(source: Path, target: Path) -> None:
    """Zip a file; the same bytes at any time, and under any name."""
    with (
        source.open("rb") as plain,
        target.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        shutil.copyfileobj(plain, packed)


def _convert(rows: Any, form: Format, path: Path) -> None:
    try:
        with quietly():
            form.write(rows, path)
    except (CatalogueError, OSError, MemoryError, ModuleNotFoundError):
        raise
    except Exception as error:
        said = cut(str(error) or type(error).__name__, QUOTED)
        raise CatalogueError(f"the table cannot be written as {form.name}: {said}") from error
