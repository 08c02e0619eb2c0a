"""Who to ask about rows, for tables and pictures alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from peculiar.errors import InputError
from peculiar.estimators.rows import feature_names, observe

if TYPE_CHECKING:
    from peculiar.observations import Observations
    from peculiar.population import Population
    from peculiar.population.groups import Groups


class Asked(NamedTuple):
    """A population that knows its strange groups, and rows to ask it about."""

    population: Population
    obs: Observations
    groups: Groups | None
    names: tuple[str, ...]


def ask(model: Any, X: Any, X_std: Any = None, X_cov: Any = None) -> Asked:
    """The population of a fitted model, and rows to ask it about, checked.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture
        Fitted. Of a mixture all components are ordinary, unless it knows of strange groups.
    X, X_std, X_cov
        As for :meth:`OutlierDetector.fit`.

    Returns
    -------
    Asked
    """
    refuse_others(model)
    population, obs = observe(model, X, X_std, X_cov)
    groups = getattr(model, "groups_", None)
    is_ordinary = None if groups is None else groups["is_ordinary"]
    names = feature_names(mixture_in(model))  # it knows its recipe, if it came from a file
    return Asked(population.with_ordinary(is_ordinary), obs, groups, names)


def mixture_in(model: Any) -> Any:
    """The mixture of a detector, or the mixture itself.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture

    Returns
    -------
    RobustMixture
    """
    refuse_others(model)
    return getattr(model, "mixture_", model)


def refuse_others(model: Any) -> None:
    """InputError if this is not one of our own models."""
    from peculiar.estimators import OutlierDetector
    from peculiar.estimators.plain import PlainMixture

    if not isinstance(model, OutlierDetector | PlainMixture):
        raise InputError(
            f"a picture is made of an OutlierDetector or a RobustMixture, not of {type(model).__name__}; of a "
            "Transformed give its estimator_, with the rows that carry(X, X_std=...) gives"
        )


def number_of(feature: int | str, names: tuple[str, ...]) -> int:
    """The number of a feature, given as such or by its name.

    Examples
    --------
    >>> number_of("g - r", ("u - r", "g - r")), number_of(-1, ("u - r", "g - r"))
    (1, 1)
    """
    if isinstance(feature, str) and feature in names:
        return names.index(feature)
    if isinstance(feature, int | np.integer) and -len(names) <= feature < len(names):
        return int(feature) % len(names)
    raise InputError(
        f"there is no feature {feature!r}; choose one of {', '.join(names)}, or a number from 0 to {len(names) - 1}"
    )
