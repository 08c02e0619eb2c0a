"""What is done with a piece of a catalogue, wherever that is: judge its rows, and look at some of them again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.backends.ahead import read_ahead
from peculiar.backends.dask.cluster import each_on_cluster
from peculiar.catalogue import Measurements
from peculiar.catalogue.scanning import BatchWithColumns, Piece, Scan
from peculiar.catalogue.sorting import PartFiles
from peculiar.errors import InputError
from peculiar.estimators.elsewhere import reach_of
from peculiar.estimators.verdict_columns import VERDICT
from peculiar.observations import NoNoise, Observations
from peculiar.population import Population
from peculiar.population.groups import Groups
from peculiar.report.candidates import (
    Column,
    Features,
    described,
    feature_columns,
    judge_rows,
    judging_population,
)
from peculiar.report.ranked import Likeness, Source
from peculiar.validation import check_noise, check_reach

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

Work = Callable[[int, Piece, Callable[[int], None] | None], Any]
"""Something to do with a piece of that number. It can be pickled, and what it gives is small."""

LOG_P, ROW = str(Source("verdict", "log_p")), str(Source("verdict", "row"))
GROUP, PROBABILITY = (
    str(Source("verdict", "group")),
    str(Source("verdict", "outlier_probability")),
)
TOLERANCE = str(Source("verdict", "error_tolerance"))


def map_pieces(
    work: Work, pieces: Iterable[tuple[int, Piece]], advance: Callable[[int], None] | None = None
) -> Iterator[Any]:
    """Work on pieces one after the other. Whoever has a cluster does this there, and nothing else differently.

    Parameters
    ----------
    work : callable
    pieces : iterable of (int, Piece)
    advance : callable, optional
        Called with the number of rows that were done since the last time.

    Yields
    ------
    object
        What the work gives, in the order of the pieces.
    """
    for number, piece in pieces:
        yield work(number, piece, advance)


def map_on_cluster(
    work: Work, pieces: Iterable[tuple[int, Piece]], advance: Callable[[int], None] | None = None
) -> Iterator[Any]:
    """The same on the cluster of Dask that is current. Part files are written by its workers, which see the folder.

    Parameters
    ----------
    work, pieces, advance
        As for :func:`map_pieces`.

    Yields
    ------
    object
        What the work gives, in the order of the pieces.
    """

    def tell(piece: Piece) -> None:
        if advance is not None:
            advance(len(piece.span))

    yield from each_on_cluster(_Alone(work), list(pieces), tell)


@dataclass(frozen=True)
class _Alone:
    """Work that tells nobody how far it is."""

    work: Work

    def __call__(self, number: int, piece: Piece) -> Any:
        return self.work(number, piece, None)


@dataclass(frozen=True)
class Judge:
    """A model that is asked about pieces.

    Attributes
    ----------
    model : PlainMixture
        Knows the names of the features, for messages.
    population : Population
    groups : ndarray or None
    """

    model: PlainMixture
    population: Population
    groups: Groups | None

    @classmethod
    def of(cls, model: PlainMixture) -> Judge:
        """Of a fitted model."""
        return cls(model, *judging_population(model))

    @property
    def verdict(self) -> list[str]:
        """The columns of a verdict."""
        has_wild = self.population.params.wild_fraction > 0
        return [name for name in VERDICT if has_wild or name != "outlier_probability"]

    def observe(self, scan: Scan, rows: Ints, measured: Measurements) -> Observations:
        """Some rows of a scan, treated as they are among all."""
        try:
            values, noise = check_noise(self.model, measured.X, measured.X_std, measured.X_cov)
        except InputError as error:
            raise InputError(
                f"{scan.path}, rows {rows[0]:,} to {rows[-1]:,}, counted here from the first of them: {error}"
            ) from None
        if not scan.is_noisy:
            noise = NoNoise(len(rows))
        check_reach(self.model, values, noise, reach_of(self.population), rows)
        return Observations.part(values, noise, self.population.scaling, scan.largest_errors)


@dataclass(frozen=True)
class JudgePiece:
    """Judge all rows of a piece, and keep what was found in a part file.

    Attributes
    ----------
    judge : Judge
    files : PartFiles
    columns : tuple of str or None
        Columns of the catalogue to keep beside all that was found; None: only what ranks the rows is kept.
    """

    judge: Judge
    files: PartFiles
    columns: tuple[str, ...] | None

    def __call__(
        self, number: int, piece: Piece, advance: Callable[[int], None] | None = None
    ) -> dict[str, Any]:
        """What was found out about the piece as a whole."""
        facts: dict[str, Any] = {"n_rows": 0}
        self.files.write(number, self._tables(piece, facts, advance), facts)
        return facts

    def _tables(
        self, piece: Piece, facts: dict[str, Any], advance: Callable[[int], None] | None
    ) -> Iterator[Any]:
        keep, briefly = self.columns or (), self.columns is None
        likeness = None
        for rows, measured, table in read_ahead(lambda: piece.batches_with(keep)):
            obs = self.judge.observe(piece.scan, rows, measured)
            about = judge_rows(self.judge.population, obs, _steps(advance), briefly=briefly)
            facts["n_rows"] += len(rows)
            if briefly:
                yield _keys_only(rows, about, self.judge.groups)
                continue
            own = described(about, measured.names, self.judge.groups)
            features = feature_columns(about, measured)
            here = Likeness.of(table, features)
            likeness = here if likeness is None else likeness.plus(here)
            yield _part_table({"row": rows, **own}, table, features)
        if likeness is not None:
            facts["likeness"] = likeness.plain()


def _steps(advance: Callable[[int], None] | None) -> Callable[[int, int], None] | None:
    """From rows done so far to rows done since."""
    if advance is None:
        return None
    before = 0

    def tell(done: int, _: int) -> None:
        nonlocal before
        advance(done - before)
        before = done

    return tell


def _keys_only(rows: Ints, about: dict[str, Column], groups: Groups | None) -> Any:
    from peculiar.population.groups import group_of

    own = {"log_p": about["log_p"], "group": group_of(groups, about["component"])}
    if "outlier_probability" in about:
        own["outlier_probability"] = about["outlier_probability"]
    return _part_table({"row": rows, **own}, None, {})


def _part_table(own: dict[str, Column], table: Any, features: Features) -> Any:
    """Columns by where they come from."""
    from peculiar.catalogue import as_table

    made: dict[str, Any] = {str(Source("verdict", name)): column for name, column in own.items()}
    for name in () if table is None else table.colnames:
        made[str(Source("catalogue", name))] = table[name]
    for label, ends in features.items():
        made |= {str(Source("feature", label, end)): column for end, column in ends.items()}
    return as_table(made)


@dataclass(frozen=True)
class TolerateErrors:
    """The error tolerance of those rows of a piece for which it is a question, in another part file.

    Attributes
    ----------
    judge : Judge
    judged : PartFiles
        What :class:`JudgePiece` left.
    files : PartFiles
    p : float
        Up to this p-value a row would be a discovery.
    """

    judge: Judge
    judged: PartFiles
    files: PartFiles
    p: float

    def __call__(
        self, number: int, piece: Piece, advance: Callable[[int], None] | None = None
    ) -> dict[str, Any]:
        """No facts: all is in the file."""
        facts = dict[str, Any]()
        self.files.write(number, self._tables(number, piece, advance), facts)
        return facts

    def _tables(
        self, number: int, piece: Piece, advance: Callable[[int], None] | None
    ) -> Iterator[Any]:
        wanted, log_p = self._strange(number)
        for rows, measured, _ in chosen(piece, wanted, ()):
            obs = self.judge.observe(piece.scan, rows, measured)
            known = log_p[np.searchsorted(wanted, rows)]
            tolerance = self.judge.population.tolerance(obs, self.p, known)
            yield _part_table({"row": rows, "error_tolerance": tolerance}, None, {})
        if advance is not None:
            advance(len(piece.span))

    def _strange(self, number: int) -> tuple[Ints, Floats]:
        """Numbers and log p of the rows below the line, in rising order of their numbers."""
        rows, log_ps = [np.empty(0, dtype=np.int64)], [np.empty(0)]
        for part in self.judged.columns(number, [ROW, LOG_P]):
            is_strange = part[LOG_P] < math.log(self.p)
            rows.append(part[ROW][is_strange].astype(np.int64))
            log_ps.append(part[LOG_P][is_strange].astype(np.float64))
        return np.concatenate(rows), np.concatenate(log_ps)


def chosen(piece: Piece, wanted: Ints, columns: tuple[str, ...]) -> Iterator[BatchWithColumns]:
    """Batches with those rows only that are wanted; none without any. Nothing is read if the piece has none."""
    if not has_any(piece, wanted):
        return
    for rows, measured, table in read_ahead(lambda: piece.batches_with(columns)):
        some = np.flatnonzero(np.isin(rows, wanted))
        if len(some):
            yield BatchWithColumns(rows[some], _take(measured, some), table[some])


def _take(measured: Measurements, rows: Ints) -> Measurements:
    """The features of some rows."""
    X, X_std, X_cov = (
        None if given is None else given[rows]
        for given in (measured.X, measured.X_std, measured.X_cov)
    )
    assert X is not None, "values are always there"
    return dataclasses.replace(measured, X=X, X_std=X_std, X_cov=X_cov)


def has_any(piece: Piece, rows: Ints) -> bool:
    """Whether any of these rows is in a piece."""
    return bool(np.any((rows >= piece.span.start) & (rows < piece.span.stop)))
