"""The rows of a catalogue, some at a time: files larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from peculiar.catalogue.columns.names import refuse_unknown
from peculiar.catalogue.columns.picked import pick
from peculiar.catalogue.formats import InParts, Place
from peculiar.catalogue.formats.several import place_of
from peculiar.catalogue.formats.text import is_packed
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


@dataclass(frozen=True)
class Stretch:
    """Rows of one file of a catalogue that follow each other, and where to find them again.

    Attributes
    ----------
    place : Place
        The file.
    rows : range or None
        Their numbers in the file; None: all.
    first : int
        Number of the first row of the file in the catalogue.
    source : str
        Name of the column that says from which file a row is; empty if there is only one file.
    """

    place: Place
    rows: range | None = None
    first: int = 0
    source: str = ""

    def __str__(self) -> str:
        rows = (
            ""
            if self.rows is None
            else f", rows {self.rows.start:,} to {self.rows.stop - 1:,} of it"
        )
        return f"{self.place}{rows}"

    def parts(self, columns: Sequence[str], n_rows: int, form: str | None) -> Iterator[Part]:
        """The rows, about so many at a time; no part is empty."""
        in_file = 0 if self.rows is None else self.rows.start
        for table in _parts_of(self, columns, n_rows, form):
            if len(table):
                yield Part(table, self.first + in_file, self.place, in_file)
            in_file += len(table)


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
    places, source = _places_of(path, table, form)
    first = 0
    for place in places:
        n_read = 0
        for part in Stretch(place, None, first, source).parts(columns, n_rows, form):
            yield part
            n_read = part.first_in_file + len(part.table)
        first += n_read


def cut(
    path: str | os.PathLike[str],
    n_rows: int,
    *,
    table: int | str | None = None,
    form: str | None = None,
) -> list[Stretch]:
    """Cut a catalogue into stretches that can each be read without the others, of about so many rows.

    Parameters
    ----------
    path, n_rows, table, form
        As for :func:`read_parts`. Of Parquet a stretch is one row group at least.

    Returns
    -------
    list of Stretch
        In the order of the rows.
    """
    places, source = _places_of(path, table, form)
    stretches, first = list[Stretch](), 0
    for place in places:
        kind = _in_parts(place, form)
        with translating(place, kind):
            ranges = kind.cut(place, n_rows)
        stretches += [Stretch(place, rows, first, source) for rows in ranges]
        first += ranges[-1].stop if ranges else 0
    return stretches


def _places_of(
    path: str | os.PathLike[str], table: int | str | None, form: str | None
) -> tuple[tuple[Place, ...], str]:
    """The files of a catalogue, and the name of the column that tells them apart; empty if there is one file."""
    places = find_places(path, table)
    if places is None:
        return (place_of(path, table),), ""
    return places, columns_of_all(places, lambda place: list_columns_of(place, form))[-1].name


def why_whole(
    path: str | os.PathLike[str],
    *,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002
) -> str:
    """Why a catalogue can only be read whole, and the way out; empty if it can be read in parts.

    Parameters
    ----------
    path, table, format
        As for :func:`peculiar.read`.

    Returns
    -------
    str
    """
    for place in find_places(path, table) or (place_of(path, table),):
        form = find_format_of(place, format)
        if not isinstance(form, InParts):
            hint = _WAYS_OUT.get(form.name, _WAY_OUT).format(path=place.path)
            return f"{place} is {form.name}, which can only be read whole; make it Parquet or FITS first: {hint}"
        if is_packed(place.path):
            return f"{place.path} is compressed, and can only be read whole; decompress it first (gunzip, bunzip2)"
    return ""


def _in_parts(place: Place, given: str | None) -> Any:
    """The format of a file, which can be read in parts."""
    if reason := why_whole(place, format=given):  # type: ignore[arg-type]  # a Place is a path here, too
        raise CatalogueError(f"rows are to be read in parts, but {reason}")
    return find_format_of(place, given)


def _parts_of(
    stretch: Stretch, columns: Sequence[str], n_rows: int, given: str | None
) -> Iterator[Table]:
    """With a column that has the name of the file, if that is asked for."""
    place, source = stretch.place, stretch.source
    form = _in_parts(place, given)
    known = [info.name for info in list_columns_of(place, given)]
    wanted = [name for name in dict.fromkeys(columns) if name != source]
    refuse_unknown(wanted, known, str(place))
    tables = form.parts(place, wanted or known[:1], n_rows, stretch.rows)
    while True:
        with translating(place, form):
            rows = next(tables, None)
        if rows is None:
            return
        if source in columns:
            rows[source] = [str(place)] * len(rows)
        chosen = pick(rows, columns)
        chosen.meta.update(rows.meta)
        yield chosen
