"""What an affine transformation does to measurement errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.observations import DiagonalNoise, FullNoise, Noise, NoNoise

_CLOSE = 1e-6
_PROBED = 64
"""Rows of the table that show whether a transformation is affine."""


@dataclass(frozen=True)
class AffineMap:
    """The linear part A of a transformation x -> A x + b: all that errors need to know.

    Attributes
    ----------
    matrix : ndarray of shape (d_out, d_in)
    """

    matrix: Floats

    @classmethod
    def of(cls, transformer: Any, X: Any, values: Floats) -> Self:
        """The map that a fitted transformer is, found by trying it; InputError if it is not affine.

        Parameters
        ----------
        transformer : fitted transformer
        X : array-like of shape (n, d)
            As the user gave it: a transformer may ask for the names of its columns.
        values : ndarray of shape (n, d)
            The same as numbers, NaN where missing.
        """
        centre, spread = _middle(values)
        probes = centre + np.vstack([np.zeros(len(centre)), np.diag(spread)])
        found = _transform(transformer, _like(X, probes))
        matrix = (found[1:] - found[0]).T / spread
        _refuse_curved(transformer, X, values, found[0] - matrix @ centre, matrix)
        return cls(np.where(np.abs(matrix) < 1e-14 * np.abs(matrix).max(), 0.0, matrix))

    @property
    def mixes(self) -> bool:
        """Whether a new feature is made of several, or two new ones of the same."""
        used = self.matrix != 0
        return bool((used.sum(axis=0) > 1).any() or (used.sum(axis=1) > 1).any())

    def errors(self, noise: Noise) -> dict[str, Floats]:
        """The errors of the new features, as arguments of an estimator."""
        if isinstance(noise, NoNoise):
            return {}
        if isinstance(noise, DiagonalNoise):
            if not self.mixes:
                return {"X_std": _times(noise.std, np.abs(self.matrix).T)}
            self._refuse_unknown(noise.std)
            return {
                "X_cov": np.einsum(
                    "ij,nj,kj->nik", self.matrix, np.square(noise.std), self.matrix, optimize=True
                )
            }
        assert isinstance(noise, FullNoise)
        self._refuse_unknown(np.diagonal(noise.cov, axis1=1, axis2=2))
        # What is not finite belongs to missing values.
        known = np.where(np.isfinite(noise.cov), noise.cov, 0.0)
        return {"X_cov": self.matrix @ known @ self.matrix.T}

    def _refuse_unknown(self, errors: Floats) -> None:
        """A value of which nothing is known cannot be mixed with others."""
        if self.mixes and not np.isfinite(errors).all():
            row, column = (int(i) for i in np.argwhere(~np.isfinite(errors))[0])
            raise InputError(
                f"row {row}, column {column}: the error is {errors[row, column]}, and the transformer makes new "
                "features of several columns; leave such rows out, or give them a large error"
            )


def _times(std: Floats, factors: Floats) -> Floats:
    """One factor for each new feature; 0 times inf is no NaN here, as the other features do not enter."""
    source = np.argmax(factors != 0, axis=0)
    return np.asarray(std[:, source] * factors[source, range(factors.shape[1])])


def _middle(values: Floats) -> tuple[Floats, Floats]:
    """Where to try a transformer: in the middle of the data, and by as much as they spread."""
    centre, spread = np.nanmedian(values, axis=0), np.nanstd(values, axis=0)
    return centre, np.where(spread > 0, spread, 1.0)


def _like(X: Any, rows: Floats) -> Any:
    """Rows as a table with the columns of X, if it has names; else as they are."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "dtypes"):
        return rows
    return type(X)(dict(zip(columns, rows.T, strict=True)))  # pandas and polars


def _transform(transformer: Any, rows: Any) -> Floats:
    """What a transformer makes of rows, as numbers."""
    found = transformer.transform(rows)
    dense = found.toarray() if hasattr(found, "toarray") else found
    return np.asarray(dense, dtype=np.float64).reshape(len(rows), -1)


def _refuse_curved(
    transformer: Any, X: Any, values: Floats, offset: Floats, matrix: Floats
) -> None:
    """InputError if rows of the table do not come out as A x + b says."""
    complete = np.flatnonzero(~np.isnan(values).any(axis=1))
    rows = values[complete[:: max(1, len(complete) // _PROBED)]]
    if not len(rows):
        return
    wanted, found = rows @ matrix.T + offset, _transform(transformer, _like(X, rows))
    sizes = np.abs(rows) @ np.abs(matrix).T + np.abs(offset)  # what rounding is measured by
    far = np.abs(found - wanted) > _CLOSE * (np.nanstd(wanted, axis=0) + 1e-6 * sizes)
    if far.any():
        row, column = (int(i) for i in np.argwhere(far)[0])
        raise InputError(
            f"{type(transformer).__name__} is not affine (new feature {column} of a row is {found[row, column]:g}, a "
            f"linear function of the columns gives {wanted[row, column]:g}), so that errors cannot go through it; "
            "transform values and errors yourself, and give the results to the model"
        )
