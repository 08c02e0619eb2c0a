"""A ranked list of a catalogue that stays on the disk: part files, then buckets by rank, then a file and its top."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.scanning import Piece
from peculiar.catalogue.sorting import PartFiles, appending
from peculiar.errors import CatalogueError, MissingNoiseWarning
from peculiar.estimators.elsewhere import refuse_random
from peculiar.estimators.rows import NO_NOISE
from peculiar.estimators.verdict_columns import VERDICT
from peculiar.report.candidates import (
    Candidates,
    Column,
    Totals,
    in_company,
    in_turns,
    of_groups,
    verdict_of,
)
from peculiar.report.in_parts.details import LookAgain, join, take
from peculiar.report.in_parts.ordering import Counts, Ranked, Rule, Sorted, sort
from peculiar.report.in_parts.pieces import (
    ROW,
    TOLERANCE,
    Judge,
    JudgePiece,
    TolerateErrors,
    Work,
    has_any,
    map_pieces,
)
from peculiar.report.ranked import Likeness, Source, sources_of
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

Numbered = list[tuple[int, Piece]]


class Map(Protocol):
    """How pieces are worked on: as :func:`map_pieces` does it, or elsewhere."""

    def __call__(
        self, work: Work, pieces: Numbered, advance: Callable[[int], None] | None = None, /
    ) -> Iterator[Any]:
        """What the work gives, in the order of the pieces."""
        ...


class Course(Protocol):
    """Hears how far it is."""

    def rows(self, done: int, n: int) -> None:
        """So many rows are done, of so many."""
        ...

    def steps(self, done: int, n: int, what: str) -> None:
        """So many steps are done, of so many; what comes next."""
        ...


@dataclass(frozen=True)
class Workshop:
    """What a list in parts is made with.

    Attributes
    ----------
    folder : Path
        Where part files are kept. Those of the same model and the same pieces that are there already are used.
    bucket_rows : int
        About so many rows are sorted in memory at a time.
    mapped : callable
        Where pieces are worked on.
    """

    folder: Path
    bucket_rows: int
    mapped: Map = map_pieces

    def files(self, name: str) -> PartFiles:
        """Part files of that kind."""
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        return PartFiles(self.folder / name)

    def do(
        self, work: Work, files: PartFiles, pieces: Numbered, course: Course
    ) -> dict[int, dict[str, Any]]:
        """Facts about all pieces. Those that were done before are not done again."""
        facts = {number: known for number, _ in pieces if (known := files.done(number)) is not None}
        open_ = [(number, piece) for number, piece in pieces if number not in facts]
        rows = {number: len(piece.span) for number, piece in pieces}
        advance = _telling(course, sum(rows[number] for number in facts), sum(rows.values()))
        for (number, _), found in zip(open_, self.mapped(work, open_, advance), strict=True):
            facts[number] = found
        return facts


def _telling(course: Course, done: int, n: int) -> Callable[[int], None]:
    """From rows done since the last time to rows done of all."""

    def advance(more: int) -> None:
        nonlocal done
        done += more
        course.rows(done, n)

    return advance


class _ByPieces:
    """A course for work that is about few rows of each piece."""

    def __init__(self, course: Course, n_pieces: int) -> None:
        self.course, self.n_pieces = course, n_pieces

    def rows(self, done: int, n: int) -> None:
        """The share of the rows stands for that of the pieces."""
        piece = done * self.n_pieces // max(n, 1)
        self.course.steps(
            piece, self.n_pieces, f"error tolerances, part {piece} of {self.n_pieces}"
        )

    def steps(self, done: int, n: int, what: str) -> None:
        """As they are."""
        self.course.steps(done, n, what)


def list_in_parts(
    model: PlainMixture,
    pieces: Sequence[Piece],
    rule: Rule,
    workshop: Workshop,
    columns: Sequence[str] | None,
    course: Course,
) -> ListInParts:
    """Judge a catalogue piece by piece, and find out what its objects are in the company of all.

    Parameters
    ----------
    model : PlainMixture
        Fitted.
    pieces : sequence of Piece
        All of a scan.
    rule : Rule
    workshop : Workshop
    columns : sequence of str or None
        Columns of the catalogue that are to be written beside the verdict; None if nothing is to be written.
    course : Course

    Returns
    -------
    ListInParts
    """
    scan = pieces[0].scan
    refuse_random(model.population_.model.engine)
    if getattr(model, "_has_noise", False) and not scan.is_noisy:
        warn_caller(NO_NOISE, MissingNoiseWarning)
    judge, files = Judge.of(model), workshop.files("judged")
    numbered = list(enumerate(pieces))
    work = JudgePiece(judge, files, None if columns is None else tuple(columns))
    facts = workshop.do(work, files, numbered, course)
    course.steps(0, 2, "counting")
    counts = Counts.of(files, len(pieces), rule)
    n_judged = sum(own["n_rows"] for own in facts.values())
    _refuse_lost(n_judged, counts.n, files)
    course.steps(1, 2, "sorting")
    places = [str(piece.stretch) for piece in pieces]
    ordered = sort(files, places, rule, counts, workshop.bucket_rows, workshop.folder / "sorted")
    _refuse_lost(n_judged, sum(ordered.buckets.sizes), files)
    labels = scan.names
    alike = [
        Likeness.from_plain(labels, own["likeness"]) for own in facts.values() if "likeness" in own
    ]
    known = functools.reduce(Likeness.plus, alike).known() if alike else set[tuple[str, str]]()
    return ListInParts(judge, numbered, workshop, ordered, counts, known)


def _refuse_lost(n_judged: int, n_found: int, files: PartFiles) -> None:
    """CatalogueError unless there are as many rows as were judged."""
    if n_found != n_judged:
        raise CatalogueError(
            f"{n_judged:,} rows were judged, but {n_found:,} are in the files of {files.folder}: something else has "
            "changed them. The same command makes again what does not fit"
        )


@dataclass(frozen=True)
class ListInParts:
    """Where the list of a catalogue is, in parts.

    Attributes
    ----------
    judge : Judge
    pieces : list of (int, Piece)
    workshop : Workshop
    ordered : Sorted
    counts : Counts
    known : set of (label, end)
        What of the features is a column of the catalogue.
    """

    judge: Judge
    pieces: Numbered
    workshop: Workshop
    ordered: Sorted
    counts: Counts
    known: set[tuple[str, str]]

    @property
    def totals(self) -> Totals:
        """What is counted in the whole list."""
        counts, n_found = self.counts, self.ordered.line.n_found
        return Totals(counts.n, n_found, counts.calibration, of_groups(counts.of_groups))

    def top(self, n: int, columns: Sequence[str]) -> tuple[Candidates, Any]:
        """The first n objects of the list, at least one; and columns of the catalogue for ``order`` to choose from.

        Parameters
        ----------
        n : int
        columns : sequence of str

        Returns
        -------
        Candidates
        astropy.table.Table
        """
        first = self.ordered.at(self._ranks(0, min(max(n, 1), self.counts.n)))
        wanted = np.sort(first.row)
        there = [(i, piece) for i, piece in self.pieces if has_any(piece, wanted)]
        work = LookAgain(self.judge, wanted, tuple(columns), self.ordered.line.greatest_p)
        found = join([details for some in self.workshop.mapped(work, there) for details in some])
        order = np.searchsorted(found.rows, first.row)
        candidates = Candidates(
            order,
            verdict_of(take(found.own, order), self._company(first, found.tolerance[order])),
            {label: take(ends, order) for label, ends in found.features.items()},
            dataclasses.replace(found.measured, notes=self.pieces[0][1].scan.notes),
            self.totals,
            self.judge.groups,
        )
        return candidates, found.table

    def write(self, path: Path, like: Any, columns: Sequence[str], course: Course) -> None:
        """Write all objects with all their columns.

        Parameters
        ----------
        path : Path
            Of a Parquet file.
        like : astropy.table.Table
            The top of the list as :func:`~peculiar.report.ranked_table` makes it.
        columns : sequence of str
            Those of the catalogue.
        course : Course
        """
        rows, tolerances = self._tolerances(course)
        verdict = [name for name in VERDICT if name in self.judge.verdict]
        labels = self.pieces[0][1].scan.names
        sources = sources_of(verdict, columns, labels, self.known)
        n_done = 0
        with appending(path, like, {name: str(source) for name, source in sources.items()}) as out:
            for ranks in self._chunks():
                some, table = self.ordered.with_table(ranks)
                tolerance = np.ones(len(ranks))
                strange = np.isin(some.row, rows)
                tolerance[strange] = tolerances[np.searchsorted(rows, some.row[strange])]
                company = self._company(some, tolerance)
                out.add(table, {str(Source("verdict", name)): c for name, c in company.items()})
                n_done += len(ranks)
                course.rows(n_done, self.counts.n)

    def _company(self, some: Ranked, tolerance: Floats) -> dict[str, Column]:
        is_found = some.q <= self.ordered.rule.fdr
        return in_company(some.log_p, some.row, some.rank, some.q, is_found, tolerance)

    def _tolerances(self, course: Course) -> tuple[Ints, Floats]:
        """Rows whose errors would have to be larger for them to be no discoveries, and by which factor."""
        p, judged = self.ordered.line.greatest_p, self.workshop.files("judged")
        files = self.workshop.files(f"tolerance-{p!r}")
        work = TolerateErrors(self.judge, judged, files, p)
        self.workshop.do(work, files, self.pieces, _ByPieces(course, len(self.pieces)))
        rows, factors = [np.empty(0, dtype=np.int64)], [np.empty(0)]
        for number, _ in self.pieces:
            for part in files.columns(number, [ROW, TOLERANCE]):
                rows.append(part[ROW].astype(np.int64))
                factors.append(part[TOLERANCE].astype(np.float64))
        return np.concatenate(rows), np.concatenate(factors)

    @cached_property
    def _turns(self) -> Ints:
        """Ranks of the discoveries, in the order of a list that is mixed."""
        n_found = self.ordered.line.n_found
        ranks: Ints = np.arange(1, n_found + 1)
        group = self.ordered.at(ranks).group
        return ranks[in_turns(np.arange(n_found), group, np.ones(n_found, dtype=np.bool_))]

    def _ranks(self, start: int, stop: int) -> Ints:
        """Ranks of those who have these places in the list."""
        places: Ints = np.arange(start, stop)
        if self.ordered.rule.order == "plain":
            return places + 1
        turns = self._turns
        return np.concatenate([turns[start:stop], places[places >= len(turns)] + 1])

    def _chunks(self) -> Iterator[Ints]:
        """The same of the whole list, as many at a time as a bucket has."""
        cuts = [0, *np.cumsum(self.ordered.buckets.sizes).tolist()]
        for start, stop in itertools.pairwise(cuts):
            if start < stop:
                yield self._ranks(start, stop)
