"""The few objects of a list that are shown: judged once more, with everything there is to say about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.catalogue import Measurements
from peculiar.catalogue.scanning import BatchWithColumns, Piece, Scan
from peculiar.catalogue.tables import stack
from peculiar.report.candidates import Column, Features, described, feature_columns, judge_rows
from peculiar.report.in_parts.pieces import Judge, chosen


class Details(NamedTuple):
    """All that is known of some rows, but for what depends on all objects.

    Attributes
    ----------
    rows : ndarray of int of shape (m,)
    own : dict of columns
    features : dict of dicts of columns
    tolerance : ndarray of shape (m,)
    table : astropy.table.Table
        Columns of the catalogue.
    measured : Measurements
    """

    rows: Ints
    own: dict[str, Column]
    features: Features
    tolerance: Floats
    table: Any
    measured: Measurements


@dataclass(frozen=True)
class LookAgain:
    """Judge some rows of a piece once more, for a list on the screen.

    Attributes
    ----------
    judge : Judge
    wanted : ndarray of int
        Numbers of the rows, rising; those of other pieces may be among them.
    columns : tuple of str
        Of the catalogue.
    p : float
        Up to this p-value a row would be a discovery.
    """

    judge: Judge
    wanted: Ints
    columns: tuple[str, ...]
    p: float

    def __call__(
        self, _: int, piece: Piece, advance: Callable[[int], None] | None = None
    ) -> list[Details]:
        """Of each batch that has some of them."""
        return [
            self._details(piece.scan, batch) for batch in chosen(piece, self.wanted, self.columns)
        ]

    def _details(self, scan: Scan, batch: BatchWithColumns) -> Details:
        rows, measured, table = batch
        obs = self.judge.observe(scan, rows, measured)
        about = judge_rows(self.judge.population, obs)
        own = described(about, measured.names, self.judge.groups)
        tolerance = self.judge.population.tolerance(obs, self.p, about["log_p"])
        return Details(rows, own, feature_columns(about, measured), tolerance, table, measured)


def join(details: Sequence[Details]) -> Details:
    """Details of several parts, one after the other."""
    first = details[0]
    arrays = dict[str, Any]()
    for name in ("X", "X_std", "X_cov"):
        given = [getattr(each.measured, name) for each in details]
        arrays[name] = None if given[0] is None else np.concatenate(given)
    return Details(
        np.concatenate([each.rows for each in details]),
        {name: np.concatenate([each.own[name] for each in details]) for name in first.own},
        {
            label: {
                end: np.concatenate([each.features[label][end] for each in details]) for end in ends
            }
            for label, ends in first.features.items()
        },
        np.concatenate([each.tolerance for each in details]),
        stack(_alike([each.table for each in details])),
        dataclasses.replace(first.measured, **arrays),
    )


def _alike(tables: Sequence[Any]) -> list[Any]:
    """Tables with text in all of a column or in none: where no value is, it may have been taken for numbers."""
    texts = {name for table in tables for name in table.colnames if _is_text(table[name])}
    return [_with_words(table, texts) for table in tables]


def _with_words(table: Any, texts: Collection[str]) -> Any:
    """The same table; columns of these names that are no text, and so have no values, become missing words."""
    changed = [name for name in texts if not _is_text(table[name])]
    made = table.copy() if changed else table
    for name in changed:
        made[name] = np.ma.MaskedArray(np.full(len(made), "", dtype=np.str_), mask=True)
    return made


def _is_text(column: Any) -> bool:
    return column.dtype.kind in "SU"


def take(columns: Mapping[str, Column], rows: Ints) -> dict[str, Column]:
    """Some rows of columns."""
    return {name: column[rows] for name, column in columns.items()}
