"""What the numbers in columns of errors mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from peculiar.arrays import Floats
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


def rounding_step(errors: Floats) -> float:
    """The step that errors seem to be rounded to, if that explains why some are 0; else 0.

    Examples
    --------
    >>> import numpy as np
    >>> (
    ...     rounding_step(np.array([0.0, 0.01, 0.02, 0.05])),
    ...     rounding_step(np.array([0.0, 1.7, 2.9, 5.3])),
    ... )
    (0.01, 0.0)
    """
    known = errors[np.isfinite(errors)]
    positive = known[known > 0]
    if len(np.unique(positive)) < 3:
        return 0.0
    for digits in range(7):
        step = 10.0**-digits
        if np.allclose(positive, np.round(positive, digits), rtol=1e-6, atol=0.0):
            # If 0 is a rounded error, the next two steps are at least as common.
            n_next = np.count_nonzero(positive < 2.5 * step)
            return step if n_next >= np.count_nonzero(known == 0) else 0.0
    return 0.0
