"""Features independent within a component, given its scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.model.scatter.base import FLOOR, Scatter


@dataclass(frozen=True)
class DiagScatter(Scatter):
    """Each component has its own diagonal scatter matrix."""

    name: ClassVar[str] = "diag"

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one scatter matrix."""
        return n_features

    def nearest(self, moments: Floats) -> Floats:
        """Diagonal of the second moments, not below the floor."""
        variances = np.maximum(np.diagonal(moments, axis1=1, axis2=2), FLOOR)
        return variances[:, :, None] * np.eye(variances.shape[1])

    def is_aligned(self, scatters: Floats) -> bool:
        """Unless a start was given that is not diagonal."""
        return not (scatters * (1.0 - np.eye(scatters.shape[1]))).any()
