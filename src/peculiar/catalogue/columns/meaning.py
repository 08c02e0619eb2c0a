"""What the numbers in columns of errors mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from peculiar.catalogue.columns.names import close, cut, listed
from peculiar.errors import CatalogueError

ZERO_ERRORS = ("missing", "exact", "refuse")


@dataclass(frozen=True)
class ErrorMeaning:
    """How columns of errors are to be read.

    Attributes
    ----------
    zero_errors : {'missing', 'exact', 'refuse'}
        What an error of exactly 0 means in a column in which others are positive.
    sigma : float
        How many standard deviations an error is.
    percent : bool
        Whether errors are in per cent of their values.
    floor : float or dict
        Smaller errors are raised to this; a dict has a number for some columns.
    """

    zero_errors: str = "missing"
    sigma: float = 1.0
    percent: bool = False
    floor: float | Mapping[str, float] = 0.0

    def check(self, columns: Sequence[str]) -> None:
        """CatalogueError if something in it cannot be, for these columns."""
        if self.zero_errors not in ZERO_ERRORS:
            raise CatalogueError(
                f"zero_errors={self.zero_errors!r}: must be one of {', '.join(ZERO_ERRORS)}"
            )
        if not 0 < self.sigma < math.inf:
            raise CatalogueError(
                f"sigma={self.sigma!r}: errors are a positive number of standard deviations, such as 2"
            )
        floors = self.floor if isinstance(self.floor, Mapping) else {"": self.floor}
        for name, floor in floors.items():
            if name and name not in columns:
                hint = close(name, columns) or [listed(columns)]
                raise CatalogueError(
                    f"an error floor was given for {cut(name)!r}, which no feature uses; did you mean "
                    f"{' or '.join(hint)}?"
                )
            if not 0 <= floor < math.inf:
                raise CatalogueError(
                    f"error_floor={floor!r}{f' of {name}' if name else ''}: must be a number from 0 on, in the unit "
                    "of the column"
                )

    def floor_of(self, column: str) -> float:
        """The smallest error of a column."""
        if isinstance(self.floor, Mapping):
            return float(self.floor.get(column, 0.0))
        return float(self.floor)
