"""Any positive definite scatter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.model.scatter.base import Scatter, eigenvalue_floor


@dataclass(frozen=True)
class FullScatter(Scatter):
    """Each component has its own, unrestricted scatter matrix."""

    name: ClassVar[str] = "full"

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one scatter matrix."""
        return n_features * (n_features + 1) // 2

    def nearest(self, moments: Floats) -> Floats:
        """Second moments, with eigenvalues below the floor raised to it."""
        symmetric = 0.5 * (moments + np.swapaxes(moments, 1, 2))
        values, vectors = np.linalg.eigh(symmetric)
        floor = eigenvalue_floor(values)
        for k in np.flatnonzero(values[:, 0] < floor):
            symmetric[k] = (vectors[k] * np.maximum(values[k], floor[k])) @ vectors[k].T
        return symmetric

    def is_aligned(self, scatters: Floats) -> bool:
        """Never: all moments count."""
        return False
