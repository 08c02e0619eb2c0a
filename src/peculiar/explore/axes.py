"""What can be put on the axes of the scatter: the features; with a single one, p-values as well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.report.scene import Objects, Scene

STRANGENESS = "-log10 p"
"""The second axis if there is only one feature."""


@dataclass(frozen=True, eq=False)
class Axes:
    """What can be put on an axis.

    Attributes
    ----------
    labels : tuple of str
    low, high : ndarray
        The range of each.
    first : (int, int)
        What is to the right and upwards at first: the features that make most discoveries strange.
    images : dict
        For each pair (i, j), i < j, how many objects are where; see :class:`~peculiar.report.scene.Bulk`.
    """

    labels: tuple[str, ...]
    low: Floats
    high: Floats
    first: tuple[int, int]
    images: dict[tuple[int, int], NDArray[np.int64]]

    @classmethod
    def of(cls, scene: Scene) -> Axes:
        """Those of a scene."""
        features, objects = scene.features, scene.objects
        if len(features.names) > 1:
            first = most_telling(objects, len(features.names))
            return cls(features.labels, features.low, features.high, first, scene.bulk.pairs)
        depth = strangeness(objects)
        return cls(
            (*features.labels, STRANGENESS),
            np.append(features.low, 0.0),
            np.append(features.high, max(1.08 * float(depth.max(initial=1.0)), 2.0)),
            (0, 1),
            {(0, 1): standing(scene.bulk.single[0])},
        )

    def counts(self, right: int, up: int) -> NDArray[np.int64]:
        """How many objects are where, with these two to the right and upwards."""
        if right < up:
            return self.images[right, up]
        return self.images[up, right].T

    def place(self, objects: Objects) -> Floats:
        """Where objects are on every axis, as measured."""
        if len(self.labels) == objects.values.shape[1]:
            return objects.values
        return np.column_stack([objects.values, strangeness(objects)])


def standing(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """A histogram as an image: bars that stand at the bottom, up to a third of its height.

    Examples
    --------
    >>> standing(np.array([1, 2, 0]))
    array([[1, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    n = len(counts)
    height = np.ceil(counts * (n / (3.0 * max(int(counts.max(initial=0)), 1))))
    return np.asarray(np.arange(n)[:, None] < height, dtype=np.int64)


def strangeness(objects: Objects) -> Floats:
    """Minus the decadic logarithm of the p-values."""
    return np.asarray(-np.log10(np.maximum(objects.p, 1e-308)))


def most_telling(objects: Objects, n_features: int) -> tuple[int, int]:
    """The two features that make most discoveries strange, of all objects if there is no discovery."""
    some = objects.main[objects.is_discovery] if objects.is_discovery.any() else objects.main
    counts = Counter({j: int(np.count_nonzero(some == j)) for j in range(n_features)})
    pairs = list(permutations(range(n_features), 2))
    best = max(pairs, key=lambda pair: (counts[pair[0]] + counts[pair[1]], -pair[0], -pair[1]))
    return (min(best), max(best))
