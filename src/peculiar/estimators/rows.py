"""From what a user gives to rows that a population can be asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from peculiar.backends.ahead import read_ahead
from peculiar.catalogue.scanning import Scan
from peculiar.errors import MissingNoiseWarning
from peculiar.estimators.scans import observed_parts, refuse_more, refuse_random
from peculiar.observations import NoNoise, Observations, Scaling
from peculiar.population import Population
from peculiar.validation import CheckedRows, check_reach, check_rows
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


Answer = TypeVar("Answer")

Question = Callable[[Population, Observations], Answer]
"""What is asked about some rows: an array with a line for each, or a tuple of such arrays."""


def ask(
    model: PlainMixture | OutlierDetector,
    question: Question[Answer],
    X: Any,
    X_std: Any = None,
    X_cov: Any = None,
) -> Answer:
    """The answer to a question about each row of a table, which may be a scan: then it is asked part by part.

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
        What the question gives, of all rows.
    """
    if not isinstance(X, Scan):
        return question(*observe(model, X, X_std, X_cov))
    refuse_more(X, X_std=X_std, X_cov=X_cov)
    population = model.population_
    parts = scanned(population, model, X)
    answer: Answer = join([question(population, obs) for obs in read_ahead(lambda: parts)])
    return answer


def scanned(population: Population, model: Any, scan: Scan) -> Iterator[Observations]:
    """The rows of a scan in the units of the population, some at a time."""
    refuse_random(population.model.engine)
    if getattr(model, "_has_noise", False) and not scan.is_noisy:
        warn_caller(NO_NOISE, MissingNoiseWarning)
    return observed_parts(model, scan, population.scaling, reach_of(population))


def join(answers: list[Any]) -> Any:
    """Answers about parts of a table, one after the other."""
    first = answers[0]
    if not isinstance(first, tuple):
        return np.concatenate(answers)
    joined = [join(list(several)) for several in zip(*answers, strict=True)]
    return type(first)(*joined) if hasattr(first, "_fields") else tuple(joined)


def in_units_of(population: Population, model: Any, rows: CheckedRows) -> Observations:
    """Checked rows in the units of the population; the model knows the names of the features, for messages."""
    check_reach(model, *rows, reach_of(population))
    return Observations.of(*rows, population.scaling)


def reach_of(population: Population) -> Scaling:
    """Units of the smallest scatter of each feature: in these no value may be too far away."""
    scatters = population.params.scatters
    smallest = np.sqrt(np.diagonal(scatters, axis1=1, axis2=2).min(axis=0))
    return Scaling(population.scaling.shift, smallest)
