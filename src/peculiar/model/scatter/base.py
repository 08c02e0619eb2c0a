"""What a scatter structure has to answer."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np

from peculiar.arrays import Floats

FLOOR = 1e-10
"""Least variance of a scatter, in units of the spread of the data (1e-5 of it in standard deviation)."""


CONDITION = 1e14
"""Largest ratio of two eigenvalues of a scatter that can be written as a matrix: beyond, rounding leaves nothing of the
smaller one. It matters only for components a hundred times as wide as the data typically are."""


def eigenvalue_floor(values: Floats) -> Floats:
    """Least eigenvalue each scatter may have, given its eigenvalues in rising order, (K, d).

    An absolute floor is a constraint, and eigenvalues raised to it are the likeliest that obey it, so that EM never
    falls. A floor relative to the largest eigenvalue is none: with it the objective fell by up to 0.3 per row.
    """
    floor: Floats = np.maximum(FLOOR, values[:, -1] / CONDITION)
    return floor


class Scatter(Protocol):
    """Which scatter matrices are allowed, and which of them are preferred.

    Attributes
    ----------
    name : str
    prior_rows : float
        How many rows of each component the preference counts for; 0 without one.
    """

    name: ClassVar[str]

    @property
    def prior_rows(self) -> float:
        """How many rows of each component the preference counts for."""
        return 0.0

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one scatter matrix."""
        ...

    def nearest(self, moments: Floats) -> Floats:
        """The likeliest allowed scatters, (K, d, d), for second moments (K, d, d), with variances above ``FLOOR``.

        That is: the maximiser of -log|Sigma| - tr(Sigma^-1 M) over the structure, so that EM never falls.
        """
        ...

    def estimate(self, moments: Floats, n: Floats) -> Floats:
        """The best scatters, (K, d, d), for the second moments (K, d, d) of so many rows each, (K,).

        That is: the maximiser of ``log_prior(Sigma) - (n/2) (log|Sigma| + tr(Sigma^-1 M))``.
        """
        return self.nearest(moments)

    def log_prior(self, scatters: Floats) -> float:
        """By how much these scatters, (K, d, d), are preferred to others; 0 without a preference."""
        return 0.0

    def is_aligned(self, scatters: Floats) -> bool:
        """Whether these are diagonal and ``nearest`` looks at diagonals only."""
        ...
