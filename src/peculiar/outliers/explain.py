"""Which feature betrays an object."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from peculiar.kernels.structs import Floats, Ints

STEP = 1e-3
"""Of the differences that tell the side, in units of the population's spread."""


class Population(Protocol):
    """What is asked about rows of values, NaN where missing, measured with the errors of the objects."""

    def log_density(self, values: Floats) -> Floats:
        """Of each row, (n,)."""
        ...

    def component(self, values: Floats) -> Ints:
        """The most probable one of each row, (n,)."""
        ...

    def log_density_within(self, component: Ints, values: Floats) -> Floats:
        """Of each row, in the component named for it, (n,)."""
        ...


class Explanation(NamedTuple):
    """Why each object is strange.

    Attributes
    ----------
    surprise : ndarray of shape (n, d)
        -log p(x_i | all other features of the object), each feature in units of the population's spread, so that
        they can be compared. Minus infinity where a feature is missing: it is never to blame.
    sign : ndarray of int of shape (n, d)
        1 where the value is too high for the others, -1 where it is too low, 0 where it is missing.
    """

    surprise: Floats
    sign: Ints

    @property
    def main_feature(self) -> Ints:
        """The most surprising feature of each object, (n,); 0 where none is observed."""
        features: Ints = np.argmax(self.surprise, axis=1)
        return features


def explain(values: Floats, spread: Floats, population: Population) -> Explanation:
    """Surprise of each feature given the others, and its side.

    The side is that of the component to which the other features assign the object.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        NaN where missing.
    spread : ndarray of shape (d,)
        Typical size of each feature.
    population : Population

    Returns
    -------
    Explanation
    """
    all_of_them = population.log_density(values)
    surprise = np.full(values.shape, -np.inf)
    sign = np.zeros(values.shape, dtype=np.int64)
    for j in range(values.shape[1]):
        seen = ~np.isnan(values[:, j])
        others = _with(values, j, np.full(len(values), np.nan))
        gain = population.log_density(others) - all_of_them
        surprise[seen, j] = gain[seen] - np.log(spread[j])
        component, step = population.component(others), STEP * spread[j]
        higher, lower = (
            population.log_density_within(component, _with(values, j, values[:, j] + h))
            for h in (step, -step)
        )
        sign[seen, j] = np.where(higher <= lower, 1, -1)[seen]  # lower, it would be less strange
    return Explanation(surprise, sign)


def _with(values: Floats, column: int, new: Floats) -> Floats:
    """A copy with another column."""
    changed = values.copy()
    changed[:, column] = new
    return changed
