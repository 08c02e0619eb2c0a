"""Scatters of some structure for most components, and multiples of given matrices for the last ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.model.scatter.base import FLOOR, Scatter


@dataclass(frozen=True, eq=False)
class WithMultiples(Scatter):
    """Components with a scatter of their own, followed by small ones that only choose the size of a given one.

    A full scatter of d features has d (d + 1) / 2 parameters, which a group of few rows cannot pay for. One number is
    enough to say how large a group is, if its shape is taken from the others.

    Parameters
    ----------
    own : Scatter
        Structure of the first components.
    shapes : ndarray of shape (m, d, d)
        Of the last m components. They do not change during a fit.
    """

    own: Scatter
    shapes: Floats

    name: ClassVar[str] = "multiples"

    @property
    def prior_rows(self) -> float:
        """How many rows of each of the first components the preference counts for."""
        return self.own.prior_rows

    def n_parameters(self, n_features: int) -> int:
        """Free parameters of one of the first components."""
        return self.own.n_parameters(n_features)

    def nearest(self, moments: Floats) -> Floats:
        """The likeliest allowed scatters; no multiple has a variance below the floor."""
        first, last = np.split(moments, [-len(self.shapes)])
        return np.concatenate([self.own.nearest(first), self._multiples(last)])

    def estimate(self, moments: Floats, n: Floats) -> Floats:
        """The same, with the preference of the first components, if they have one."""
        first, last = np.split(moments, [-len(self.shapes)])
        return np.concatenate([self.own.estimate(first, n[: len(first)]), self._multiples(last)])

    def log_prior(self, scatters: Floats) -> float:
        """That of the first components."""
        return self.own.log_prior(scatters[: -len(self.shapes)])

    def is_aligned(self, scatters: Floats) -> bool:
        """Never: all moments count."""
        return False

    def _multiples(self, moments: Floats) -> Floats:
        """The maximiser of -d log c - tr((c W)^-1 M) is c = tr(W^-1 M) / d."""
        size = np.trace(np.linalg.solve(self.shapes, moments), axis1=1, axis2=2) / moments.shape[1]
        least = FLOOR / np.linalg.eigvalsh(self.shapes)[:, 0]
        multiples: Floats = np.maximum(size, least)[:, None, None] * self.shapes
        return multiples
