"""Sufficient statistics: the third waist. Engines make them, backends add them, the M-step reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels.structs import Sums


@dataclass(frozen=True)
class SufficientStats:
    """Expected sums over rows, with q the responsibility and delta = w - (current location).

    Attributes
    ----------
    n : ndarray of shape (K,)
        Sum of q. Rows count by their weight; those with nothing observed do not.
    sum_u, sum_log_u : ndarray of shape (K,)
        Sums of q E[u] and q E[log u], the latter over the ordinary part of the law of u only.
    sum_ud : ndarray of shape (K, d)
        Sum of q E[u delta].
    sum_udd : ndarray of shape (K, d, d)
        Sum of q E[u delta delta'].
    n_wild, sum_u_wild : ndarray of shape (K,)
        What the wild part of the law of u has of n and sum_u.
    bound : float
        Sum of log p(x), or of the engine's lower bound of it.
    """

    n: Floats
    sum_u: Floats
    sum_log_u: Floats
    sum_ud: Floats
    sum_udd: Floats
    n_wild: Floats
    sum_u_wild: Floats
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
            self.n_wild + other.n_wild,
            self.sum_u_wild + other.sum_u_wild,
            self.bound + other.bound,
        )

    @property
    def n_ordinary(self) -> Floats:
        """Rows of each component that are ordinary, (K,)."""
        return self.n - self.n_wild

    @property
    def sum_excess(self) -> Floats:
        """Sum of q E[u - log u - 1] over the ordinary part, (K,): what its dof follows from."""
        return self.sum_u - self.sum_u_wild - self.sum_log_u - self.n_ordinary

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
        np.zeros(n_components),
        np.zeros(n_components),
        np.zeros(1),
    )
