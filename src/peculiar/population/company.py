"""How much company objects of each component have: how far one must look to meet a small part of the population.

A density cannot tell a small tight group far from everything from a part of the bulk: it is dense. The radius around an
object within which a tenth of the population lies can: members of a smaller group have to look beyond it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from peculiar.arrays import Floats
from peculiar.observations import (
    Noise,
    NoNoise,
    Observations,
    errors_of_feature,
    noise_covariances,
    take_rows,
)

if TYPE_CHECKING:
    from peculiar.population.population import Population

Mask = NDArray[np.bool_]

COMPANY = (0.04, 0.1)
"""Shares of the population that keep an object company. However tight, a smaller group is alone if it lies apart."""

_SEED = 2007  # the same population is always judged alike
_CROWD = 4000  # objects of the whole population
_OBJECTS = 5000  # of all components together, each with as many
_BATCH = 100  # objects, whose distances to the crowd fit into a cache
_FLAT = 1e-10  # a direction is at least so wide, as a share of the widest variance


def company(population: Population, obs: Observations, seed: int = _SEED) -> Floats:
    """How near their company is to objects of each component: the higher the nearer.

    Parameters
    ----------
    population : Population
    obs : Observations
        The objects are measured with typical errors of its rows.
    seed : int

    Returns
    -------
    ndarray of shape (2, K, m)
        Minus the logarithms of the radii that hold 4 % and 10 % of the population (``COMPANY``), for m objects of each
        component. Distances are in units of the scatter of an average component with typical errors.
    """
    k, rng = population.params.n_components, np.random.default_rng(seed)
    if k == 1:
        return np.zeros((len(COMPANY), 1, 1))
    everybody, shares = population.without_wild(), np.exp(population.params.log_weights)
    n, n_crowd = _OBJECTS // k, np.rint(_CROWD * shares).astype(np.int64)
    noise = typical_noise(obs, n + int(n_crowd.max()))

    def draw(i: int) -> Floats:
        n_drawn = n + int(n_crowd[i])
        return everybody.component(i).sample(n_drawn, rng, take_rows(noise, slice(n_drawn)))[0]

    drawn = [draw(i) for i in range(k)]
    measured = ~np.isnan(drawn[0][0])  # a feature that is always missing keeps nobody apart
    axes = _units(np.einsum("k,kij->ij", shares, population.params.scatters), noise)[measured]
    crowd = np.concatenate([values[n:, measured] for values in drawn]) @ axes
    return -np.stack([_log_radii(values[:n, measured] @ axes, crowd) for values in drawn], axis=1)


def share_within(population: Population, obs: Observations, k: int, others: Mask) -> float:
    """Share of the objects of other components that would be no surprise as objects of component k.

    Parameters
    ----------
    population : Population
    obs : Observations
        As for :func:`company`.
    k : int
    others : ndarray of shape (K,)
        Which components are meant.

    Returns
    -------
    float
        Of objects drawn from them, those within the ellipsoid that holds 99 % of a Gaussian like component k.
    """
    rng, everybody = np.random.default_rng(_SEED), population.without_wild()
    weights = np.where(others, np.exp(population.params.log_weights), 0.0)
    n_drawn = np.rint(_CROWD * weights / weights.sum()).astype(np.int64)
    noise = typical_noise(obs, int(n_drawn.max()))
    drawn = [
        everybody.component(int(i)).sample(
            int(n_drawn[i]), rng, take_rows(noise, slice(int(n_drawn[i])))
        )[0]
        for i in np.flatnonzero(n_drawn)
    ]
    crowd = np.concatenate(drawn)
    measured = ~np.isnan(crowd[0])
    axes = _units(population.params.scatters[k], noise)[measured]
    delta = (crowd - population.params.locations[k])[:, measured] @ axes
    return float(np.mean(np.square(delta).sum(axis=1) < chdtri(measured.sum(), 0.01)))


def typical_noise(obs: Observations, n: int) -> Noise:
    """The errors of one row, n times: of those with most features, the one whose errors are of median size."""
    if isinstance(obs.noise, NoNoise):
        return NoNoise(n)
    n_seen = (~np.isnan(obs.values)).sum(axis=1)
    rows = np.flatnonzero(n_seen == n_seen.max())
    size = np.zeros(len(rows))
    for j, scale in enumerate(obs.scaling.scale):
        errors = errors_of_feature(take_rows(obs.noise, rows), j)
        size += np.where(np.isnan(obs.values[rows, j]), 0.0, np.square(errors / scale))
    middle = rows[np.argsort(size, kind="stable")[len(rows) // 2]]
    return take_rows(obs.noise, np.full(n, middle))


def _units(scatter: Floats, noise: Noise) -> Floats:
    """Axes in which the scatter, as measured with the noise of the first row, is a unit matrix, (d, d)."""
    errors = noise_covariances(take_rows(noise, slice(1)), len(scatter))[0]
    measured = scatter + np.where(np.isfinite(errors), errors, 0.0)
    scale = np.sqrt(np.diag(measured))
    variance, directions = np.linalg.eigh(measured / scale / scale[:, None])
    axes: Floats = directions / np.sqrt(np.maximum(variance, _FLAT * variance[-1]))
    return axes / scale[:, None]


def _log_radii(objects: Floats, crowd: Floats) -> Floats:
    """Logarithms of the radii around each object that hold the shares of the crowd, (2, n).

    In single precision NumPy finds the n-th smallest in a tenth of the time, if it is asked for one at a time. Objects
    are seen from their middle, so that no digits are lost but those of distances to who is far from all of them.
    """
    middle = objects.mean(axis=0)
    objects, crowd = ((values - middle).astype(np.float32) for values in (objects, crowd))
    near, far = (int(share * len(crowd)) for share in COMPANY)
    sq_length = np.square(crowd).sum(axis=1)
    sq_radius = np.empty((len(COMPANY), len(objects)))
    for begin in range(0, len(objects), _BATCH):
        some = slice(begin, begin + _BATCH)
        sq_dist = np.square(objects[some]).sum(axis=1)[:, None] + sq_length
        sq_dist -= 2.0 * objects[some] @ crowd.T
        nearest = np.partition(sq_dist, far, axis=1)[:, : far + 1]
        sq_radius[:, some] = np.partition(nearest, near, axis=1)[:, near], nearest[:, far]
    return 0.5 * np.log(np.maximum(sq_radius, _FLAT))
