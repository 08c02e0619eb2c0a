"""A catalogue that stays where it is: features of its rows, some at a time, the same as if all were in memory."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.columns.limits import Content, confirm_flags, look_at_flags
from peculiar.catalogue.columns.notes import in_words
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.picked import pick
from peculiar.catalogue.columns.uncertainties import refuse_no_values
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.columns.zeros import ZeroErrors
from peculiar.catalogue.expressions.conditions import choose_rows, columns_in, parse_condition
from peculiar.catalogue.expressions.elements import bases_of
from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.catalogue.features import measure_rows
from peculiar.catalogue.measurements import Measurements, refuse_empty, warn_of
from peculiar.catalogue.parts import Part, Stretch, cut, read_parts
from peculiar.catalogue.reading import count_rows, list_columns
from peculiar.catalogue.recipe import Recipe
from peculiar.errors import CatalogueError, RowError

NUMBERS_AT_A_TIME = 4_000_000
"""Numbers in the columns and covariances of the rows that are read at a time, if nobody says how many rows: 32 MB."""

LEAST_ROWS = 1024


class Batch(NamedTuple):
    """Features of some rows of a catalogue.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        Their numbers in the catalogue.
    measured : Measurements
    """

    rows: Ints
    measured: Measurements


class BatchWithColumns(NamedTuple):
    """Features of some rows, and other columns of the same rows.

    Attributes
    ----------
    rows : ndarray of shape (n,)
    measured : Measurements
    table : astropy.table.Table
    """

    rows: Ints
    measured: Measurements
    table: Any


class Survey(NamedTuple):
    """What all rows tell together.

    Attributes
    ----------
    pairing : Pairing
        With the flags that are flags.
    whole : Whole
    tally : Tally
        Of all rows, without what is noted.
    notes : tuple of str
        What is noted, in words: a survey may travel to other processes.
    """

    pairing: Pairing
    whole: Whole
    tally: Tally
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Scan:
    """A catalogue on a disk, and how features are made of it. Make one with :func:`peculiar.scan`.

    Estimators take it in the place of ``X``. They read it as often as they need, and hold some rows at a time.

    Attributes
    ----------
    path : path-like
    recipe : Recipe
    where : str or None
        Which rows.
    table, format : str, int or None
        Which table of the file, and its format.
    rows_at_a_time : int or None
        How many rows are read at a time, about; None lets the number of columns decide.
    """

    path: str | os.PathLike[str]
    recipe: Recipe
    where: str | None = None
    table: int | str | None = None
    format: str | None = None
    rows_at_a_time: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the features."""
        return self.recipe.names

    @property
    def n_rows(self) -> int:
        """How many rows it has; without a condition (``where``) that is known without reading them."""
        if self.where is not None:
            return self.survey.tally.n_rows
        return count_rows(self.path, table=self.table, format=self.format)

    @property
    def pairing(self) -> Pairing:
        """Which column was taken as the error of which."""
        return self.survey.pairing

    @property
    def notes(self) -> tuple[str, ...]:
        """How many values became missing, and why."""
        return self.survey.notes

    @property
    def largest_errors(self) -> Floats:
        """The largest error of each feature, (d,)."""
        return np.array(self.survey.tally.largest_errors)

    @property
    def is_noisy(self) -> bool:
        """Whether any error is not 0."""
        return self.survey.tally.is_noisy

    def batches(self) -> Iterator[Batch]:
        """The features of all rows, in the order of the file.

        Yields
        ------
        Batch
        """
        return self._measured(self._parts())

    def pieces(self, n_rows: int | None = None) -> list[Piece]:
        """The same rows, cut into pieces that can each be read by themselves, also in other processes.

        Parameters
        ----------
        n_rows : int, optional
            About so many rows in each, before a condition (``where``); of Parquet one row group at least. If None, as
            many as are read at a time.

        Returns
        -------
        list of Piece
            Together they are the scan, in its order. The survey is made before, once for all of them.
        """
        _ = self.survey  # it goes with every piece
        size = self._rows_at_a_time if n_rows is None else n_rows
        stretches = cut(self.path, size, table=self.table, form=self.format)
        return [Piece(self, stretch) for stretch in stretches]

    def _measured(self, parts: Iterator[Part]) -> Iterator[Batch]:
        """Features of the chosen rows of these parts."""
        return (batch for _, batch in self._measured_parts(parts))

    def _measured_parts(self, parts: Iterator[Part]) -> Iterator[tuple[Part, Batch]]:
        """The parts of which a row is chosen, and the features of these rows."""
        survey = self.survey
        for part in parts:
            batch, _ = self._measure(part, survey.pairing, survey.whole)
            if batch is not None:
                yield part, batch

    @cached_property
    def survey(self) -> Survey:
        """What only all rows can tell: read once, and again only if the first rows were misleading."""
        raw = self._raw_pairing
        pairing: Pairing | None = None
        whole = Whole(frozenset(pair.column for pair in raw.columns))
        while True:
            assumed, contents, tally = self._read_all(pairing, whole)
            pairing = confirm_flags(raw, None, contents)
            zeros = [note for note in tally.notes if isinstance(note, ZeroErrors)]
            misled = any(note.n and note.key not in tally.positive for note in zeros)
            if pairing == assumed and not misled:
                break
            whole = Whole(tally.positive)
        for note in zeros:
            note.refuse()
        for pair in pairing.columns:
            refuse_no_values(tally, pair.column)
        refuse_empty(self._parsed, tally)
        warn_of(tally.doubts)
        whole = Whole(tally.positive, tally.noise, is_final=True)
        silent = dataclasses.replace(tally, notes=[], doubts=[])
        return Survey(pairing, whole, silent, in_words(tally.notes))

    def _read_all(
        self, pairing: Pairing | None, whole: Whole
    ) -> tuple[Pairing, dict[str, Content], Tally]:
        """Measure all rows once. Without a pairing, the first rows say which flags are flags."""
        tally, contents = Tally(), dict[str, Content]()
        n_read = 0
        for part in self._parts():
            n_read += len(part.table)
            for name, content in look_at_flags(self._raw_pairing, part.table).items():
                contents[name] = contents[name].plus(content) if name in contents else content
            if pairing is None:
                pairing = confirm_flags(self._raw_pairing, None, contents)
            tally = tally.plus(self._measure(part, pairing, whole)[1])
        if not n_read:
            raise CatalogueError(f"{self.path} has no rows; there is nothing to measure")
        if not tally.n_rows:
            raise CatalogueError(f"where {self.where}: no row of {n_read:,} is chosen")
        assert pairing is not None, "there was a part"
        return pairing, contents, tally

    def _measure(self, part: Part, pairing: Pairing, whole: Whole) -> tuple[Batch | None, Tally]:
        """Features of the chosen rows of a part, if there are any; rows are named by their numbers in the catalogue."""
        table, recipe = part.table, self.recipe
        rows: Ints = np.arange(len(table))
        try:
            if self.where is not None:
                rows = np.flatnonzero(choose_rows(table, self.where))
                table = pick(table, table.colnames, rows)
            if not len(rows):
                return None, Tally()
            measured, tally = measure_rows(
                table, self._parsed, pairing, recipe.missing, recipe.meaning(), whole
            )
        except RowError as error:
            raise _in_catalogue(error, part, int(rows[error.row])) from None
        numbers = rows + part.first
        return Batch(numbers, measured), tally.at(numbers)

    def _parts(self) -> Iterator[Part]:
        n_rows = self._rows_at_a_time
        return read_parts(self.path, self._columns, n_rows, table=self.table, form=self.format)

    @cached_property
    def _parsed(self) -> Any:
        return parse_features(self.recipe.features)

    @cached_property
    def _ucds(self) -> dict[str, str]:
        infos = list_columns(self.path, table=self.table, format=self.format)
        return {info.name: info.ucd for info in infos}

    @cached_property
    def _raw_pairing(self) -> Pairing:
        """By the names of the columns alone."""
        return self.recipe.pair(self._ucds)

    @cached_property
    def _columns(self) -> list[str]:
        asked = [] if self.where is None else columns_in(parse_condition(self.where))
        wanted = bases_of([*self._raw_pairing.needed(), *asked], self._ucds)
        return [
            name for name in wanted if name in self._ucds
        ]  # choose_rows says better what is not

    @property
    def _rows_at_a_time(self) -> int:
        if self.rows_at_a_time is not None:
            return self.rows_at_a_time
        numbers = len(self._columns) + len(self.names) ** 2
        return max(LEAST_ROWS, NUMBERS_AT_A_TIME // numbers)


@dataclass(frozen=True)
class Piece:
    """Some rows of a scan that follow each other. It can be pickled, and read where its files can be.

    Attributes
    ----------
    scan : Scan
        With its survey made: rows are measured as they would be among all others.
    stretch : Stretch
        Which file, and which of its rows.
    """

    scan: Scan
    stretch: Stretch

    @property
    def span(self) -> range:
        """Numbers that its rows have in the catalogue; a condition (``where``) may choose some of them only."""
        first, rows = self.stretch.first, self.stretch.rows
        assert rows is not None, "as they are cut"
        return range(first + rows.start, first + rows.stop)

    def batches(self) -> Iterator[Batch]:
        """The features of its rows, with the numbers that these have in the catalogue; none if none is chosen.

        Yields
        ------
        Batch
        """
        return self.scan._measured(self._parts())  # noqa: SLF001 (a part of the scan)

    def batches_with(self, columns: Sequence[str]) -> Iterator[BatchWithColumns]:
        """The same, with other columns of the catalogue.

        Parameters
        ----------
        columns : sequence of str

        Yields
        ------
        BatchWithColumns
        """
        parts = self._parts(columns)
        for part, (rows, measured) in self.scan._measured_parts(parts):  # noqa: SLF001
            yield BatchWithColumns(rows, measured, _beside(part, columns, rows))

    def _parts(self, more: Sequence[str] = ()) -> Iterator[Part]:
        scan, stretch = self.scan, self.stretch
        columns = dict.fromkeys([*scan._columns, *more])  # noqa: SLF001
        return stretch.parts([*columns], scan._rows_at_a_time, scan.format)  # noqa: SLF001


def _beside(part: Part, columns: Sequence[str], rows: Ints) -> Any:
    """Columns of some rows of a part, with what its file says of the table."""
    chosen = rows - part.first
    table = pick(part.table, columns, None if len(chosen) == len(part.table) else chosen)
    table.meta.update(part.table.meta)
    return table


def _in_catalogue(error: RowError, part: Part, row: int) -> RowError:
    """The same error, with the number of the row in the catalogue, and in its file if that is another."""
    number, in_file = row + part.first, row + part.first_in_file
    where = "" if number == in_file else f" (row {in_file} of {part.place})"
    return RowError(number, f"{where}{error.text}")
