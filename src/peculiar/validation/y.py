"""Errors that were given in the place of y."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.errors import InputError


def refuse_errors_as_y(X: Any, y: Any) -> None:
    """InputError if y, which is ignored, looks like the errors of X.

    Parameters
    ----------
    X, y : anything
        As the user gave them.
    """
    if y is None:
        return
    numbers = _as_numbers(y)
    if numbers is None or numbers.ndim < 2:
        return
    shape = np.asarray(X).shape
    arguments = {shape: "X_std", (*shape, *shape[-1:]): "X_cov"}
    if numbers.shape in arguments:
        name = arguments[numbers.shape]
        first = " ".join(np.array2string(numbers[0], precision=3, threshold=6).split())
        raise InputError(
            f"y is ignored, but this one has the shape of errors, {numbers.shape} (row 0 is {first}); give errors by "
            f"name, {name}=..., and leave y out"
        )


def _as_numbers(y: Any) -> NDArray[Any] | None:
    """An array or a table with names as numbers, NaN where they are missing; None if it is none of that."""
    try:
        if isinstance(y, Mapping):
            y = np.stack([np.asarray(column) for column in y.values()], axis=-1)
        array = np.asarray(y)
        if array.dtype.names:
            array = np.stack([array[name] for name in array.dtype.names], axis=-1)
        if array.dtype.kind == "O":  # pandas has its own word for a missing number
            cells = [np.nan if repr(cell) == "<NA>" else cell for cell in array.ravel()]
            array = np.array(cells, dtype=np.float64).reshape(array.shape)
    except (TypeError, ValueError):  # text, or rows of different lengths: no errors
        return None
    return array if array.dtype.kind in "fiu" else None
