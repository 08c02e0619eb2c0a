"""k-means: a first guess at where the groups are.

The algorithm and the random numbers are those of ``sklearn.cluster.KMeans``, so that a seed gives the clusters it gives
there; but scikit-learn takes longer to load than a small catalogue to fit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints

N_STARTS = 3
MAX_ITER = 300
TOL = 1e-4
"""Iterations end when the centres move by less than this, squared, in units of the mean variance of the features."""


CHUNK = 1024
"""Points whose distances are in memory at a time: more leave the cache of the processor."""


class Clusters(NamedTuple):
    """Where the groups are.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each point.
    centres : ndarray of shape (k, d)
    inertia : float
        Weighted sum of the squared distances between points and their centres.
    """

    labels: Ints
    centres: Floats
    inertia: float


def kmeans(points: Floats, weights: Floats, k: int, seed: int) -> Clusters:
    """The best of ``N_STARTS`` runs of Lloyd's algorithm, each from centres chosen by k-means++.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    weights : ndarray of shape (n,)
    k : int
        Number of clusters, at most n.
    seed : int

    Returns
    -------
    Clusters
        Some may be empty if there are fewer than k different points.

    Examples
    --------
    >>> import numpy as np
    >>> points = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> np.sort(kmeans(points, np.ones(4), 2, seed=0).centres.round(2), axis=None)
    array([0.05, 5.05])
    """
    middle = points.mean(axis=0)
    points = points - middle
    rng = np.random.RandomState(seed)
    tol = TOL * float(points.var(axis=0).mean())
    best = _lloyd(points, weights, _plus_plus(points, weights, k, rng), tol)
    for _ in range(N_STARTS - 1):
        other = _lloyd(points, weights, _plus_plus(points, weights, k, rng), tol)
        if other.inertia < best.inertia and not _is_same(other.labels, best.labels):
            best = other
    return best._replace(centres=best.centres + middle)


def _plus_plus(points: Floats, weights: Floats, k: int, rng: np.random.RandomState) -> Floats:
    """Points as first centres: each the best of a few drawn in proportion to the squared distance from those before."""
    n_trials = 2 + int(math.log(k))
    first = rng.choice(len(points), p=weights / weights.sum())
    chosen = [int(first)]
    nearest = _sq_distances(points[chosen], points)[0]
    potential = float(nearest @ weights)
    for _ in range(1, k):
        drawn = rng.uniform(size=n_trials) * potential
        trials = np.searchsorted(np.cumsum(weights * nearest), drawn)
        trials = np.minimum(trials, len(points) - 1)  # rounding
        reached = np.minimum(nearest, _sq_distances(points[trials], points))
        potentials = reached @ weights
        winner = int(np.argmin(potentials))
        potential, nearest = float(potentials[winner]), reached[winner]
        chosen.append(int(trials[winner]))
    return points[chosen]


def _lloyd(points: Floats, weights: Floats, centres: Floats, tol: float) -> Clusters:
    """Each point to the nearest centre, each centre to the mean of its points, until nothing changes."""
    weighted = np.ascontiguousarray((weights[:, None] * points).T)
    labels = _nearest(points, centres)
    for _ in range(MAX_ITER):
        moved = _means(points, weights, weighted, labels, centres)
        shift = float(np.square(moved - centres).sum())
        before, centres = labels, moved
        labels = _nearest(points, centres)
        if shift <= tol or np.array_equal(labels, before):
            break
    inertia = float(weights @ np.square(points - centres[labels]).sum(axis=1))
    return Clusters(labels, centres, inertia)


def _means(
    points: Floats, weights: Floats, weighted: Floats, labels: Ints, centres: Floats
) -> Floats:
    """Weighted means of the clusters; an empty one takes a point that is far from its centre."""
    k = len(centres)
    totals, *columns = (
        np.asarray(np.bincount(labels, w, minlength=k), dtype=np.float64)
        for w in (weights, *weighted)
    )
    sums = np.stack(columns, axis=1)
    empty = np.flatnonzero(totals == 0)
    if len(empty):
        _fill(empty, points, weights, labels, centres, totals, sums)
    biggest = sums[np.argmax(totals)] * (1.0 / totals.max())
    filled = totals > 0
    means = np.tile(biggest, (k, 1))
    means[filled] = sums[filled] * (1.0 / totals[filled, None])
    return means


def _fill(
    empty: Ints,
    points: Floats,
    weights: Floats,
    labels: Ints,
    centres: Floats,
    totals: Floats,
    sums: Floats,
) -> None:
    """Give to each empty cluster one of the points that are farthest from their centres, if any is away from it."""
    distances = np.square(points - centres[labels]).sum(axis=1)
    if not distances.any():
        return
    farthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
    for cluster, i in zip(empty, farthest, strict=True):
        sums[labels[i]] -= weights[i] * points[i]
        totals[labels[i]] -= weights[i]
        sums[cluster], totals[cluster] = weights[i] * points[i], weights[i]


def _nearest(points: Floats, centres: Floats) -> Ints:
    """The nearest centre of each point."""
    labels = np.empty(len(points), dtype=np.intp)
    squares = _squares(centres)
    for start in range(0, len(points), CHUNK):
        chunk = slice(start, start + CHUNK)
        distances = -2.0 * (points[chunk] @ centres.T)  # apart from the squares of the points
        distances += squares
        np.argmin(distances, axis=1, out=labels[chunk])
    return labels


def _sq_distances(some: Floats, points: Floats) -> Floats:
    """Between some points and all."""
    distances: Floats = -2.0 * (some @ points.T)
    distances += _squares(some)[:, None]
    distances += _squares(points)
    return np.maximum(distances, 0.0)


def _squares(points: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", points, points)
    return squares


def _is_same(labels: Ints, others: Ints) -> bool:
    """Whether each cluster lies within one of the others."""
    other = np.zeros(int(labels.max()) + 1, dtype=np.intp)
    other[labels] = others
    return np.array_equal(other[labels], others)
