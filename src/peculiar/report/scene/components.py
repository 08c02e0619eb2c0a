"""The components of the model, to be drawn as ellipses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from peculiar.arrays import Floats

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture


@dataclass(frozen=True, eq=False)
class Components:
    """Where the components of a model are.

    Attributes
    ----------
    share : ndarray of shape (K,)
    location : ndarray of shape (K, d)
    scatter : ndarray of shape (K, d, d)
    dof : ndarray of shape (K,)
    group : tuple of str
        The letter of the strange group; empty for an ordinary component.
    """

    share: Floats
    location: Floats
    scatter: Floats
    dof: Floats
    group: tuple[str, ...]

    @classmethod
    def of(cls, model: PlainMixture) -> Components:
        """Those of a fitted model."""
        groups = getattr(model, "groups_", None)
        letters = [""] * model.n_components_ if groups is None else groups["group"]
        share, location = np.asarray(model.weights_), np.asarray(model.locations_)
        scatter, dof = np.asarray(model.scatters_), np.asarray(model.dofs_)
        return cls(share, location, scatter, dof, tuple(str(letter) for letter in letters))
