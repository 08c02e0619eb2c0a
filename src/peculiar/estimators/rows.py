"""From what a user gives to rows that a mixture is fitted to, or a population asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.backends.dask.arrays import is_collection
from peculiar.backends.sample import sample_rows
from peculiar.catalogue.scanning import Scan
from peculiar.errors import InputError, MissingNoiseWarning
from peculiar.estimators.elsewhere import (
    Elsewhere,
    reach_of,
    refuse_other_features,
    refuse_random,
)
from peculiar.estimators.partitions import Partitions
from peculiar.estimators.scans import ScanRows
from peculiar.fitting.start import robust_scaling
from peculiar.observations import NoNoise, Observations, take_rows
from peculiar.population import Population
from peculiar.validation import (
    CheckedRows,
    check_enough,
    check_reach,
    check_rows,
    check_spread,
    check_weights,
)
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from peculiar.estimators.detector import OutlierDetector
    from peculiar.estimators.plain import PlainMixture


NO_NOISE = (
    "this model was fitted with errors (X_std or X_cov) and is now given none: values are taken as exact. "
    "Give X_std=0 as an array if that is meant"
)


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
        warn_caller(NO_NOISE, MissingNoiseWarning)
    return population, in_units_of(population, model, rows)


def rows_to_fit(
    model: PlainMixture, rows: CheckedRows, sample_weight: Any, n_components: int
) -> Observations:
    """The rows of a table in memory that say anything, in units of their spread.

    Parameters
    ----------
    model : PlainMixture
        Knows the names of the features, for messages.
    rows : CheckedRows
    sample_weight : array-like of shape (n,) or None
        As the user gave it.
    n_components : int
        The rows must be able to tell so many apart.

    Returns
    -------
    Observations
    """
    values, noise = rows
    weights = check_weights(sample_weight, len(values))
    some = np.flatnonzero((weights > 0) & ~np.isnan(values).all(axis=1))
    if len(some) < len(values):
        values, weights, noise = values[some], weights[some], take_rows(noise, some)
    check_enough(model, values, noise, n_components)
    sample = sample_rows(values)
    scaling = robust_scaling(values[sample], take_rows(noise, sample))
    check_spread(model, scaling)
    check_reach(model, values, noise, scaling, some)
    return Observations.of(values, noise, scaling, weights)


Answer = TypeVar("Answer")

Question = Callable[[Population, Observations], Answer]
"""What is asked about some rows: an array with a line for each, or a tuple of such arrays."""


def find_elsewhere(X: Any, X_std: Any = None, X_cov: Any = None, **more: Any) -> Elsewhere | None:
    """Rows that stay where they are, if the user gave such: a scan, a table of Dask. None: they are in memory.

    Parameters
    ----------
    X, X_std, X_cov
        As the user gave them.
    **more
        What else the user gave for each row, which is refused unless it is None.

    Returns
    -------
    Elsewhere or None
    """
    if isinstance(X, Scan | Partitions):
        what = "scan" if isinstance(X, Scan) else "table of Dask"
        _refuse(what, f"a {what} has errors of its own, and", X_std=X_std, X_cov=X_cov, **more)
        return ScanRows(X) if isinstance(X, Scan) else X
    if any(map(is_collection, (X, X_std, X_cov))):
        _refuse("table of Dask", "there", **more)
        return Partitions.of(X, X_std, X_cov)
    return None


def _refuse(what: str, why: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} was given beside a {what}; {why} each row counts once")


def ask(
    model: PlainMixture | OutlierDetector,
    question: Question[Answer],
    X: Any,
    X_std: Any = None,
    X_cov: Any = None,
) -> Answer:
    """The answer to a question about each row of a table, wherever its rows are.

    Parameters
    ----------
    model : PlainMixture or OutlierDetector
        Fitted.
    question : callable
    X, X_std, X_cov
        As the user gave them.

    Returns
    -------
    object
        What the question gives, of all rows. Of a table of Dask it is not computed yet.
    """
    rows = find_elsewhere(X, X_std, X_cov)
    if rows is None:
        return question(*observe(model, X, X_std, X_cov))
    return rows.ask(_population_for(model, rows), question)


def add_up(
    model: PlainMixture | OutlierDetector,
    question: Question[Floats],
    X: Any,
    X_std: Any = None,
    X_cov: Any = None,
) -> Floats:
    """The same for a question about rows together, if answers about parts of a table can be added."""
    rows = find_elsewhere(X, X_std, X_cov)
    if rows is None:
        return question(*observe(model, X, X_std, X_cov))
    return rows.add_up(_population_for(model, rows), question)


def _population_for(model: PlainMixture | OutlierDetector, rows: Elsewhere) -> Population:
    """The population of a model, if it can be asked about these rows."""
    population = model.population_
    refuse_random(population.model.engine)
    refuse_other_features(model, rows)
    if getattr(model, "_has_noise", False) and rows.lacks_errors:
        warn_caller(NO_NOISE, MissingNoiseWarning)
    return population


def in_units_of(population: Population, model: Any, rows: CheckedRows) -> Observations:
    """Checked rows in the units of the population; the model knows the names of the features, for messages."""
    check_reach(model, *rows, reach_of(population))
    return Observations.of(*rows, population.scaling)
