"""What must be known about a fitted mixture before objects are judged by it: who is ordinary, and what looks wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.backends.sample import sample_rows
from peculiar.errors import NoWildTailWarning, PiledUpWarning
from peculiar.estimators.elsewhere import Elsewhere
from peculiar.estimators.rows import feature_names, in_units_of
from peculiar.observations import Observations
from peculiar.population import Population
from peculiar.population.groups import RARITY, Groups, find_groups
from peculiar.validation import CheckedRows
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

_FEW, _SMALL_SHARE = 5, 0.003

_CONTINUOUS = 0.5
"""Share of different values from which on a feature is not made of whole numbers or classes."""


def warn_without_wild(wild_fraction: Any) -> None:
    """Warn if a mixture that is to be fitted to outliers, too, has no place for them.

    Parameters
    ----------
    wild_fraction : float or "estimate"
    """
    if wild_fraction == 0:
        warn_caller(
            "the mixture has no wild tail: outliers widen its components until they are ordinary themselves, and next "
            "to none is found at any false-discovery rate. Fit with wild_fraction='estimate' (--wild estimate)",
            NoWildTailWarning,
        )


def fit_to_judge(
    mixture: PlainMixture,
    rarity: float = RARITY,
    names: tuple[str, ...] | None = None,
    **given: Any,
) -> Observations:
    """Fit a mixture by which its own rows will be judged, and tell its strange groups.

    Parameters
    ----------
    mixture : PlainMixture
        It is fitted, and has ``groups_`` then.
    rarity : float, default=2.5
        As for :class:`OutlierDetector`.
    names : tuple of str, optional
        Of the features, if the table does not have them.
    **given
        X, X_std and X_cov, checked here and nowhere else.

    Returns
    -------
    Observations
        The rows, to ask the population of the mixture about.
    """
    rows = mixture._fit_rows(**given)  # noqa: SLF001 (the rows as they were checked)
    obs = in_units_of(mixture.population_, mixture, rows)
    mixture.groups_ = tell_groups(mixture, obs, rarity, names)
    return obs


def fit_elsewhere_to_judge(mixture: PlainMixture, rarity: float, rows: Elsewhere) -> None:
    """The same for rows that stay where they are.

    Parameters
    ----------
    mixture : PlainMixture
    rarity : float
    rows : Elsewhere
    """
    some = mixture._fit_elsewhere(rows)  # noqa: SLF001 (the rows that stand for all)
    mixture.groups_ = tell_groups(mixture, rows, rarity, some=some)


def tell_groups(
    mixture: PlainMixture,
    rows: Observations | Elsewhere,
    rarity: float,
    names: tuple[str, ...] | None = None,
    some: CheckedRows | None = None,
) -> Groups:
    """The ordinary components and the strange groups of a mixture; warns where values are piled up at a bound.

    Parameters
    ----------
    mixture : PlainMixture
        Fitted.
    rows : Observations or Elsewhere
        What it was fitted to.
    rarity, names
        As for :func:`fit_to_judge`.
    some : CheckedRows, optional
        The rows that stand for all that are elsewhere, if they are known.

    Returns
    -------
    ndarray
        A line for each component.
    """
    names, population = names or feature_names(mixture), mixture.population_
    if isinstance(rows, Observations):
        obs = _representative(rows)
        piles, where = list(piled_up(rows.values, names)), ""
    else:
        obs = in_units_of(population, mixture, _sample_of(rows) if some is None else some)
        piles, where = list(piled_up(obs.values, names)), f" of {obs.n_rows:,} that were looked at"
    if piles:
        warn_caller(
            f"values are piled up at a bound: {'; '.join(piles)}{where}. A cap of the measurement? Such rows "
            "look like a dense group of their own. Take the bound for missing, or leave the feature out",
            PiledUpWarning,
        )
    n_objects = _count_objects(population, rows)
    return find_groups(population, obs, rarity, names, n_objects)


def _representative(obs: Observations) -> Observations:
    """The rows that stand for all of a large table."""
    seen = np.flatnonzero(~np.isnan(obs.values).all(axis=1))
    some = sample_rows(obs.values[seen])
    return obs if len(some) == len(seen) else obs.take(seen[some])


def _sample_of(rows: Elsewhere) -> CheckedRows:
    """The rows that stand for all."""
    sample = rows.summary().sample
    return CheckedRows(sample.values, sample.noise)


def _count_objects(population: Population, rows: Observations | Elsewhere) -> Floats:
    """Expected number of objects of each component."""
    if isinstance(rows, Observations):
        return _objects(population, rows)
    return rows.add_up(population, _objects)


def _objects(population: Population, obs: Observations) -> Floats:
    n_objects: Floats = obs.weights @ population.moments(obs).memberships
    return n_objects


def piled_up(values: Floats, names: Sequence[str]) -> Iterator[str]:
    """Features with an extreme value that many rows share exactly, in words.

    Parameters
    ----------
    values : ndarray of shape (n, d)
    names : sequence of str

    Yields
    ------
    str
        Only for features that are not made of a few different values anyway.
    """
    for name, column in zip(names, values.T, strict=True):
        seen = column[~np.isnan(column)]
        if len(seen) == 0 or len(np.unique(seen)) < _CONTINUOUS * len(seen):
            continue
        for extreme in (seen.min(), seen.max()):
            count = int(np.count_nonzero(seen == extreme))
            if count > max(_FEW, _SMALL_SHARE * len(seen)):
                yield f"{name} is {extreme:g} in {count} rows"
