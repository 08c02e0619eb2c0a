"""Which component is which cluster."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from peculiar.arrays import Ints
from peculiar.datasets import Clusters


def match_components(groups: Ints, sky: Clusters) -> Ints:
    """The cluster of each component, all different: chosen so that as many points as possible are in the right one."""
    counts = np.zeros((3, 3))
    ordinary = ~sky.is_outlier
    np.add.at(counts, (groups[ordinary], sky.population[ordinary]), 1)
    _, clusters = linear_sum_assignment(-counts)
    return np.asarray(clusters)


def rightly_grouped(groups: Ints, sky: Clusters) -> float:
    """Share of the ordinary points whose component is that of their cluster."""
    is_right = match_components(groups, sky)[groups] == sky.population
    return float(is_right[~sky.is_outlier].mean())
