"""Rules for a law of u with a wild part, made from those for the ordinary part."""

from __future__ import annotations

import math

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels.careful.moments import n_moments
from peculiar.kernels.lanes.expect import FIRST_LOCATION, FIRST_WILD, FIRST_WILD_NODE
from peculiar.kernels.lanes.wild import WildConstants
from peculiar.kernels.shared.special import LOG_2PI
from peculiar.kernels.structs import N_WILD, ExactRule, LaneRule, WildRule
from peculiar.model.prior import Scale
from peculiar.model.prior.wild import wild_nodes


def wild_rule(ordinary: ExactRule, scale: Scale, n_features: int) -> WildRule:
    """For one row at a time."""
    u, probability = wild_nodes()
    return WildRule(
        ordinary.dofs,
        ordinary,
        math.log1p(-scale.wild_fraction),
        u,
        np.log(probability) + math.log(scale.wild_fraction),
        np.zeros(n_moments.py_func(n_features)),
    )


def wild_lane_rule(ordinary: LaneRule, scale: Scale, n_features: int) -> LaneRule:
    """For whole blocks: numbers and nodes of the wild part behind those of the ordinary one."""
    n_components, eps = len(ordinary.dofs), scale.wild_fraction
    observed = np.arange(n_features + 1)
    constants = np.zeros((n_components, n_features + 1, FIRST_LOCATION))
    constants[:, :, : ordinary.constants.shape[2]] = ordinary.constants
    numbers = WildConstants(math.log1p(-eps), math.log(eps) - 0.5 * LOG_2PI * observed)
    for i, number in enumerate(numbers):
        constants[:, :, FIRST_WILD + i] = number
    u, probability = wild_nodes()
    nodes = np.zeros((n_components, n_features + 1, FIRST_WILD_NODE + N_WILD, 4))
    nodes[:, :, : ordinary.nodes.shape[2]] = ordinary.nodes
    nodes[:, :, FIRST_WILD_NODE:, 0] = u
    nodes[:, :, FIRST_WILD_NODE:, 1] = np.log(probability) + 0.5 * np.outer(observed, np.log(u))
    mean_u: Floats = (1.0 - eps) + eps * (u @ probability)
    return LaneRule(ordinary.dofs, constants, nodes, True, eps, float(mean_u))
