"""Features as arrays: values, errors with their full covariance, and notes on what became missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from peculiar.arrays import Floats
from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.columns.notes import Note, Remark, in_words
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.expressions.grammar import Feature
from peculiar.catalogue.expressions.nodes import ASINHMAG, Call
from peculiar.catalogue.expressions.propagate import (
    Dual,
    Watch,
    deviation,
    evaluate,
    variance,
)
from peculiar.errors import CatalogueError, PropagationWarning
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from astropy.table import Table


@dataclass(frozen=True)
class Measurements:
    """Features of the objects of a catalogue, with their errors.

    Attributes
    ----------
    names : tuple of str
        Labels of the features.
    X : ndarray of shape (n, d)
        NaN where missing.
    X_std : ndarray of shape (n, d) or None
        One-sigma errors, if those of different features are independent.
    X_cov : ndarray of shape (n, d, d) or None
        Error covariances, if they are not. Both are None if all features are exact.
    units : tuple of str
        Empty where the columns say nothing.
    pairing : Pairing
        Which column was taken as the error of which.
    notes : tuple of str
        How many values became missing, and why.
    expressions : tuple of str
        What the features are made of; the same as the labels where the user gave no names.
    """

    names: tuple[str, ...]
    X: Floats
    X_std: Floats | None
    X_cov: Floats | None
    units: tuple[str, ...]
    pairing: Pairing
    notes: tuple[str, ...]
    expressions: tuple[str, ...] = ()

    def arguments(self) -> dict[str, Floats]:
        """Keyword arguments of an estimator: ``model.fit(**measurements.arguments())``."""
        given = {"X": self.X, "X_std": self.X_std, "X_cov": self.X_cov}
        return {name: array for name, array in given.items() if array is not None}

    @property
    def errors(self) -> Floats:
        """One-sigma errors, of shape (n, d); 0 for features that are exact, NaN where a value is missing."""
        if self.X_cov is not None:
            errors: Floats = np.sqrt(np.diagonal(self.X_cov, axis1=1, axis2=2))
        else:
            errors = np.zeros_like(self.X) if self.X_std is None else self.X_std
        return np.where(np.isnan(self.X), np.nan, errors)

    def to_table(self) -> Table:
        """The features as a table, with their errors and the correlations of these.

        Returns
        -------
        astropy.table.Table
            Plain names of columns (``u_r``, ``u_r_err``, ``u_r_g_r_corr``), with the expression in the description;
            :func:`measure` finds the errors of such a table by their names.

        Examples
        --------
        >>> from peculiar.catalogue import measure
        >>> colours = measure({"u": [3.0], "u_err": [0.3], "r": [1.0], "r_err": [0.4]}, "u - r")
        >>> print(colours.to_table())
        u_r u_r_err
        --- -------
        2.0     0.5
        """
        from peculiar.catalogue.as_columns import table_of

        return table_of(self)


def assemble(
    parsed: Sequence[Feature],
    columns: MeasuredColumns,
    pairing: Pairing,
    tally: Tally,
    whole: Whole | None = None,
) -> Measurements:
    """Features of columns, and their covariance J C J'.

    Parameters
    ----------
    parsed : sequence of Feature
    columns : MeasuredColumns
    pairing : Pairing
    tally : Tally
        What was noted of the columns; what is noted of the features is added.
    whole : Whole, optional
        What is known of the table that these rows are a part of. None: they are all there are.

    Returns
    -------
    Measurements
    """
    duals = []
    # NaN is a missing value; what made it is noted where it is made.
    with np.errstate(all="ignore"):
        for feature in parsed:
            watch = Watch(feature.label, columns)
            duals.append(evaluate(feature.tree, watch))
            tally.notes += watch.notes
            tally.doubts += watch.warnings
        X = _values(parsed, duals, columns.n_rows)
        X_std, X_cov = _noise(duals, columns, X, whole)
    X = _without_overflow(parsed, X, X_std, X_cov, tally)
    _count_noise(X, X_std, X_cov, tally)
    for feature, column in zip(parsed, X.T, strict=True):
        tally.saw("feature", feature.label, np.count_nonzero(~np.isnan(column)))
    if whole is None:
        refuse_empty(parsed, tally)
        warn_of(tally.doubts)
    words = tuple(
        _unit(feature, dual, columns) for feature, dual in zip(parsed, duals, strict=True)
    )
    labels = tuple(feature.label for feature in parsed)
    texts = tuple(str(feature.tree) for feature in parsed)
    return Measurements(labels, X, X_std, X_cov, words, pairing, in_words(tally.notes), texts)


def warn_of(doubts: Iterable[Remark]) -> None:
    """Warn of errors that are too large to be propagated."""
    for sentence in in_words(doubts):
        warn_caller(sentence, PropagationWarning)


def _values(parsed: Sequence[Feature], duals: Sequence[Dual], n_rows: int) -> Floats:
    X = np.empty((n_rows, len(parsed)))
    for j, dual in enumerate(duals):
        X[:, j] = dual.value
    return X


def _noise(
    duals: Sequence[Dual], columns: MeasuredColumns, X: Floats, whole: Whole | None
) -> tuple[Floats | None, Floats | None]:
    """Standard deviations if the features are independent, covariances if not, nothing if they are exact."""
    n, d = X.shape
    if not any(dual.partials for dual in duals):
        return None, None
    X_std = np.empty((n, d))
    pairs: dict[tuple[int, int], Floats] = {}
    for j, dual in enumerate(duals):
        X_std[:, j] = deviation(columns, dual.partials)
        for i in range(j):
            shared = np.broadcast_to(variance(columns, duals[i].partials, dual.partials), n)
            if np.any(np.isfinite(shared) & (shared != 0)):
                pairs[i, j] = shared
    if not pairs and (whole is None or whole.noise != "cov"):
        return X_std, None
    X_cov = np.zeros((n, d, d))
    X_cov[:, range(d), range(d)] = np.square(X_std)
    for (i, j), shared in pairs.items():
        X_cov[:, i, j] = X_cov[:, j, i] = shared
    return None, X_cov


def _count_noise(X: Floats, X_std: Floats | None, X_cov: Floats | None, tally: Tally) -> None:
    """What kind of errors there are, and how large they are."""
    given = X_std if X_cov is None else X_cov
    if given is None:
        tally.largest_errors = (0.0,) * X.shape[1]
        return
    tally.noise, tally.is_noisy = "std" if X_cov is None else "cov", bool(given.any())
    errors = X_std if X_cov is None else np.sqrt(np.diagonal(X_cov, axis1=1, axis2=2))
    largest = np.max(np.asarray(errors), axis=0, where=~np.isnan(X), initial=0.0)
    tally.largest_errors = tuple(largest.tolist())


def _without_overflow(
    parsed: Sequence[Feature],
    X: Floats,
    X_std: Floats | None,
    X_cov: Floats | None,
    tally: Tally,
) -> Floats:
    """Infinite values, and values with infinite errors, are missing."""
    errors = X_std if X_cov is None else np.diagonal(X_cov, axis1=1, axis2=2)
    bad = np.isinf(X) if errors is None else np.isinf(X) | (~np.isfinite(errors) & ~np.isnan(X))
    for feature, count in zip(parsed, bad.sum(axis=0), strict=True):
        sentence = f"feature {feature.label!r}: {{values}} missing as values or errors overflow"
        tally.notes.append(Note.of(count, sentence))
    return np.where(bad, np.nan, X)


def refuse_empty(parsed: Sequence[Feature], tally: Tally) -> None:
    """CatalogueError if a feature has no value in any row."""
    for feature in parsed:
        if tally.n_seen["feature", feature.label]:
            continue
        words = (*feature.columns, feature.label)
        why = [note for note in in_words(tally.notes) if any(word in note for word in words)]
        raise CatalogueError(
            "\n  ".join(
                [
                    f"feature {cut(feature.label)!r} has no value in any of {tally.n_rows:,} rows",
                    *why[:8],
                ]
            )
        )


def _unit(feature: Feature, dual: Dual, columns: MeasuredColumns) -> str:
    if isinstance(feature.tree, Call) and feature.tree.function == ASINHMAG:
        return "mag"
    if isinstance(feature.tree, Call) and feature.tree.function in {"log10", "log", "ln"}:
        with np.errstate(all="ignore"):
            inner = units.word(evaluate(feature.tree.argument, Watch("", columns)).unit)
        return f"{feature.tree.function}({inner})" if inner else ""
    return units.word(dual.unit)
