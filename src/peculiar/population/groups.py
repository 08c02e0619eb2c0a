"""Who is ordinary: a component whose own objects lie where the population is thin is a strange group.

A mixture with more components than there are populations has one to spare, and it settles on the strange objects. They
would then count as ordinary. What tells such a component is not its size alone, but that an object of it, whatever its
errors, meets a far lower density than objects of the bulk do with the same errors. A small component is a poor witness
to itself: of the density that its objects meet, the part that is its own counts less (``docs/design/0010``).
"""

from __future__ import annotations

import dataclasses
import string
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.engines import Exact
from peculiar.observations import Noise, NoNoise, Observations, errors_of_feature, take_rows
from peculiar.population.explain import sides, surprises
from peculiar.population.group_table import GroupTable

if TYPE_CHECKING:
    from peculiar.population.moments import Moments
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

RARITY = 2.0
"""A component is ordinary, unless somebody says otherwise, if its z is larger than minus this."""

_SEED = 2007  # the same population is always judged alike
_DENSITIES = 200_000  # that may be computed for all components together
_ROWS = 6000  # more would be waste
_BASELINE = 12  # objects of the whole population that each is compared with
_WITNESS = 0.1  # share of a component at which its own density counts half at its own objects
_HALF = 0.5  # share of the objects that is ordinary by definition


def find_groups(
    population: Population, obs: Observations, rarity: float, names: tuple[str, ...]
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

    Returns
    -------
    ndarray of dtype GROUPS
        A line for each component.
    """
    shares = np.exp(population.params.log_weights)
    z, is_ordinary = judge_components(depths(population, obs), shares, rarity)
    table = np.zeros(len(shares), dtype=GROUPS)
    table["component"] = np.arange(len(shares))
    table["share"], table["z"], table["is_ordinary"] = shares, z, is_ordinary
    table["n_objects"] = obs.weights @ population.moments(obs).memberships
    table["group"] = _letters(table["n_objects"], is_ordinary)
    _describe_centres(population.with_ordinary(is_ordinary), obs, names, table)
    return table.view(GroupTable)


def depths(population: Population, obs: Observations, seed: int = _SEED) -> Floats:
    """How dense the population is at objects of each component, compared with objects of all, at the same errors.

    Parameters
    ----------
    population : Population
    obs : Observations
        Errors are drawn from those of its rows.
    seed : int

    Returns
    -------
    ndarray of shape (K, m)
        Log-density at an object of component k, less its mean over objects of the whole population. At its own objects
        the density of a component with share s counts s / (s + 0.1).
    """
    k, rng = population.params.n_components, np.random.default_rng(seed)
    if k == 1:
        return np.zeros((1, 1))
    some = _draw_errors(obs, min(_ROWS, _DENSITIES // (k + _BASELINE)), rng)
    everybody = dataclasses.replace(
        population.without_wild(), model=dataclasses.replace(population.model, engine=Exact())
    )

    def meet(source: Population) -> Moments:
        values, _ = source.sample(some.n_rows, rng, some.noise)
        return everybody.moments(some.with_values(np.where(np.isnan(some.values), np.nan, values)))

    def alone(i: int) -> Floats:
        met = meet(everybody.component(i))
        doubt = _WITNESS / (_WITNESS + np.exp(population.params.log_weights[i]))
        log_density: Floats = met.log_density + np.log1p(-doubt * met.memberships[:, i])
        return log_density

    own = np.stack([alone(i) for i in range(k)])
    everywhere = np.stack([meet(everybody).log_density for _ in range(_BASELINE)])
    result: Floats = own - everywhere.mean(axis=0)
    return result


def judge_components(depth: Floats, shares: Floats, rarity: float) -> tuple[Floats, Mask]:
    """How far each component is below the bulk, and which are ordinary.

    The bulk begins as the densest components that hold half of the objects. Others join it as long as they are not
    rare by its standards, so that there is always an ordinary component.

    Parameters
    ----------
    depth : ndarray of shape (K, m)
        As :func:`depths` gives it.
    shares : ndarray of shape (K,)
    rarity : float

    Returns
    -------
    z : ndarray of shape (K,)
        Mean depth, less the median of the bulk, in units of its spread.
    is_ordinary : ndarray of shape (K,)
    """
    if len(shares) == 1:
        return np.zeros(1), np.ones(1, dtype=np.bool_)
    mean = depth.mean(axis=1)
    densest = np.argsort(-mean, kind="stable")
    n_first = int(np.searchsorted(np.cumsum(shares[densest]), _HALF * shares.sum())) + 1
    is_ordinary = np.zeros(len(shares), dtype=np.bool_)
    is_ordinary[densest[:n_first]] = True
    while True:
        values = depth[is_ordinary].ravel()
        weights = np.repeat(shares[is_ordinary], depth.shape[1])
        middle = _median(values, weights)
        spread = 1.4826 * _median(np.abs(values - middle), weights)
        z: Floats = (mean - middle) / max(spread, np.finfo(float).tiny)
        joined = is_ordinary | (z > -rarity)
        if (joined == is_ordinary).all():
            return z, is_ordinary
        is_ordinary = joined


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


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(reached, 0.5 * reached[-1])]])


def _draw_errors(obs: Observations, n: int, rng: np.random.Generator) -> Observations:
    """Random rows of those that say anything, with what is missing and the errors of the rest."""
    chances = np.where(np.isnan(obs.values).all(axis=1), 0.0, obs.weights)
    return obs.take(rng.choice(obs.n_rows, size=n, p=chances / chances.sum()))


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
    noise = _typical_noise(obs, len(centres))
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


def _typical_noise(obs: Observations, n: int) -> Noise:
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
