"""The rows of a catalogue, some at a time: files larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from peculiar.catalogue.columns.names import refuse_unknown
from peculiar.catalogue.columns.picked import pick
from peculiar.catalogue.formats import InParts, Place
from peculiar.catalogue.formats.several import place_of
from peculiar.catalogue.many import columns_of_all, find_places
from peculiar.catalogue.reading import find_format_of, list_columns_of, translating
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

_WAYS_OUT = {
    "csv": "pyarrow.dataset.write_dataset(pyarrow.dataset.dataset('{path}', format='csv'), 'new', format='parquet') "
    "does it in parts",
}
_WAY_OUT = "stilts tpipe in='{path}' out=new.fits does it in parts"


class Part(NamedTuple):
    """Some rows of a catalogue that follow each other.

    Attributes
    ----------
    table : astropy.table.Table
    first : int
        Number of its first row in the catalogue.
    place : Place
        The file.
    first_in_file : int
        Number of its first row in the file.
    """

    table: Table
    first: int
    place: Place
    first_in_file: int


def read_parts(
    path: str | os.PathLike[str],
    columns: Sequence[str],
    n_rows: int,
    *,
    table: int | str | None = None,
    form: str | None = None,
) -> Iterator[Part]:
    """Read a catalogue from its first row to its last, about so many rows at a time.

    Parameters
    ----------
    path : path-like
        As for :func:`peculiar.read`: Parquet (a file, a folder, a pattern), FITS or HDF5.
    columns : sequence of str
        Names of the columns that are needed.
    n_rows : int
    table, form : optional
        Which table of the file, and its format.

    Yields
    ------
    Part
        In the order of the rows; none is empty.
    """
    places = find_places(path, table)
    source = ""
    if places is not None:
        source = columns_of_all(places, lambda place: list_columns_of(place, form))[-1].name
    first = 0
    for place in places or (place_of(path, table),):
        first_in_file = 0
        for rows in _parts_of(place, columns, n_rows, form, source):
            if len(rows):
                yield Part(rows, first + first_in_file, place, first_in_file)
            first_in_file += len(rows)
        first += first_in_file


def _parts_of(
    place: Place, columns: Sequence[str], n_rows: int, given: str | None, source: str
) -> Iterator[Table]:
    """Of one file; with a column that has its name, if that is asked for."""
    form = find_format_of(place, given)
    if not isinstance(form, InParts):
        hint = _WAYS_OUT.get(form.name, _WAY_OUT).format(path=place.path)
        raise CatalogueError(
            f"{place} is {form.name}, which can only be read whole, and rows are to be read in parts; make it Parquet "
            f"or FITS first: {hint}"
        )
    known = [info.name for info in list_columns_of(place, given)]
    wanted = [name for name in dict.fromkeys(columns) if name != source]
    refuse_unknown(wanted, known, str(place))
    tables = form.parts(place, wanted or known[:1], n_rows)
    while True:
        with translating(place, form):
            rows = next(tables, None)
        if rows is None:
            return
        if source in columns:
            rows[source] = [str(place)] * len(rows)
        yield pick(rows, columns)
