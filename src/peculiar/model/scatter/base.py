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
    """Which scatter matrices are allowed."""

    name: ClassVar[str]

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one scatter matrix."""
        ...

    def nearest(self, moments: Floats) -> Floats:
        """The likeliest allowed scatters, (K, d, d), for second moments (K, d, d), with variances above ``FLOOR``.

        That is: the maximiser of -log|Sigma| - tr(Sigma^-1 M) over the structure, so that EM never falls.
        """
        ...

    def is_aligned(self, scatters: Floats) -> bool:
        """Whether these are diagonal and ``nearest`` looks at diagonals only."""
        ...
