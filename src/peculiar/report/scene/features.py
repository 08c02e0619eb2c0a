"""The features of a ranked list: their names, units, and the columns that they have in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats

ENDS = {"": "value", "_err": "error", "_clean": "clean", "_clean_err": "clean_error"} | {
    "_surprise": "surprise"
}
"""How the names of a feature's columns end, and what they hold."""


class FeatureColumns(NamedTuple):
    """The columns of one feature in a ranked list; None where it has no such column.

    Attributes
    ----------
    value : str
    error, clean, clean_error, surprise : str or None
    """

    value: str
    error: str | None = None
    clean: str | None = None
    clean_error: str | None = None
    surprise: str | None = None


@dataclass(frozen=True, eq=False)
class Features:
    """What can be put on an axis.

    Attributes
    ----------
    names : tuple of str
        As the user wrote them.
    units : tuple of str
        Empty where the columns say nothing.
    low, high : ndarray of shape (d,)
        The range to show first: most of the bulk and most of the strange objects.
    spread : ndarray of shape (d,)
        Half of what the middle 68 % of all objects span.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    low: Floats
    high: Floats
    spread: Floats

    @property
    def labels(self) -> tuple[str, ...]:
        """Names with units, for axes.

        Examples
        --------
        >>> Features(("u - r", "fe"), ("mag", ""), *np.zeros((3, 2))).labels
        ('u - r [mag]', 'fe')
        """
        pairs = zip(self.names, self.units, strict=True)
        return tuple(f"{name} [{unit}]" if unit else name for name, unit in pairs)

    @classmethod
    def of(
        cls, names: Sequence[str], units: Sequence[str], values: Floats, strange: Floats
    ) -> Features:
        """Features with the range of their values.

        Parameters
        ----------
        names, units : sequence of str
        values : ndarray of shape (n, d)
            Of all objects; NaN where missing.
        strange : ndarray of shape (m, d)
            Of those that are certainly to be seen.
        """
        d = len(names)
        low, high, spread = np.zeros(d), np.ones(d), np.ones(d)
        for j in range(d):
            low[j], high[j], spread[j] = _range(_finite(values[:, j]), _finite(strange[:, j]))
        return cls(tuple(names), tuple(units), low, high, spread)


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def _range(bulk: Floats, strange: Floats) -> tuple[float, float, float]:
    """Low and high end of an axis, and the spread of the bulk.

    A few objects may be so far away that nothing else could be seen beside them. Of the strange ones those are shown
    that are within ten times the range of the bulk.
    """
    if bulk.size == 0:
        return 0.0, 1.0, 1.0
    left, right = np.percentile(bulk, [16.0, 84.0])
    reach = 5.0 * (right - left)
    core = bulk[(bulk >= left - reach) & (bulk <= right + reach)]
    first, last = np.percentile(core, [0.1, 99.9])
    width = (last - first) or (abs(first) or 1.0)
    near = strange[(strange > first - 10.0 * width) & (strange < last + 10.0 * width)]
    ends = np.concatenate([[first, last], near])
    margin = 0.05 * ((ends.max() - ends.min()) or width)
    return (
        float(ends.min() - margin),
        float(ends.max() + margin),
        float(0.5 * (right - left)) or 1.0,
    )
