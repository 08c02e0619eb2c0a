"""Dask's arrays and data frames: their partitions as tasks, and tasks as arrays."""

from __future__ import annotations

import operator
import uuid
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.backends.dask.tasks import Delayed, graph_with
from peculiar.errors import InputError


class Blocks(NamedTuple):
    """Partitions of a table and of its errors.

    Attributes
    ----------
    X, X_std, X_cov : list of Delayed, or None
    n_features : int
    names : tuple of str, or None
        Of the columns of a frame.
    lengths : tuple of int, or None
        Number of rows of each partition, if Dask knows it.
    """

    X: list[Delayed]
    X_std: list[Delayed] | None
    X_cov: list[Delayed] | None
    n_features: int
    names: tuple[str, ...] | None
    lengths: tuple[int, ...] | None


def is_collection(thing: Any) -> bool:
    """Whether something is an array or a frame of Dask; Dask is not imported for that."""
    return hasattr(type(thing), "__dask_graph__") and hasattr(thing, "to_delayed")


def blocks_of(X: Any, **errors: Any) -> Blocks:
    """Partitions by rows; all columns of a row are in one."""
    for name, given in {"X": X, **errors}.items():
        if given is not None and not is_collection(given):
            raise InputError(
                f"{name} is a {type(given).__name__}, and other arguments are collections of Dask; give all of them as "
                f"Dask arrays or DataFrames of the same partitions (dask.array.from_array({name}, chunks=...))"
            )
    n_features, names = _columns(X)
    lengths = None if _is_frame(X) else _lengths(X)
    values = _partitions(X, "X", None)
    others = {
        name: None if given is None else _partitions(given, name, lengths)
        for name, given in errors.items()
    }
    for name, parts in others.items():
        if parts is not None and len(parts) != len(values):
            raise InputError(
                f"X has {len(values)} partitions, {name} has {len(parts)}, and which rows belong together is not "
                "known; repartition them alike"
            )
    return Blocks(values, others["X_std"], others["X_cov"], n_features, names, lengths)


def _is_frame(table: Any) -> bool:
    return hasattr(table, "npartitions") and hasattr(table, "columns")


def _columns(X: Any) -> tuple[int, tuple[str, ...] | None]:
    """Number of features, and their names if they have any."""
    if _is_frame(X):
        names = list(X.columns)
        are_text = all(isinstance(name, str) for name in names)
        return len(names), tuple(names) if are_text else None
    if getattr(X, "ndim", None) != 2:
        raise InputError(
            f"X has {getattr(X, 'ndim', 'no')} dimensions, must have two: rows and features"
        )
    return int(X.shape[1]), None


def _lengths(array: Any) -> tuple[int, ...] | None:
    rows = array.chunks[0]
    return None if np.isnan(rows).any() else tuple(int(n) for n in rows)


def _partitions(table: Any, name: str, lengths: tuple[int, ...] | None) -> list[Delayed]:
    """One task for each partition, in their order."""
    if _is_frame(table):
        return list(table.to_delayed())
    if not hasattr(table, "chunks"):
        raise InputError(
            f"{name} is a {type(table).__name__} of Dask; give an array or a DataFrame"
        )
    wanted: dict[int, Any] = dict.fromkeys(range(1, table.ndim), -1)
    if (
        lengths is not None
        and _lengths(table) not in (None, lengths)
        and sum(lengths) == len(table)
    ):
        wanted[0] = lengths
    return list(table.rechunk(wanted).to_delayed().ravel())


def rows_of(
    answers: Sequence[Delayed],
    field: int | None,
    example: NDArray[Any],
    lengths: tuple[int, ...] | None,
) -> Any:
    """Answers about partitions as one array.

    Parameters
    ----------
    answers : sequence of Delayed
    field : int or None
        Which of the arrays of each answer; None: it is one array.
    example : ndarray
        An answer about other rows.
    lengths : tuple of int or None
        Number of rows of each, if it is known.

    Returns
    -------
    dask.array.Array
    """
    from dask.array import Array

    name, places = f"peculiar-rows-{uuid.uuid4().hex}", (0,) * (example.ndim - 1)
    take = operator.itemgetter(slice(None) if field is None else field)
    layer = {(name, i, *places): (take, task.key) for i, task in enumerate(answers)}
    graph = graph_with(name, layer, answers)
    rows = (np.nan,) * len(answers) if lengths is None else lengths
    chunks = (rows, *((n,) for n in example.shape[1:]))
    return Array(graph, name, chunks, dtype=example.dtype)


def mapped_array(function: Callable[[Any], Any], array: Any, dtype: Any) -> Any:
    """A function of the blocks of an array, as an array of the same shape."""
    return array.map_blocks(function, dtype=dtype, meta=np.empty((0,) * array.ndim, dtype=dtype))
