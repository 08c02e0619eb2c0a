"""Components side by side: how far each is from the ordinary population, in every feature."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.estimators.rows import feature_names
from peculiar.population.groups import Groups
from peculiar.report.asking import mixture_in, refuse_others


class Profiles(NamedTuple):
    """Centres and spreads of components, in units of the ordinary population.

    Attributes
    ----------
    centres : ndarray of shape (K, d)
        Less the mean of the ordinary population, in units of its spread.
    spreads : ndarray of shape (K, d)
        Roots of the scatters' diagonals, in the same units.
    group : ndarray of str of shape (K,)
        Letter of a strange group; empty for an ordinary component.
    n_objects, share : ndarray of shape (K,)
    feature_names : tuple of str
    """

    centres: Floats
    spreads: Floats
    group: NDArray[np.str_]
    n_objects: Floats
    share: Floats
    feature_names: tuple[str, ...]


def profiles(model: Any) -> Profiles:
    """How far each component is from the ordinary population, in every feature.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture
        Fitted, with ``groups_``.

    Returns
    -------
    Profiles
    """
    refuse_others(model)
    groups, mixture = _groups(model), mixture_in(model)
    variances = np.diagonal(mixture.scatters_, axis1=1, axis2=2)
    mean, spread = _ordinary(mixture.locations_, variances, groups)
    return Profiles(
        centres=(mixture.locations_ - mean) / spread,
        spreads=np.sqrt(variances) / spread,
        group=groups["group"].astype(np.str_),
        n_objects=groups["n_objects"],
        share=groups["share"],
        feature_names=feature_names(mixture),
    )


def _ordinary(locations: Floats, variances: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """Mean and spread of the ordinary components together, (d,) each."""
    share = np.where(groups["is_ordinary"], groups["share"], 0.0)
    share = share / share.sum()
    mean = share @ locations
    spread = np.sqrt(share @ (variances + np.square(locations - mean)))
    return mean, spread


def _groups(model: Any) -> Groups:
    if not hasattr(model, "groups_"):
        raise InputError(
            "this model was not asked for strange groups; fit an OutlierDetector, or make one of it with "
            "OutlierDetector.from_mixture(model, X, X_std=...)"
        )
    groups: Groups = model.groups_
    return groups
