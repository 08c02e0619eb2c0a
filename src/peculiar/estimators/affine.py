"""What an affine transformation does to measurement errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.observations import DiagonalNoise, FullNoise, Noise, NoNoise

_CLOSE = 1e-6


@dataclass(frozen=True)
class AffineMap:
    """A transformation x -> A x + b.

    Attributes
    ----------
    matrix : ndarray of shape (d_out, d_in)
        A: all that errors need to know.
    offset : ndarray of shape (d_out,)
        b.
    spread : ndarray of shape (d_in,)
        Of the data, by which deviations are measured.
    name : str
        Of the transformer, for messages.
    """

    matrix: Floats
    offset: Floats
    spread: Floats
    name: str

    @classmethod
    def of(cls, transformer: Any, X: Any, values: Floats) -> Self:
        """The map that a fitted transformer is if it is affine at all, found by trying it near the middle of the data.

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
        matrix = np.where(np.abs(matrix) < 1e-14 * np.abs(matrix).max(initial=0.0), 0.0, matrix)
        return cls(matrix, found[0] - matrix @ centre, spread, type(transformer).__name__)

    def check(self, values: Floats, found: Floats) -> None:
        """InputError if rows do not come out of the transformer as A x + b says, or missing values as known ones.

        All rows are looked at, whenever there are any: a scaler that clips is affine until a row is far away, and such
        rows are what we are after.

        Parameters
        ----------
        values : ndarray of shape (n, d_in)
            NaN where missing.
        found : ndarray of shape (n, d_out)
        """
        filled = (np.isnan(values).astype(float) @ (self.matrix != 0).T > 0) & ~np.isnan(found)
        if filled.any():
            row, feature = (int(i) for i in np.argwhere(filled)[0])
            column = int(np.flatnonzero(np.isnan(values[row]) & (self.matrix[feature] != 0))[0])
            raise InputError(
                f"row {row}, column {column} is missing, but {self.name} makes {found[row, feature]:g} of it, which "
                "nobody has measured; leave the step out that fills in missing values: the model does without them"
            )
        wanted = np.nan_to_num(values) @ self.matrix.T + self.offset
        sizes = np.abs(np.nan_to_num(values)) @ np.abs(self.matrix).T + np.abs(
            self.offset
        )  # for rounding
        near = _CLOSE * (np.abs(self.matrix) @ self.spread + 1e-6 * sizes)
        far = ~np.isnan(found) & ~(np.abs(found - wanted) <= near)
        far[np.isnan(values).any(axis=1)] = False  # known by what is missing
        if far.any():
            row, column = (int(i) for i in np.argwhere(far)[0])
            raise InputError(
                f"{self.name} is not affine (new feature {column} of row {row} is {found[row, column]:g}, a linear "
                f"function of the columns gives {wanted[row, column]:g}), so that errors cannot go through it; "
                "transform values and errors yourself, and give the results to the model"
            )

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
    return as_numbers(transformer.transform(rows), len(rows), type(transformer).__name__)


def as_numbers(found: Any, n_rows: int, name: str) -> Floats:
    """What a transformer has made of so many rows, as a table of numbers; InputError if it is none.

    Parameters
    ----------
    found : array-like or sparse matrix
    n_rows : int
    name : str
        Of the transformer.
    """
    try:
        dense = found.toarray() if hasattr(found, "toarray") else found
        values = np.asarray(dense, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise InputError(f"{name} makes no numbers of the columns: {str(error)[:200]}") from None
    if values.ndim == 0 or len(values) != n_rows or values.ndim > 2:
        raise InputError(
            f"{name} makes something of shape {values.shape} out of {n_rows} rows; a row has to stay a row, with a "
            "number for each new feature"
        )
    if values.size == 0:
        raise InputError(
            f"{name} leaves no column: there is nothing to fit; keep one column or more"
        )
    return values.reshape(n_rows, -1)
