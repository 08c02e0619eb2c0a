"""Units of expressions, as far as the columns have any.

A number is ``PURE`` and takes any unit; a column without a unit is ``None``, and so is all that is made of it.
"""

from __future__ import annotations

from typing import Any

from peculiar.errors import CatalogueError

PURE = "pure"

Unit = Any  # an astropy unit, PURE, or None


def unit_of(column: Any) -> Unit:
    """The unit of a column; None for a plain array."""
    return getattr(getattr(column, "info", None), "unit", None)


def common(left: Unit, right: Unit) -> tuple[Unit, float] | None:
    """The unit of a sum, and what the right side has to be multiplied by; None if they do not go together."""
    if left is None or right is None:
        return None, 1.0
    if isinstance(left, str) or isinstance(right, str):
        return (right if isinstance(left, str) else left), 1.0
    if left == right:
        return _plain(left), 1.0
    left, right = _plain(left), _plain(right)
    try:
        return left, float(right.to(left))
    except (ValueError, TypeError):  # UnitConversionError is both
        return None


def product(left: Unit, right: Unit) -> Unit:
    """The unit of a product."""
    if isinstance(left, str):
        return right
    if isinstance(right, str):
        return left
    known = _known(left), _known(right)
    return None if None in known else known[0] * known[1]


def power(unit: Unit, exponent: float) -> Unit:
    """The unit of a power."""
    if isinstance(unit, str):
        return unit
    known = _known(unit)
    return None if known is None else known**exponent


def conversion(unit: Unit, target: Unit, place: str) -> float:
    """What a number in one unit is to be multiplied by to be in another; 1 if one of them is not known."""
    found = common(target, unit)
    if found is None:
        raise CatalogueError(
            f"{place} is in {unit}, which cannot be converted to {_plain(target)}; is it the right column? (a "
            "column without a unit in the table is taken as it is)"
        )
    return found[1]


def word(unit: Unit) -> str:
    """The unit in words; empty if there is none, or none is known."""
    return "" if unit is None or isinstance(unit, str) else str(_plain(unit))


def _known(unit: Unit) -> Unit:
    """A unit one can calculate with; None for words that are no unit astropy knows."""
    plain = _plain(unit)
    return None if plain is None or type(plain).__name__ == "UnrecognizedUnit" else plain


def _plain(unit: Unit) -> Unit:
    """mag for mag(AB): differences and errors of magnitudes are plain magnitudes."""
    return getattr(unit, "function_unit", unit)
