"""Sufficient statistics: the second waist. Engines make them, backends add them, the M-step reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peculiar.kernels.structs import Floats, Sums


@dataclass(frozen=True)
class SufficientStats:
    """Expected sums over rows, with q the responsibility and delta = w - (current location).

    Attributes
    ----------
    n : ndarray of shape (K,)
        Sum of q. Rows count by their weight; those with nothing observed do not.
    sum_u, sum_log_u : ndarray of shape (K,)
        Sums of q E[u] and q E[log u].
    sum_ud : ndarray of shape (K, d)
        Sum of q E[u delta].
    sum_udd : ndarray of shape (K, d, d)
        Sum of q E[u delta delta'].
    bound : float
        Sum of log p(x), or of the engine's lower bound of it.
    """

    n: Floats
    sum_u: Floats
    sum_log_u: Floats
    sum_ud: Floats
    sum_udd: Floats
    bound: float

    @classmethod
    def of(cls, sums: Sums) -> SufficientStats:
        """Take over what a kernel has summed."""
        return cls(*sums[:-1], bound=float(sums.bound[0]))

    def __add__(self, other: SufficientStats) -> SufficientStats:
        return SufficientStats(
            self.n + other.n,
            self.sum_u + other.sum_u,
            self.sum_log_u + other.sum_log_u,
            self.sum_ud + other.sum_ud,
            self.sum_udd + other.sum_udd,
            self.bound + other.bound,
        )

    @property
    def mean_bound(self) -> float:
        """Bound per row."""
        return self.bound / float(self.n.sum())


def empty_sums(n_components: int, n_features: int) -> Sums:
    """Zeros for a kernel to add to."""
    return Sums(
        np.zeros(n_components),
        np.zeros(n_components),
        np.zeros(n_components),
        np.zeros((n_components, n_features)),
        np.zeros((n_components, n_features, n_features)),
        np.zeros(1),
    )
