"""Measured values with their noise, as the methods of an estimator take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from peculiar.kernels.structs import Floats, Ints
from peculiar.observations import DiagonalNoise, FullNoise, Noise


class Measured(NamedTuple):
    """Rows that have passed all checks.

    Attributes
    ----------
    values : ndarray of shape (n, d)
        NaN where missing.
    noise : Noise
    """

    values: Floats
    noise: Noise

    def errors_of(self, rows: Ints, factors: Floats) -> dict[str, Floats]:
        """The keyword argument that gives the errors of some of the rows, times a factor each."""
        match self.noise:
            case DiagonalNoise(std):
                return {"X_std": std[rows] * factors[:, None]}
            case FullNoise(cov):
                return {"X_cov": cov[rows] * np.square(factors)[:, None, None]}
        return {"X_std": np.zeros((len(rows), self.values.shape[1]))}
