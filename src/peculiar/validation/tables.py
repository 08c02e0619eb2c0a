"""Tables that are no arrays, and tables of errors whose rows or columns are not those of the values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from peculiar.errors import InputError

_SHOWN = 4


def refuse_table(table: Any, name: str) -> None:
    """InputError for what only :func:`peculiar.catalogue.measure` can make features of.

    Parameters
    ----------
    table : anything
    name : {"X", "X_std"}
    """
    if isinstance(table, str | os.PathLike):
        what, names = f"text ({str(table)!r})", []
    elif hasattr(table, "colnames") and hasattr(table, "itercols"):
        what, names = f"an astropy {type(table).__name__}", list(table.colnames)
    elif isinstance(table, Mapping) and not hasattr(table, "tocsr"):  # a sparse matrix may be one
        what, names = "a dict of columns", [str(key) for key in table]
    elif getattr(getattr(table, "dtype", None), "names", None):
        what, names = "a structured array", list(table.dtype.names)
    elif hasattr(table, "collect") and hasattr(table, "lazy"):
        raise InputError(f"{name} is a LazyFrame, which has no rows yet; collect() it first")
    elif hasattr(table, "batches") and hasattr(table, "recipe"):
        raise InputError(
            f"{name} is a scan, whose rows are read in parts; only RobustMixture and OutlierDetector do that"
        )
    elif hasattr(type(table), "__dask_graph__") and hasattr(table, "to_delayed"):
        raise InputError(
            f"{name} is a {type(table).__name__} of Dask, whose rows are elsewhere; only RobustMixture and "
            "OutlierDetector take that"
        )
    elif hasattr(table, "lacks_errors"):
        raise InputError(
            f"{name} is a table in partitions; only RobustMixture and OutlierDetector take that"
        )
    else:
        return
    shown = ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
    columns = f" with the columns {shown}" if names else ""
    raise InputError(
        f"{name} is {what}{columns}, not an array of features; peculiar.catalogue.measure makes features and their "
        f"errors of tables and files: sky = measure(table, {', '.join(names[:2]) or 'u - r, g - r'!r}), then "
        "fit(**sky.arguments())"
    )


def refuse_repeated_names(X: Any) -> None:
    """InputError for a table in which two columns have the same name."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "dtypes"):
        return
    name, times = next(iter(Counter(map(str, columns)).most_common(1)), ("", 0))
    if times > 1:
        raise InputError(
            f"X has {times} columns of the name {name!r}; give each a name of its own, or X.to_numpy()"
        )


def refuse_other_columns(estimator: Any, X_std: Any) -> None:
    """A table of errors with the names of the features must have them in their order; others are free."""
    names = getattr(estimator, "feature_names_in_", None)
    columns = getattr(X_std, "column_names", None) or getattr(X_std, "columns", None)
    if names is None or columns is None:  # Arrow has the first, pandas and polars the second
        return
    if set(columns) == set(names) and list(columns) != list(names):
        raise InputError(
            f"X_std has the columns of X in another order: {list(columns)}, not {list(names)}; give X_std[X.columns]"
        )


def refuse_other_rows(X: Any, other: Any, name: str) -> None:
    """InputError if two tables of pandas have row labels, and these do not agree.

    Labels 0, 1, 2 ... in one of them are those that pandas gives by itself. They say nothing, unless they are the
    labels of the other one in another order.

    Parameters
    ----------
    X, other : anything
        Only tables of pandas have labels.
    name : str
        Of the other one.
    """
    ours: Any = getattr(X, "index", None)
    theirs: Any = getattr(other, "index", None)
    if not all(hasattr(index, "equals") for index in (ours, theirs)):
        return
    if len(ours) != len(theirs) or ours.equals(theirs):
        return  # another number of rows is refused with the shapes
    here, there = _labels(ours), _labels(theirs)
    row = next((i for i, (a, b) in enumerate(zip(here, there, strict=True)) if a != b), None)
    if row is None:  # as the same instants in two time zones
        return
    is_same_set = Counter(here) == Counter(there)
    if not is_same_set and (_says_nothing(ours) or _says_nothing(theirs)):
        return
    what = "the rows of X in another order" if is_same_set else "other rows than X"
    if not is_same_set:
        way_out = f"give the rows of X, or {name}.to_numpy() if only the labels differ"
    elif ours.is_unique:
        way_out = f"give {name}.loc[X.index]"
    else:
        way_out = (
            "labels occur more than once and do not say which row is which: bring the rows to the order of X, and "
            f"give {name}.to_numpy()"
        )
    given, wanted = theirs.tolist()[row], ours.tolist()[row]
    raise InputError(
        f"{name} has {what}, by their index: row {row} is {given!r}, in X it is {wanted!r}; {way_out}"
    )


def _labels(index: Any) -> list[Any]:
    """The labels of rows; None for all that are missing, which are equal to each other."""
    return [_label(label) for label in index.tolist()]


def _label(label: Any) -> Any:
    if isinstance(label, tuple):
        return tuple(_label(part) for part in label)
    try:
        return None if label != label else label  # noqa: PLR0124 (NaN and NaT)
    except TypeError:  # the NA of pandas is neither equal nor unequal to anything
        return None


def _says_nothing(index: Any) -> bool:
    return getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1
