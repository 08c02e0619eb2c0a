"""Any positive definite scatter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize_scalar

from peculiar.kernels.structs import Floats
from peculiar.model.scatter.base import CONDITION, FLOOR


@dataclass(frozen=True)
class FullScatter:
    """Each component has its own, unrestricted scatter matrix."""

    name: ClassVar[str] = "full"

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one scatter matrix."""
        return n_features * (n_features + 1) // 2

    def nearest(self, moments: Floats) -> Floats:
        """Second moments, with eigenvalues that are not too small, absolutely or against the largest."""
        symmetric = 0.5 * (moments + np.swapaxes(moments, 1, 2))
        values, vectors = np.linalg.eigh(symmetric)
        for k in np.flatnonzero(values[:, 0] < np.maximum(FLOOR, values[:, -1] / CONDITION)):
            allowed = likeliest_eigenvalues(values[k])
            symmetric[k] = (vectors[k] * allowed) @ vectors[k].T
        return symmetric


def likeliest_eigenvalues(values: Floats) -> Floats:
    """Eigenvalues with the least sum of log(l) + value / l, all above the floor and within ``CONDITION`` of each other.

    They are the given ones, clipped to [t, t * CONDITION]; only t has to be found (Won et al. 2013).
    """

    def clipped(log_t: float) -> Floats:
        return np.clip(values, np.exp(log_t), CONDITION * np.exp(log_t))

    def cost(log_t: float) -> float:
        allowed = clipped(log_t)
        return float(np.sum(np.log(allowed) + values / allowed))

    low = np.log(max(FLOOR, values[0]))
    high = np.log(max(FLOOR, values[-1] / CONDITION))
    if high <= low:  # only the floor matters
        return np.maximum(values, FLOOR)
    best = minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-10})
    return clipped(best.x)
