"""Ellipses: of errors, of clean values and of components."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from peculiar.arrays import Floats


def outline(centre: Any, covariance: Any, radius: float = 1.0, n_points: int = 181) -> Floats:
    """The points where a Gaussian is ``radius`` standard deviations from its centre.

    Parameters
    ----------
    centre : array-like of shape (2,)
    covariance : array-like of shape (2, 2)
        It may be singular: the outline of an error in one direction alone is a line.
    radius : float, default=1.0
    n_points : int, default=181

    Returns
    -------
    ndarray of shape (n_points, 2)
        Closed: the last point is the first.

    Examples
    --------
    >>> x, y = outline([1.0, 0.0], [[4.0, 0.0], [0.0, 1.0]]).T
    >>> float(x.max()), float(y.max())
    (3.0, 1.0)
    """
    angle = np.linspace(0.0, 2.0 * np.pi, n_points)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    variances, axes = np.linalg.eigh(np.asarray(covariance, dtype=np.float64))
    half_axes = axes * np.sqrt(np.maximum(variances, 0.0))
    points: Floats = np.asarray(centre, dtype=np.float64) + radius * circle @ half_axes.T
    return points


def radius_of(share: float) -> float:
    """How many standard deviations hold this share of a Gaussian in two dimensions.

    Examples
    --------
    >>> radius_of(0.95)
    2.448
    """
    return math.sqrt(-2.0 * math.log1p(-share))
