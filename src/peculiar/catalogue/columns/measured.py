"""Columns of numbers with their errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from peculiar.arrays import Floats


@dataclass(frozen=True)
class MeasuredColumns:
    """Columns of numbers.

    Attributes
    ----------
    values : dict of ndarray of shape (n,)
        NaN where missing.
    std : dict of ndarray of shape (n,)
        One-sigma errors; columns that are exact are not in it.
    covariances : dict of ndarray of shape (n,)
        Error covariances of pairs of columns; pairs that are independent are not in it.
    units : dict
    """

    values: Mapping[str, Floats]
    std: Mapping[str, Floats]
    covariances: Mapping[tuple[str, str], Floats] = field(default_factory=dict)
    units: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.values.values())))
