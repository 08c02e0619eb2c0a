"""What only the model knows of the listed objects: where they are without their errors, and what would be ordinary."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.estimators.rows import observe
from peculiar.observations import Observations
from peculiar.population import Population

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture


class Asked(NamedTuple):
    """Answers of a model about some objects.

    Attributes
    ----------
    clean : ndarray of shape (n, d)
    clean_covariance : ndarray of shape (n, d, d)
    expected : ndarray of shape (n, d)
        Of each feature, the mean clean value of ordinary objects that have the same other features.
    """

    clean: Floats
    clean_covariance: Floats
    expected: Floats


def ask(model: PlainMixture, values: Floats, covariance: Floats | None) -> Asked:
    """Ask a model about objects.

    Parameters
    ----------
    model : PlainMixture
        Fitted.
    values : ndarray of shape (n, d)
    covariance : ndarray of shape (n, d, d) or None
        Of the errors; None if the values are exact.
    """
    population, obs = observe(model, values, X_cov=covariance)
    groups = getattr(model, "groups_", None)
    population = population.with_ordinary(None if groups is None else groups["is_ordinary"])
    moments = population.moments(obs, with_clean=True)
    return Asked(moments.clean, moments.clean_cov, _expected(population.ordinary(), obs))


def _expected(ordinary: Population, obs: Observations) -> Floats:
    """The clean value of each feature, given the measurements of all others."""
    columns = []
    for j in range(obs.values.shape[1]):
        without = obs.values.copy()
        without[:, j] = np.nan
        columns.append(ordinary.moments(obs.with_values(without), with_clean=True).clean[:, j])
    return np.column_stack(columns)
