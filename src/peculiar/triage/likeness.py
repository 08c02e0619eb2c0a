"""More like this: objects in the order of how near they are to marked ones, relative to the errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from peculiar.arrays import Floats, Ints

NEAR = 2.0
"""An object looks like an artefact if it is nearer than this to one, in standard deviations for each feature."""


def distances(clean: Floats, error: Floats, at: int, spread: Floats) -> Floats:
    """How far all objects are from one, in the clean space, in units of what is not known of their difference.

    The root of the mean over features of ``(a - b)^2 / (error_a^2 + error_b^2 + floor^2)``. The floor is a tenth of
    the spread of the feature: with tiny errors no two objects would be alike.

    Parameters
    ----------
    clean, error : ndarray of shape (n, d)
        Clean values and their errors.
    at : int
        The object.
    spread : ndarray of shape (d,)
        Of each feature, over all objects.

    Returns
    -------
    ndarray of shape (n,)
        NaN features do not count; inf for an object that has none in common.
    """
    variance = error**2 + error[at] ** 2 + (0.1 * spread) ** 2
    square = np.divide(
        (clean - clean[at]) ** 2, variance, where=variance > 0, out=np.zeros_like(clean)
    )
    square = np.where(np.isnan(clean - clean[at]), np.nan, square)
    known = np.count_nonzero(~np.isnan(square), axis=1)
    total = np.nansum(square, axis=1)
    return np.asarray(np.where(known > 0, np.sqrt(total / np.maximum(known, 1)), np.inf))


def order_by_likeness(
    clean: ArrayLike,
    error: ArrayLike,
    *,
    like: Sequence[int] = (),
    unlike: Sequence[int] = (),
    near: float = NEAR,
) -> Ints:
    """Objects in a new order: first those that resemble some, last those that resemble others.

    It is an order only. P-values, discoveries and ranks stay as they are.

    Parameters
    ----------
    clean : array-like of shape (n, d)
        Clean values of the objects, in the order of the list.
    error : array-like of shape (n, d)
        Their errors.
    like : sequence of int, optional
        Objects to look for ("more like this"): the nearest to any of them come first. Without any, the order stays.
    unlike : sequence of int, optional
        Artefacts: what is nearer than ``near`` to one of them, and not nearer to one of ``like``, goes to the end.
    near : float, default=2
        In standard deviations for each feature, errors of both objects included.

    Returns
    -------
    ndarray of shape (n,)
        Positions in the list, in the new order.

    Examples
    --------
    >>> clean = [[0.0], [5.0], [9.0], [5.2], [0.1]]
    >>> order_by_likeness(clean, np.full((5, 1), 0.3), like=[1])
    array([1, 3, 2, 4, 0])
    >>> order_by_likeness(clean, np.full((5, 1), 0.3), unlike=[0])
    array([1, 2, 3, 0, 4])
    """
    to_like, to_unlike = (_nearest(clean, error, marked) for marked in (like, unlike))
    is_last = (to_unlike < near) & (to_unlike <= to_like)
    return np.lexsort((to_like, is_last)).astype(np.int64)


def resembles(
    clean: ArrayLike, error: ArrayLike, marked: Sequence[int], *, near: float = NEAR
) -> NDArray[np.bool_]:
    """Whether each object looks like one of some: artefacts, for example, that nobody wants to see again.

    Parameters
    ----------
    clean, error, near
        As for :func:`order_by_likeness`.
    marked : sequence of int
        They look like themselves.

    Returns
    -------
    ndarray of bool of shape (n,)

    Examples
    --------
    >>> resembles([[0.0], [5.0], [0.1]], np.full((3, 1), 0.3), [0])
    array([ True, False,  True])
    """
    return _nearest(clean, error, marked) < near


def clean_values(table: Any, features: Sequence[str]) -> tuple[Floats, Floats]:
    """Clean values and their errors from the columns of a ranked list, for :func:`order_by_likeness`.

    Parameters
    ----------
    table : astropy.table.Table or dict of columns
        With ``<feature>_clean`` and ``<feature>_clean_err``.
    features : sequence of str
        Names of the features, as they begin the names of these columns.

    Returns
    -------
    clean, error : ndarray of shape (n, d)
        NaN where missing.

    Examples
    --------
    >>> clean, error = clean_values({"u_clean": [1.0, 2.0], "u_clean_err": [0.1, 0.2]}, ["u"])
    >>> clean.T, error.T
    (array([[1., 2.]]), array([[0.1, 0.2]]))
    """
    return _stack(table, features, "_clean"), _stack(table, features, "_clean_err")


def _stack(table: Mapping[str, Any], features: Sequence[str], end: str) -> Floats:
    columns = [np.ma.asarray(table[name + end], dtype=np.float64) for name in features]
    return np.column_stack([np.ma.filled(column, np.nan) for column in columns])


def _nearest(clean: ArrayLike, error: ArrayLike, marked: Sequence[int]) -> Floats:
    """How far each object is from the nearest of those that are marked."""
    values, errors = np.asarray(clean, dtype=np.float64), np.asarray(error, dtype=np.float64)
    nearest, spread = np.full(len(values), np.inf), _spread(values)
    for at in marked:
        nearest = np.minimum(nearest, distances(values, errors, at, spread))
        nearest[at] = 0.0
    return nearest


def _spread(clean: Floats) -> Floats:
    """Half of what the middle 68 % span; NaN where nothing is known."""
    known = np.where(np.isnan(clean).all(axis=0), 0.0, clean)
    low, high = np.nanpercentile(known, [16.0, 84.0], axis=0)
    return np.asarray(0.5 * (high - low))
