"""Units: values and errors with units of their own (astropy's) are brought to the unit that a model was fitted in.

astropy is not imported: whatever has a ``unit`` that can be converted is a quantity. An array without a unit is in the
unit of the fit, as the documentation asks for.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from peculiar.errors import InputError
from peculiar.validation.cells import unmask

_PURE = ""
"""The unit of pure numbers."""


def take_unit(estimator: Any, X: Any) -> None:
    """Remember the unit of the values a model is fitted to, as text; none for plain arrays."""
    estimator.__dict__.pop("_unit", None)
    unit = unit_of(X, "X")
    if unit is not None:
        estimator._unit = str(unit)  # noqa: SLF001 (beside feature_names_in_, but not for the user)


def values_in_unit_of_fit(estimator: Any, X: Any, X_std: Any = None, X_cov: Any = None) -> Any:
    """The values as a plain array in the unit of the fit; anything without a unit as it is.

    Errors that have no unit are in that of X, and would not be converted with it: they are refused.
    """
    unit, target = unit_of(X, "X"), _unit_of_fit(estimator)
    if unit is None:
        return X
    if str(unit) != target:
        for name, errors in (("X_std", X_std), ("X_cov", X_cov)):
            if errors is not None and unit_of(errors, name) is None:
                raise InputError(
                    f"X is in {unit}, the model was fitted in {target or 'no unit'}, and {name} has no unit; give "
                    f"{name} with its unit"
                )
    problem = (
        f"which cannot be converted to {target}, the unit the model was fitted in; is it the right table?"
        if target
        else "and the model was fitted without a unit; give X.value if it is in the unit of the fit"
    )
    return _converted(X, unit, target, f"X is in {unit}, {problem}")


def errors_in_unit_of_fit(estimator: Any, errors: Any, name: str) -> Any:
    """Standard deviations or covariances as a plain array in the unit of the fit; without a unit, as they are.

    Parameters
    ----------
    estimator : Any
    errors : array-like
    name : {"X_std", "X_cov"}
    """
    unit = unit_of(errors, name)
    if unit is None:
        return errors
    target, power = _of_differences(_unit_of_fit(estimator)), 2 if name == "X_cov" else 1
    wanted = f"the square of {target}" if name == "X_cov" else target
    problem = (
        f"which cannot be converted to {wanted}; X is in {target}: give {name} in {wanted}"
        if target
        else f"and X has no unit; give X with its unit, or {name} without one"
    )
    return _converted(errors, unit, target, f"{name} is in {unit}, {problem}", power)


def unit_of(array: Any, name: str) -> Any:
    """The unit of an array, if it has one that can be converted."""
    if isinstance(array, list | tuple) and any(_unit(row) is not None for row in array):
        raise InputError(
            f"{name} is a list of quantities, whose units would be lost; make one quantity of it: Quantity({name})"
        )
    return _unit(array)


def _unit(array: Any) -> Any:
    unit = getattr(array, "unit", None)
    return unit if hasattr(unit, "to") and hasattr(unit, "physical_type") else None


def _unit_of_fit(estimator: Any) -> str:
    return str(getattr(estimator, "_unit", _PURE))


def _of_differences(unit: str) -> str:
    """mag for mag(AB), as in the errors of logarithmic quantities."""
    logarithmic = re.fullmatch(r"(\w+)\(.*\)", unit)
    return logarithmic[1] if logarithmic else unit


def _converted(array: Any, unit: Any, target: str, message: str, power: int | None = None) -> Any:
    """The numbers of an array in ``unit``, in another unit; or an error with this message.

    Those of errors are in the given power of it, and keep their signs: a dex is -2.5 mag, but its error is 2.5 mag.
    """
    numbers = np.asarray(unmask(array), dtype=np.float64)
    try:
        root = unit if power in (None, 1) else unit ** (1 / power)
        if str(root) == target:  # which astropy knows by its name only if it is registered
            return numbers
        if power is None:
            return np.asarray(unit.to(target, numbers), dtype=np.float64)
        return numbers * abs(float(root.to(target))) ** power
    except (ValueError, TypeError):  # astropy's errors are of these kinds
        raise InputError(message) from None
