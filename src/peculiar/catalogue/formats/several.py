"""Which of the tables of a file is meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from peculiar.catalogue.columns.names import cut, listed
from peculiar.catalogue.formats.base import Place, TableInfo
from peculiar.errors import CatalogueError


def choose_table(place: Place, tables: Sequence[TableInfo]) -> TableInfo:
    """The table that is meant: of that number, else of that name, the first if neither is given.

    Parameters
    ----------
    place : Place
    tables : sequence of TableInfo
        All of the file; there is at least one.

    Returns
    -------
    TableInfo
    """
    wanted = place.table
    if wanted is None:
        return tables[0]
    found = [table for table in tables if table.number == wanted or _is_called(table, wanted)]
    if len(found) == 1:
        return found[0]
    numbered = listed([f"{table.number} ({table.name or 'no name'})" for table in tables])
    if found:
        raise CatalogueError(
            f"{place.path} has {len(found)} tables called {cut(str(wanted))!r}; give the number of one: {numbered}"
        )
    raise CatalogueError(f"{place.path} has no table {cut(str(wanted))!r}; it has {numbered}")


def _is_called(table: TableInfo, name: int | str) -> bool:
    return isinstance(name, str) and name.strip().lower() in _names(table.name)


def _names(name: str) -> set[str]:
    """A name, and that of an HDF5 path without its first stroke; in lower case, as FITS takes them."""
    return {name.lower(), name.lower().strip("/")} - {""}


def refuse_choice(place: Place, form: str) -> None:
    """CatalogueError if a table is chosen in a format that has only one."""
    if place.table not in {None, 0}:
        raise CatalogueError(
            f"{place.path} is {form}, which has one table in each file; leave out [{cut(str(place.table))}] (--hdu)"
        )


def place_of(path: object, table: int | str | None = None) -> Place:
    """A file, and a table of it that may be named in brackets: ``survey.fits[3]``, ``survey.fits[SOURCES]``.

    Parameters
    ----------
    path : path-like or Place
        A file whose own name ends in brackets is that file.
    table : int or str, optional
        Number or name of the table, in the place of brackets.

    Returns
    -------
    Place

    Examples
    --------
    >>> place_of("a.fits[SOURCES]").table, place_of("a.fits[3]").table, place_of("a.fits").table
    ('SOURCES', 3, None)
    """
    if isinstance(path, Place):
        return path if table is None else Place(path.path, numbered(table))
    text = str(path)
    if text.endswith("]") and not Path(text).exists():
        before, _, inside = text[:-1].rpartition("[")
        if before and inside:
            if table is not None:
                raise CatalogueError(f"{text} and --hdu {table} both name a table; say it once")
            return Place(Path(before), numbered(inside))
    return Place(Path(text), None if table is None else numbered(table))


def numbered(table: int | str) -> int | str:
    """A number as a number."""
    text = str(table).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else table
