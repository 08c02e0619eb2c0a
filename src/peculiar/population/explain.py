"""Which feature makes an object strange."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.observations import Observations

if TYPE_CHECKING:
    from peculiar.population.population import Population

STEP = 1e-3
"""Step of the differences that show the side, in units of the population's spread."""


class Explanation(NamedTuple):
    """Why each object is strange.

    Attributes
    ----------
    surprise : ndarray of shape (n, d)
        -log p(x_i | all other features of the object), each feature in units of the population's spread, so that
        they can be compared. Minus infinity where a feature is missing: a missing feature is never to blame.
    sign : ndarray of int of shape (n, d)
        1 where the value is too high, given the other features, -1 where it is too low, 0 where it is missing.
    """

    surprise: Floats
    sign: Ints

    @property
    def main_feature(self) -> Ints:
        """The most surprising feature of each object, (n,); 0 where none is observed."""
        return most_surprising(self.surprise)


class Surprises(NamedTuple):
    """How surprising each feature is, given the others.

    Attributes
    ----------
    surprise : ndarray of shape (n, d)
        As in :class:`Explanation`.
    component : ndarray of shape (n, d)
        The component to which the other features assign the object.
    """

    surprise: Floats
    component: Ints


def explain(population: Population, obs: Observations) -> Explanation:
    """Surprise of each feature given the others, and whether its value is too high or too low.

    Parameters
    ----------
    population : Population
    obs : Observations

    Returns
    -------
    Explanation
    """
    surprise, component = surprises(population, obs)
    n_rows, n_features = surprise.shape
    columns = [
        sides(population, obs, np.full(n_rows, j), component[:, j]) for j in range(n_features)
    ]
    return Explanation(surprise, np.stack(columns, axis=1))


def surprises(population: Population, obs: Observations) -> Surprises:
    """How surprising each feature is: by how much the log-density rises without it. Each feature takes one pass.

    Parameters
    ----------
    population : Population
    obs : Observations

    Returns
    -------
    Surprises
    """
    values, log_spread = obs.values, np.log(population.scaling.scale)
    with_all = population.moments(obs).log_density
    surprise = np.full(values.shape, -np.inf)
    component = np.zeros(values.shape, dtype=np.int64)
    for j in range(values.shape[1]):
        seen = ~np.isnan(values[:, j])
        without = values.copy()
        without[:, j] = np.nan
        others = population.moments(obs.with_values(without))
        surprise[seen, j] = (others.log_density - with_all)[seen] - log_spread[j]
        component[:, j] = others.component
    return Surprises(surprise, component)


def sides(population: Population, obs: Observations, feature: Ints, component: Ints) -> Ints:
    """On which side of its component each object lies in one of its features.

    Parameters
    ----------
    population : Population
    obs : Observations
    feature, component : ndarray of shape (n,)
        A feature of each object, and the component to compare it with.

    Returns
    -------
    ndarray of shape (n,)
        1 where the value is too high, given the other features, -1 where it is too low, 0 where it is missing.
    """
    step = STEP * population.scaling.scale[feature]
    higher, lower = (
        _log_density_within(population, component, _moved(obs, feature, by)) for by in (step, -step)
    )
    side = np.where(higher <= lower, 1, -1)  # lower, it would be less strange
    return np.where(np.isnan(obs.values[np.arange(obs.n_rows), feature]), 0, side)


def most_surprising(surprise: Floats) -> Ints:
    """The most surprising feature of each object, (n,); 0 where none is observed."""
    features: Ints = np.argmax(surprise, axis=1)
    return features


def _moved(obs: Observations, feature: Ints, by: Floats) -> Observations:
    """The same rows, each with one of its values moved."""
    values = obs.values.copy()
    values[np.arange(obs.n_rows), feature] += by
    return obs.with_values(values)


def _log_density_within(population: Population, component: Ints, obs: Observations) -> Floats:
    """Log-density of each row in the component named for it, (n,)."""
    result = np.empty(obs.n_rows)
    for k in np.unique(component):
        rows = np.flatnonzero(component == k)
        result[rows] = population.component(int(k)).moments(obs.take(rows)).log_density
    return result
