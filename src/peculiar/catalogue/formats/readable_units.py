"""Units in the words of a format: what its readers would not understand is said in the description instead."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astropy.table import Table

_ALIASES = {
    "days": "d",
    "day": "d",
    "hours": "h",
    "hour": "h",
    "minutes": "min",
    "seconds": "s",
    "sec": "s",
    "years": "yr",
    "year": "yr",
    "degrees": "deg",
    "degree": "deg",
    "magnitude": "mag",
    "magnitudes": "mag",
    "mags": "mag",
    "parsecs": "pc",
}

_PREFERRED = ("nm", "J", "T", "m2", "Pa")
"""In the place of Angstrom, erg, gauss, barn and barye, on which astropy remarks in a VOTable."""


def with_readable_units(table: Table, words: str) -> Table:
    """The same table, with units that astropy reads back from a file without a warning.

    Parameters
    ----------
    table : astropy.table.Table
        It stays as it is.
    words : {"fits", "vounit"}
        astropy's name of the standard for units.

    Returns
    -------
    astropy.table.Table
        A unit that the standard does not know (``mag(AB)``, ``log10(Jy)``) stands in brackets behind the description.
    """
    from astropy.table import Column, Table

    changed = Table(table, copy=False)
    for name in table.colnames:
        unit = table[name].unit if isinstance(table[name], Column) else None
        found = None if unit is None else readable(unit, words)
        if unit is None or found is unit:
            continue
        column = changed[name].copy(copy_data=False)
        column.unit = found
        if found is None and str(unit):
            column.description = f"{column.description or name} [{unit}]"
        changed.replace_column(name, column)
    return changed


def readable(unit: Any, words: str) -> Any:
    """A unit as a standard knows it; None if it does not.

    Parameters
    ----------
    unit : astropy unit, or str
    words : {"fits", "vounit"}

    Examples
    --------
    >>> readable("days", "fits")
    Unit("d")
    >>> readable("log10(Jy)", "fits") is None
    True
    """
    from astropy.units import Unit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            known = Unit(_ALIASES.get(str(unit), unit), parse_strict="raise")
        except (ValueError, TypeError):
            return None
    if _is_read_back(known, words):
        return unit if known == unit and not isinstance(unit, str) else known
    try:
        modern = _modern(known, words)
    except (ValueError, AttributeError):  # not a product of units: mag(AB), log10(Jy)
        return None
    return modern if _is_read_back(modern, words) else None


def _is_read_back(unit: Any, words: str) -> bool:
    """Whether it comes back from text, without a warning."""
    from astropy.units import Unit

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return bool(Unit(unit.to_string(format=words), format=words) == unit)
        except (ValueError, TypeError, Warning):  # UnitsWarning is not a ValueError
            return False


def _modern(unit: Any, words: str) -> Any:
    """The same unit in the words that VOUnit prefers: 0.1 nm for Angstrom, 1e-7 J for erg."""
    from astropy.units import Unit

    made, scale = Unit(""), float(unit.scale)
    for base, power in zip(unit.bases, unit.powers, strict=True):
        preferred = base if _is_read_back(base, words) else _preferred(base)
        scale *= float(base.to(preferred)) ** float(power)
        made *= preferred**power
    return Unit(float(f"{scale:.12g}") * made)


def _preferred(base: Any) -> Any:
    from astropy.units import Unit

    return next((Unit(word) for word in _PREFERRED if base.is_equivalent(word)), base)
