"""The objects of a catalogue, strangest first, and why each is strange."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.catalogue import Measurements
from peculiar.errors import SettingError
from peculiar.estimators.results import Discoveries
from peculiar.estimators.rows import observe
from peculiar.estimators.thresholds import check_probability
from peculiar.observations import Observations
from peculiar.population import Population
from peculiar.population.calibration import count_small
from peculiar.population.discoveries import (
    by_p_values,
    by_probabilities,
    check_method,
    greatest_p,
)
from peculiar.population.explain import most_surprising, sides, surprises
from peculiar.population.groups import Groups, group_of

if TYPE_CHECKING:
    from peculiar.estimators import OutlierDetector
    from peculiar.estimators.plain import PlainMixture

BATCH = 1024
"""Rows that are judged at a time: between two batches somebody may be told how far it is."""

Advance = Callable[[int, int], None]
"""Called with the number of rows done, and of all."""

Column = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Candidates:
    """Objects ranked by p-value, the smallest first; with method "bayes", ranked by outlier probability.

    Attributes
    ----------
    order : ndarray of shape (n,)
        Row numbers, in the order of the list: strangest first, or strange groups in turns.
    verdict : dict of columns
        What was found about each object: rank, row, p_value, q_value, is_discovery, outlier_probability (if the model
        has a wild tail), log_density, robust_weight, component, component_probability, group, error_tolerance,
        main_feature, main_side.
    features : dict of dicts of columns
        For each feature its value, error, clean value, the error of the clean value, and its surprise, by the ends that
        names of such columns have: ``""``, ``"_err"``, ``"_clean"``, ``"_clean_err"``, ``"_surprise"``.
    measured : Measurements
        What was judged, in the order of the table.
    discoveries : Discoveries
        In the order of the table, not of the ranking.
    groups : ndarray, optional
        A line for each component (``OutlierDetector.groups_``), if strange groups were looked for.
    """

    order: Ints
    verdict: dict[str, Column]
    features: dict[str, dict[str, Column]]
    measured: Measurements
    discoveries: Discoveries
    groups: Groups | None = None

    @property
    def calibration(self) -> NDArray[np.void]:
        """How many p-values are small, and how many would be if every object were ordinary."""
        with np.errstate(divide="ignore"):
            return count_small(np.log(self.verdict["p_value"]))

    def with_numbers(self, numbers: Ints | None) -> Candidates:
        """The same, with the numbers that rows have in the catalogue they were chosen from; None if all were taken."""
        if numbers is None:
            return self
        row = numbers[self.verdict["row"]]
        return dataclasses.replace(self, verdict={**self.verdict, "row": row})

    @property
    def n_discoveries(self) -> int:
        """Number of objects that are believed to be outliers."""
        return int(np.count_nonzero(self.discoveries.mask))


def rank(
    model: PlainMixture | OutlierDetector,
    measured: Measurements,
    *,
    fdr: float = 0.05,
    method: str = "bh",
    order: str = "plain",
    advance: Advance | None = None,
) -> Candidates:
    """Rank the objects of a catalogue by how strange a fitted model finds them.

    Every number equals the one that the methods of a detector give for the whole table, up to rounding.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture
        Fitted. Of a mixture all components are ordinary, unless it knows of strange groups.
    measured : Measurements
    fdr, method
        As for :meth:`OutlierDetector.discoveries`.
    order : {"plain", "mixed"}, default="plain"
        The strangest first; or the discoveries of each strange group in turns (:func:`in_turns`).
    advance : callable, optional
        Called with the number of rows done, and of all rows.

    Returns
    -------
    Candidates
    """
    check_discoveries(fdr, method, has_wild=model.population_.params.wild_fraction > 0)
    if order not in ("plain", "mixed"):
        raise SettingError(f"order={order!r} is unknown; choose one of 'plain', 'mixed'")
    population, obs = observe(model, **measured.arguments())
    groups = getattr(model, "groups_", None)  # the population of a detector knows them already
    population = population.with_ordinary(None if groups is None else groups["is_ordinary"])
    about = _judge_all(population, obs, advance)
    log_p = about["log_p"]
    p, ranking = np.exp(log_p), np.argsort(log_p, kind="stable")
    if method == "bayes":
        found = Discoveries(*by_probabilities(about["outlier_probability"], fdr))
        ranking = np.lexsort((log_p, found.q_values))  # discoveries come first
    else:
        found = Discoveries(*by_p_values(p, fdr, method))
    about["error_tolerance"] = population.tolerance(obs, greatest_p(p, found, fdr), log_p)
    about["group"] = group_of(groups, about["component"])
    verdict = {"rank": np.argsort(ranking) + 1, **_verdict(about, p, found, measured.names)}
    features = _features(about, measured)
    rows = ranking if order == "plain" else in_turns(ranking, about["group"], found.mask)
    return Candidates(
        rows,
        {name: column[rows] for name, column in verdict.items()},
        {name: {end: c[rows] for end, c in own.items()} for name, own in features.items()},
        measured,
        found,
        groups,
    )


def in_turns(ranking: Ints, group: Column, is_discovery: Column) -> Ints:
    """The discoveries in turns: the first of each strange group and of those without one, then the second of each.

    Within a turn the strangest comes first. Who has time for ten objects then sees something of every kind, not ten of
    the largest group. The rest follows as it was.

    Parameters
    ----------
    ranking : ndarray of shape (n,)
        Rows, strangest first.
    group, is_discovery : ndarray of shape (n,)
        Of each row.

    Returns
    -------
    ndarray of shape (n,)
        The rows in their new order.
    """
    found, rest = ranking[is_discovery[ranking]], ranking[~is_discovery[ranking]]
    turn, met = np.zeros(len(found), dtype=np.int64), Counter[str]()
    for i, row in enumerate(found):
        turn[i] = met[group[row]]
        met[group[row]] += 1
    return np.concatenate([found[np.argsort(turn, kind="stable")], rest])


def check_discoveries(fdr: float, method: str, *, has_wild: bool) -> None:
    """SettingError if the rate or the method is not valid, or if the method needs a wild tail and there is none.

    Parameters
    ----------
    fdr, method
        As for :meth:`OutlierDetector.discoveries`.
    has_wild : bool
    """
    check_probability("fdr", fdr)
    if check_method(method) == "bayes" and not has_wild:
        raise SettingError(
            "method 'bayes' needs a model with a wild tail, but this one has none; fit with wild_fraction='estimate' "
            "(--wild estimate), or choose 'bh' or 'storey'"
        )


def _judge_all(
    population: Population, obs: Observations, advance: Advance | None
) -> dict[str, Column]:
    """What the population says of every object, batch by batch."""
    n, parts = obs.n_rows, []
    for start in range(0, n, BATCH):
        parts.append(judge_rows(population, obs.take(slice(start, start + BATCH)), with_clean=True))
        if advance is not None:
            advance(min(start + BATCH, n), n)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def judge_rows(
    population: Population, obs: Observations, *, with_clean: bool = False
) -> dict[str, Column]:
    """What the population says of some objects, as far as it depends on nothing but the object.

    Parameters
    ----------
    population : Population
        It knows its strange groups.
    obs : Observations
    with_clean : bool, default=False
        Whether to give the clean values, and their errors, too. They take much longer than the rest.

    Returns
    -------
    dict of columns
    """
    moments = population.moments(obs, with_clean=with_clean)
    log_p = population.tail(obs).log_p
    ordinary = population.ordinary()
    surprise, component = surprises(ordinary, obs)
    main = most_surprising(surprise)
    about = {
        "log_p": log_p,
        "log_density": moments.log_density,
        "robust_weight": moments.robust_weight,
        "component": moments.component,
        "component_probability": moments.memberships.max(axis=1),
        "surprise": surprise,
        "main": main,
        "side": sides(ordinary, obs, main, component[np.arange(obs.n_rows), main]),
    }
    if with_clean:
        about |= {"clean": moments.clean, "clean_error": moments.clean_error}
    if population.params.wild_fraction:
        about["outlier_probability"] = population.outlier_probability(obs, moments)
    return about


def _verdict(
    about: dict[str, Column], p: Floats, found: Discoveries, names: tuple[str, ...]
) -> dict[str, Column]:
    everyone = np.arange(len(p))
    first = {"row": everyone, "p_value": p, "q_value": found.q_values, "is_discovery": found.mask}
    next_ = (
        "outlier_probability",
        "log_density",
        "robust_weight",
        "component",
        "component_probability",
        "group",
        "error_tolerance",
    )
    return {
        **first,
        **{name: about[name] for name in next_ if name in about},
        **main_reason(about, names),
    }


def main_reason(about: dict[str, Column], names: tuple[str, ...]) -> dict[str, Column]:
    """In words: the feature that makes each object strange, and on which side it lies.

    Parameters
    ----------
    about : dict of columns
        From :func:`judge_rows`.
    names : tuple of str
        Of the features.
    """
    side = np.array(["low", "", "high"])[about["side"] + 1]
    # Nothing betrays an object of which nothing is known.
    feature = np.where(side == "", "", np.array(names)[about["main"]])
    return {"main_feature": feature, "main_side": side}


def _features(about: dict[str, Column], measured: Measurements) -> dict[str, dict[str, Column]]:
    """Columns of each feature, by the ends of their names."""
    errors = measured.errors
    columns: dict[str, dict[str, Column]] = {}
    for j, name in enumerate(measured.names):
        seen = ~np.isnan(measured.X[:, j])
        columns[name] = {
            "": measured.X[:, j],
            "_err": errors[:, j],
            "_clean": about["clean"][:, j],
            "_clean_err": about["clean_error"][:, j],
            "_surprise": np.where(seen, about["surprise"][:, j], np.nan),
        }
    return columns
