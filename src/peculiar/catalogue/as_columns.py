"""Results as columns that say what they are: unit, description and UCD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.catalogue.columns.plain_names import plain_names
from peculiar.catalogue.formats.installed import require
from peculiar.catalogue.formats.readable_units import readable

if TYPE_CHECKING:
    from astropy.table import Table

    from peculiar.catalogue.measurements import Measurements

VALUE, ERROR, CORRELATION = "stat.value", "stat.error", "stat.correlation"
"""UCDs of what has none of its own."""


def column_of_results(cells: Any, description: str, ucd: str = "", unit: str = "") -> Any:
    """A column with all that is known of it.

    Parameters
    ----------
    cells : array-like
    description : str
    ucd : str
    unit : str
        One that astropy does not know is added to the description.

    Returns
    -------
    astropy.table.Column

    Examples
    --------
    >>> column = column_of_results([1.0], "size", unit="log10(pc)")
    >>> column.description, column.unit
    ('size, in log10(pc)', None)
    """
    from astropy.table import Column

    known = readable(unit, "fits") if unit else None
    if unit and known is None:
        description = f"{description}, in {unit}"
    return Column(
        np.asarray(cells), description=description, unit=known, meta={"ucd": ucd} if ucd else None
    )


def table_of(measured: Measurements) -> Table:
    """Features with their errors and the correlations of these, as :meth:`Measurements.to_table` gives them.

    Parameters
    ----------
    measured : Measurements

    Returns
    -------
    astropy.table.Table
    """
    require("astropy")
    from astropy.table import Table

    columns: dict[str, Any] = {}
    names = plain_names(measured.names)
    has_errors = measured.X_std is not None or measured.X_cov is not None
    for j, (name, what) in enumerate(zip(names, in_words(measured), strict=True)):
        unit = measured.units[j]
        columns[name] = column_of_results(measured.X[:, j], what, VALUE, unit)
        if has_errors:
            error = measured.errors[:, j]
            columns[f"{name}_err"] = column_of_results(error, f"error of {what}", ERROR, unit)
    return Table({**columns, **_correlations(measured, names)})


def in_words(measured: Measurements) -> tuple[str, ...]:
    """Each feature as its description has it: ``size = log10(radius)``, ``u - r``.

    Parameters
    ----------
    measured : Measurements
    """
    texts = measured.expressions or measured.names
    return tuple(
        label if _bare(label) == _bare(text) else f"{label} = {text}"
        for label, text in zip(measured.names, texts, strict=True)
    )


def _bare(text: str) -> str:
    return text.replace(" ", "").strip("`")


def _correlations(measured: Measurements, names: tuple[str, ...]) -> dict[str, Any]:
    """Of each pair of features whose errors have something in common."""
    if measured.X_cov is None:
        return {}
    found, errors = {}, measured.errors
    for j, second in enumerate(names):
        for i, first in enumerate(names[:j]):
            shared = measured.X_cov[:, i, j]
            if not np.any(shared):
                continue
            scale = errors[:, i] * errors[:, j]
            with np.errstate(all="ignore"):
                cells = np.where(scale == 0, 0.0, shared / scale)
            what = f"correlation of the errors of {first} and {second}"
            found[f"{first}_{second}_corr"] = column_of_results(cells, what, CORRELATION)
    return found
