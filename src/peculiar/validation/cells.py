"""Anything that looks like an array, as one of numbers; what is none is named with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.errors import InputError

_QUOTED = 60
_LONGEST = 1000


def name_column(estimator: Any, column: int) -> str:
    """A column as the user knows it: by its number, and by its name if the table or the recipe of features has one."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = getattr(estimator, "_names", None)
    return f"column {column}" if names is None else f"column {column} ({names[column]!r})"


def too_large(estimator: Any, row: int, column: int, what: str, number: float) -> InputError:
    """The error about a number whose square overflows."""
    return InputError(
        f"row {row}, {name_column(estimator, column)}: the {what} {number:g} is so large compared with the rest that "
        "its square overflows; if it means 'missing', give NaN in X"
    )


def as_floats(array: Any, name: str) -> Floats:
    """Any array-like as a float64 C-ordered array; not copied if it is one."""
    if type(array) is np.ndarray and array.dtype == np.float64:
        return np.asarray(array, order="C")
    refuse_dates_and_complex(array, name)
    from sklearn.utils.validation import check_array  # here: it takes more than a second to load

    try:
        return np.asarray(
            check_array(
                unmask(array),
                dtype=np.float64,
                order="C",
                ensure_all_finite=False,
                ensure_2d=False,
                allow_nd=True,
                ensure_min_samples=0,
                ensure_min_features=0,
                input_name=name,
            )
        )
    except (TypeError, ValueError) as error:
        refuse_text(array, name)
        raise InputError(f"{name} cannot be read as an array of numbers: {brief(error)}") from None


def unmask(array: Any) -> Any:
    """Masked arrays, NumPy's and astropy's, with NaN where masked; anything else as it is."""
    if np.ma.isMaskedArray(array):
        return np.ma.filled(array.astype(float), np.nan)
    if hasattr(array, "unmasked") and hasattr(array, "mask"):  # astropy's Masked
        return np.where(array.mask, np.nan, np.asarray(array.unmasked, dtype=np.float64))
    return array


def is_masked(array: Any, place: tuple[int, ...]) -> bool:
    """Whether a masked array is masked there."""
    mask = getattr(array, "mask", False)
    return isinstance(mask, np.ndarray) and mask.shape != () and bool(mask[place])


def refuse_text(array: Any, name: str) -> None:
    """Raise with the place of the first cell that is no number (text, a date), if there is one."""
    try:
        cells = np.asarray(array, dtype=object)
    except ValueError:  # rows of different lengths
        return
    if cells.ndim != 2:
        return
    for (row, column), cell in np.ndenumerate(cells):
        if hasattr(cell, "isoformat") or (isinstance(cell, str) and not _is_number(cell)):
            columns: Sequence[Any] | None = getattr(array, "columns", None)
            label = f" ({columns[column]!r})" if columns is not None else ""
            raise InputError(
                f"{name}, row {row}, column {column}{label}: {_cut(repr(cell))} is not a number; leave such "
                "columns out, and give NaN for a missing value"
            ) from None


def refuse_dates_and_complex(array: Any, name: str) -> None:
    """InputError for what NumPy would make numbers of: dates, in units that nobody has chosen, and complex numbers."""
    if hasattr(array, "tocsr"):
        return  # sparse: others say that it is not taken
    places = getattr(array, "iloc", array)  # of pandas' tables the first row, whatever its label
    try:
        kind = np.asarray(places[:1]).dtype  # of a table the type that all columns have in common
    except (TypeError, ValueError, KeyError, IndexError):
        return  # others say better what it is
    if kind.kind in "mM":
        raise InputError(
            f"{name} has dates or times ({kind}), not numbers; give them in a unit of your choice, such as days: "
            "(X - X.min()) / np.timedelta64(1, 'D')"
        )
    if kind.kind == "c":
        raise InputError(
            f"Complex data not supported: {name} has {kind}; give two columns, such as amplitude and phase"
        )


def brief(error: Exception) -> str:
    """What a library says of an array, without the array itself, which may fill many screens."""
    return _cut(re.sub(r"\s*array=.*\n", " ", str(error), flags=re.DOTALL), _LONGEST)


def _cut(text: str, longest: int = _QUOTED) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def first(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """Index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
