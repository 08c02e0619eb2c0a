"""p-values, as they come from a file."""

from __future__ import annotations

import math
from collections.abc import Iterable


def read_p_values(values: Iterable[float | None]) -> list[float]:
    """The p-values, with NaN where there was nothing to test; a file has null there.

    Examples
    --------
    >>> read_p_values([0.01, None])
    [0.01, nan]
    """
    return [math.nan if p is None else float(p) for p in values]


def are_known(p_values: Iterable[float]) -> bool:
    """Whether there was something to test in every case."""
    return all(math.isfinite(p) for p in p_values)
