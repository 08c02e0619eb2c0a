"""Several files as one catalogue: a pattern such as ``field_*.fits``, a folder of Parquet files, a HATS catalogue."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.catalogue.columns.names import cut, listed
from peculiar.catalogue.formats import ColumnInfo, Place
from peculiar.catalogue.formats.several import place_of
from peculiar.catalogue.hats import partition_files, refuse_unfinished
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

SOURCE = "source_file"
"""The column that says from which file a row is."""

_PARQUET = (".parquet", ".parq", ".pq")


def find_places(path: object, table: int | str | None = None) -> tuple[Place, ...] | None:
    """The files that a pattern or a folder stands for; None for a single file.

    They are in the order of their names; those of a HATS catalogue, in the order of its pixels.

    Parameters
    ----------
    path : path-like
    table : int or str, optional
        Which table of each file.

    Returns
    -------
    tuple of Place, or None
    """
    place = place_of(path, table)
    if place.path.is_dir():
        files = partition_files(place.path)
        if files is None:
            files = _in_folder(place.path)
        return tuple(Place(file, place.table) for file in files)
    if place.path.exists() or not glob.has_magic(str(place.path)):
        return None
    found = sorted(glob.glob(str(place.path)))  # noqa: PTH207 (the pattern may be absolute)
    files = [Path(each) for each in found if Path(each).is_file()]
    if not files:
        raise CatalogueError(f"no file matches {str(place.path)!r}")
    return tuple(Place(file, place.table) for file in files)


def _in_folder(folder: Path) -> list[Path]:
    """Parquet files below a folder; what begins with . or _ is not data, as others have it, too."""
    found = sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in _PARQUET
        and file.is_file()
        and not any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
    )
    if not found:
        raise CatalogueError(
            f"{folder} is a folder; give a file. (A folder of Parquet files is one catalogue, but there is none in "
            f"it; for other formats give a pattern, such as '{folder}/*.fits')"
        )
    refuse_unfinished(folder, found)
    return found


def columns_of_all(
    places: Sequence[Place], list_one: Callable[[Place], Sequence[ColumnInfo]]
) -> tuple[ColumnInfo, ...]:
    """The columns of several files, which have to be the same; and the column with the name of the file."""
    first = list_one(places[0])
    for place in places[1:]:
        _refuse_others(places[0], first, place, list_one(place))
    return (*first, ColumnInfo(_source_name([info.name for info in first]), "str"))


def read_all(
    places: Sequence[Place],
    columns: Sequence[str] | None,
    list_one: Callable[[Place], Sequence[ColumnInfo]],
    read_one: Callable[[Place, Sequence[str] | None], Table],
) -> Table:
    """The rows of several files, one file after another."""
    import numpy as np
    from astropy.table import vstack

    about = columns_of_all(places, list_one)
    source = about[-1].name
    names = [info.name for info in about] if columns is None else list(dict.fromkeys(columns))
    wanted = [name for name in names if name != source]
    tables = []
    for place in places:
        found = read_one(place, wanted or [about[0].name])
        found[source] = np.full(len(found), str(place))
        tables.append(found[names])
    _refuse_types(places, tables)
    # Those without rows would have a say in the types: a column of a CSV without any is one of numbers.
    telling = [table for table in tables if len(table)] or tables[:1]
    return vstack(telling, join_type="exact", metadata_conflicts="silent")


def _source_name(names: Sequence[str]) -> str:
    name = SOURCE
    while name in names:
        name = f"peculiar_{name}"
    return name


def _refuse_others(
    place: Place, first: Sequence[ColumnInfo], other: Place, infos: Sequence[ColumnInfo]
) -> None:
    """CatalogueError unless both have columns of the same names, units and shapes."""
    one, two = ({info.name: info for info in each} for each in (first, infos))
    for a, b, here, there in ((place, other, one, two), (other, place, two, one)):
        lacking = [name for name in here if name not in there]
        if lacking:
            raise CatalogueError(
                f"{b} has no column {cut(lacking[0])!r}, but {a} has one; all files need the same columns "
                f"({listed(lacking, 4)} differ)"
            )
    for name, info in one.items():
        for what in ("unit", "shape"):
            mine, theirs = getattr(info, what), getattr(two[name], what)
            if mine != theirs:
                raise CatalogueError(
                    f"{other}: the {what} of column {cut(name)!r} is {cut(str(theirs or 'none'))}, but "
                    f"{cut(str(mine or 'none'))} in {place}; all files need the same"
                )


def _refuse_types(places: Sequence[Place], tables: Sequence[Any]) -> None:
    """CatalogueError for a column of numbers here and of text there. A column without any value may be either."""
    import numpy as np

    for name in tables[0].colnames:
        kinds: dict[bool, Place] = {}
        for place, table in zip(places, tables, strict=True):
            column = table[name]
            if len(table) and not np.all(getattr(column, "mask", False)):
                kinds.setdefault(getattr(column.dtype, "kind", "O") in "USO", place)
        if len(kinds) > 1:
            raise CatalogueError(
                f"column {cut(name)!r} has text in {kinds[True]} and numbers in {kinds[False]}; words for 'missing' in "
                "one of them? (--missing does not help here: remove them)"
            )
