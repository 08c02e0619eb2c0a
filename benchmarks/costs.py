"""The arithmetic of the tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

MILLION = 1e6


def per_million_pairs(seconds: float, pairs: int) -> float:
    """Seconds per million (object x component)."""
    return seconds * MILLION / pairs


def log_log_slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size with which the cost grows, by least squares."""
    if len(sizes) < 2 or min(seconds) <= 0.0:
        return math.nan
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def ratio(cost: float | None, reference: float | None) -> float:
    """How many times the reference; NaN where either is missing."""
    if cost is None or not reference:
        return math.nan
    return cost / reference
