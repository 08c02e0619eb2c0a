"""From what a user gives to rows that a population can be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.errors import MissingNoiseWarning
from peculiar.observations import NoNoise, Observations, Scaling
from peculiar.population import Population
from peculiar.validation import CheckedRows, check_reach, check_rows
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from peculiar.estimators.detector import OutlierDetector
    from peculiar.estimators.plain import PlainMixture


def feature_names(model: Any) -> tuple[str, ...]:
    """Names of the features of a model: those of the recipe, of the table it was fitted to, or x0, x1 ..."""
    if hasattr(model, "recipe_"):
        return tuple(model.recipe_.names)
    given = getattr(model, "feature_names_in_", None)
    return tuple(f"x{j}" for j in range(model.n_features_in_)) if given is None else tuple(given)


def observe(
    model: PlainMixture | OutlierDetector, X: Any, X_std: Any = None, X_cov: Any = None
) -> tuple[Population, Observations]:
    """The population of a model, and new rows to ask it about: checked once, here.

    Parameters
    ----------
    model : PlainMixture or OutlierDetector
        Fitted.
    X, X_std, X_cov
        As the user gave them.

    Returns
    -------
    population : Population
    obs : Observations
        In the units of the population.
    """
    population = model.population_
    rows = check_rows(model, X, X_std, X_cov, reset=False)
    if getattr(model, "_has_noise", False) and isinstance(rows.noise, NoNoise):
        warn_caller(
            "this model was fitted with errors (X_std or X_cov) and is now given none: values are taken as exact. "
            "Give X_std=0 as an array if that is meant",
            MissingNoiseWarning,
        )
    return population, in_units_of(population, model, rows)


def in_units_of(population: Population, model: Any, rows: CheckedRows) -> Observations:
    """Checked rows in the units of the population; the model knows the names of the features, for messages."""
    scaling, scatters = population.scaling, population.params.scatters
    smallest = np.sqrt(np.diagonal(scatters, axis1=1, axis2=2).min(axis=0))
    check_reach(model, *rows, Scaling(scaling.shift, smallest))
    return Observations.of(*rows, scaling)
