"""Who is ordinary: a component whose objects are far from their company is a strange group.

A mixture with more components than there are populations has one to spare, and it settles on the strange objects. They
would then count as ordinary. What tells such a component is not its size alone, but that its objects are far from their
company, the nearest tenth of the population, by the standards of the bulk (``docs/design/0010``).
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.observations import Observations
from peculiar.population.company import COMPANY, company, share_within, typical_noise
from peculiar.population.explain import sides, surprises
from peculiar.population.group_table import GroupTable

if TYPE_CHECKING:
    from peculiar.population.population import Population

GROUPS = np.dtype(
    [
        ("component", np.int64),
        ("group", object),  # A, B, ...: the largest first; empty for an ordinary component
        ("is_ordinary", np.bool_),
        ("share", np.float64),
        ("n_objects", np.float64),
        ("z", np.float64),
        ("p_value", np.float64),  # of the centre, measured with typical errors
        ("feature_1", object),
        ("side_1", object),
        ("feature_2", object),
        ("side_2", object),
    ]
)
"""A line for each component."""

Groups = NDArray[np.void]
Mask = NDArray[np.bool_]

RARITY = 2.5
"""A component is ordinary, unless somebody says otherwise, if its z is larger than minus this."""

_HALF = 0.5  # share of the objects that is ordinary by definition
_LARGE = 0.25  # share with which a component may be a population of its own


def find_groups(
    population: Population,
    obs: Observations,
    rarity: float,
    names: tuple[str, ...],
    n_objects: Floats | None = None,
) -> Groups:
    """Tell the ordinary components from the strange groups.

    Parameters
    ----------
    population : Population
    obs : Observations
        The rows it was fitted to. Their errors matter, their values do not, but for the expected number of objects.
    rarity : float
        A component is ordinary if its z is larger than minus this; inf: all are.
    names : tuple of str
        Of the features.
    n_objects : ndarray of shape (K,), optional
        Expected number of objects of each component, if the rows are only a sample.

    Returns
    -------
    ndarray of dtype GROUPS
        A line for each component.
    """
    shares = np.exp(population.params.log_weights)
    z, is_ordinary = judge_components(company(population, obs), shares, rarity)
    is_ordinary = is_ordinary | populations_apart(population, obs, is_ordinary)
    table = np.zeros(len(shares), dtype=GROUPS)
    table["component"] = np.arange(len(shares))
    table["share"], table["z"], table["is_ordinary"] = shares, z, is_ordinary
    if n_objects is None:
        n_objects = obs.weights @ population.moments(obs).memberships
    table["n_objects"] = n_objects
    table["group"] = _letters(n_objects, is_ordinary)
    _describe_centres(population.with_ordinary(is_ordinary), obs, names, table)
    return table.view(GroupTable)


def judge_components(depth: Floats, shares: Floats, rarity: float) -> tuple[Floats, Mask]:
    """How far each component is below the bulk, and which are ordinary.

    The bulk begins as the components with the nearest company that hold half of the objects. Others join it as long as
    they are not rare by its standards, so that there is always an ordinary component.

    Parameters
    ----------
    depth : ndarray of shape (2, K, m)
        As :func:`~peculiar.population.company.company` gives it: high where the population is dense.
    shares : ndarray of shape (K,)
    rarity : float

    Returns
    -------
    z : ndarray of shape (K,)
        Mean depth, less that of the bulk, in standard deviations of single objects of the bulk; by the larger company
        for components that are smaller than that, and less than half as large as the largest.
    is_ordinary : ndarray of shape (K,)
    """
    if len(shares) == 1:
        return np.zeros(1), np.ones(1, dtype=np.bool_)
    shares, mean = shares / shares.sum(), depth.mean(axis=2)
    is_small = shares < min(COMPANY[1], _HALF * shares.max())
    densest = np.argsort(-mean[1], kind="stable")
    n_first = int(np.searchsorted(np.cumsum(shares[densest]), _HALF)) + 1
    is_ordinary = np.zeros(len(shares), dtype=np.bool_)
    is_ordinary[densest[:n_first]] = True
    while True:
        weights = shares[is_ordinary]
        middle = np.average(mean[:, is_ordinary], axis=1, weights=weights)[:, None]
        squares = np.square(depth[:, is_ordinary] - middle[..., None]).mean(axis=2)
        spread = np.sqrt(np.average(squares, axis=1, weights=weights))[:, None]
        narrow, wide = (mean - middle) / np.maximum(spread, np.finfo(float).tiny)
        z: Floats = np.where(is_small, wide, narrow)
        joined = is_ordinary | (z > -rarity)
        if (joined == is_ordinary).all():
            return z, is_ordinary
        is_ordinary = joined


def populations_apart(population: Population, obs: Observations, is_ordinary: Mask) -> Mask:
    """Components that are no strange groups, however wide: a quarter of all objects, with a place to themselves.

    A diffuse group of strange objects lies around the others, or is smaller. Three clusters of a third of the objects
    each are three populations, even if one is four times as wide as another.

    Parameters
    ----------
    population : Population
    obs : Observations
        As for :func:`find_groups`.
    is_ordinary : ndarray of shape (K,)

    Returns
    -------
    ndarray of shape (K,)
    """
    apart = np.zeros_like(is_ordinary)
    for k in np.flatnonzero(~is_ordinary & (np.exp(population.params.log_weights) >= _LARGE)):
        apart[k] = share_within(population, obs, int(k), is_ordinary) < _HALF
    return apart


def as_groups(stored: list[Any]) -> Groups:
    """The table of :func:`find_groups` from its rows in a file."""
    table: Groups = np.array([tuple(row) for row in stored], dtype=GROUPS)
    for name in (name for name in GROUPS.names or () if GROUPS[name].hasobject):
        table[name] = [str(text) for text in table[name]]
    if not table["is_ordinary"].any():
        raise ValueError("no component is ordinary")
    return table.view(GroupTable)


def group_of(groups: Groups | None, component: Ints) -> NDArray[np.str_]:
    """The letter of the strange group that each object belongs to, if its component is one; else an empty text."""
    if groups is None:  # nobody has looked for any
        return np.full(len(component), "")
    return groups["group"].astype(np.str_)[component]


def _letters(n_objects: Floats, is_ordinary: Mask) -> list[str]:
    letters = [""] * len(n_objects)
    strange = np.flatnonzero(~is_ordinary)
    for place, k in enumerate(strange[np.argsort(-n_objects[strange], kind="stable")]):
        cycle, letter = divmod(place, len(string.ascii_uppercase))
        letters[k] = string.ascii_uppercase[letter] + (str(cycle + 1) if cycle else "")
    return letters


def _describe_centres(
    population: Population, obs: Observations, names: tuple[str, ...], table: Groups
) -> None:
    """Where each component lies: p-value of its centre, and the features that betray it."""
    centres = population.params.locations
    noise = typical_noise(obs, len(centres))
    typical = Observations.of(centres, noise, obs.scaling)
    table["p_value"] = np.exp(population.tail(typical).log_p)
    ordinary = population.ordinary()
    surprise, component = surprises(ordinary, typical)
    most = np.argsort(-surprise, axis=1, kind="stable")
    everyone = np.arange(len(centres))
    table["feature_2"] = table["side_2"] = ""
    for place in range(min(2, len(names))):
        feature = most[:, place]
        side = sides(ordinary, typical, feature, component[everyone, feature])
        table[f"feature_{place + 1}"] = [names[j] for j in feature]
        table[f"side_{place + 1}"] = ["high" if s > 0 else "low" for s in side]
