"""Errors that were given in the place of y."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    try:
        numbers = np.asarray(y)
    except ValueError:  # rows of different lengths: no errors
        return
    if numbers.ndim < 2:
        return
    shape = np.asarray(X).shape
    arguments = {shape: "X_std", (*shape, *shape[-1:]): "X_cov"}
    if numbers.shape in arguments and numbers.dtype.kind in "fiu":
        name = arguments[numbers.shape]
        first = " ".join(np.array2string(numbers[0], precision=3, threshold=6).split())
        raise InputError(
            f"y is ignored, but this one has the shape of errors, {numbers.shape} (row 0 is {first}); give errors by "
            f"name, {name}=..., and leave y out"
        )
