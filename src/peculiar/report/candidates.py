"""The objects of a catalogue, strangest first, and why each is strange."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.catalogue import Measurements
from peculiar.errors import SettingError
from peculiar.estimators.results import Discoveries
from peculiar.estimators.rows import observe
from peculiar.estimators.thresholds import check_probability
from peculiar.estimators.verdict_columns import VERDICT
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

BATCH, DISCOVERIES = 1024, 256
"""Rows that are judged at a time: between two batches somebody may be told how far it is."""

Advance = Callable[[int, int], None]
"""Called with the number of rows done, and of all."""

Column = np.ndarray[Any, Any]

Features = dict[str, dict[str, Column]]
"""Columns of each feature, by the ends of their names."""


class Totals(NamedTuple):
    """What is counted in a list, whatever of it is at hand.

    Attributes
    ----------
    n : int
        Number of objects.
    n_discoveries : int
    calibration : ndarray
        How many p-values are small, and how many would be if every object were ordinary.
    of_groups : dict of int
        How many objects belong to each strange group.
    """

    n: int
    n_discoveries: int
    calibration: NDArray[np.void]
    of_groups: Mapping[str, int]


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
        What was judged, in the order of the table; of a list that is not in memory, some of it.
    totals : Totals
        Of all objects. The columns have those that are at hand: all, or the first ones of a list that is not in memory.
    groups : ndarray, optional
        A line for each component (``OutlierDetector.groups_``), if strange groups were looked for.
    """

    order: Ints
    verdict: dict[str, Column]
    features: Features
    measured: Measurements
    totals: Totals
    groups: Groups | None = None

    @property
    def n_discoveries(self) -> int:
        """Number of objects that are believed to be outliers."""
        return self.totals.n_discoveries

    def with_numbers(self, numbers: Ints | None) -> Candidates:
        """The same, with the numbers that rows have in the catalogue they were chosen from; None if all were taken."""
        if numbers is None:
            return self
        row = numbers[self.verdict["row"]]
        return dataclasses.replace(self, verdict={**self.verdict, "row": row})


def rank(
    model: PlainMixture | OutlierDetector,
    measured: Measurements,
    *,
    fdr: float = 0.05,
    method: str = "bh",
    order: str = "plain",
    advance: Advance | None = None,
    advance_again: Advance | None = None,
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
    advance_again : callable, optional
        The same for the discoveries, which are looked at again for their error tolerance.

    Returns
    -------
    Candidates
    """
    check_discoveries(fdr, method, has_wild=model.population_.params.wild_fraction > 0)
    if order not in ("plain", "mixed"):
        raise SettingError(f"order={order!r} is unknown; choose one of 'plain', 'mixed'")
    _, obs = observe(model, **measured.arguments())
    population, groups = judging_population(model)
    about = judge_rows(population, obs, advance)
    log_p = about["log_p"]
    p, ranking = np.exp(log_p), np.argsort(log_p, kind="stable")
    if method == "bayes":
        found = Discoveries(*by_probabilities(about["outlier_probability"], fdr))
        ranking = np.lexsort((log_p, found.q_values))  # discoveries come first
    else:
        found = Discoveries(*by_p_values(p, fdr, method))
    tolerance = _tolerance(population, obs, greatest_p(p, found, fdr), log_p, advance_again)
    own = described(about, measured.names, groups)
    ranks = np.argsort(ranking) + 1
    company = in_company(log_p, np.arange(len(p)), ranks, found.q_values, found.mask, tolerance)
    verdict = verdict_of(own, company)
    features = feature_columns(about, measured)
    rows = ranking if order == "plain" else in_turns(ranking, own["group"], found.mask)
    counts = Counter(own["group"].tolist())
    n_found = int(np.count_nonzero(found.mask))
    return Candidates(
        rows,
        {name: column[rows] for name, column in verdict.items()},
        {name: {end: c[rows] for end, c in ends.items()} for name, ends in features.items()},
        measured,
        Totals(len(p), n_found, count_small(log_p), of_groups(counts)),
        groups,
    )


def _tolerance(
    population: Population, obs: Observations, p: float, log_p: Floats, advance: Advance | None
) -> Floats:
    """Error tolerances of all rows; of those that are below the line some at a time."""
    tolerance, below = np.ones(len(log_p)), np.flatnonzero(log_p < math.log(p))
    if advance is not None and len(below):
        advance(0, len(below))
    for start in range(0, len(below), DISCOVERIES):
        rows = below[start : start + DISCOVERIES]
        tolerance[rows] = population.tolerance(obs.take(rows), p, log_p[rows])
        if advance is not None:
            advance(start + len(rows), len(below))
    return tolerance


def judging_population(
    model: PlainMixture | OutlierDetector,
) -> tuple[Population, Groups | None]:
    """The population of a model, which knows who is ordinary; and its strange groups, if they were looked for."""
    groups = getattr(model, "groups_", None)  # the population of a detector knows them already
    is_ordinary = None if groups is None else groups["is_ordinary"]
    return model.population_.with_ordinary(is_ordinary), groups


def of_groups(counts: Mapping[str, int]) -> dict[str, int]:
    """Those of strange groups among the counts of all letters."""
    return {letter: n for letter, n in counts.items() if letter}


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


def judge_rows(
    population: Population,
    obs: Observations,
    advance: Advance | None = None,
    *,
    briefly: bool = False,
    with_clean: bool = True,
) -> dict[str, Column]:
    """What a population says of each of some rows by itself, batch by batch.

    Parameters
    ----------
    population : Population
    obs : Observations
        All rows, or a part of them.
    advance : callable, optional
    briefly : bool, default=False
        Whether only what ranks the rows, and tells their strange groups, is wanted.
    with_clean : bool, default=True
        Whether clean values are wanted, too, and their errors.

    Returns
    -------
    dict of columns
        In the order of the rows, with p-values as logarithms.
    """
    n, parts = obs.n_rows, []
    for start in range(0, n, BATCH):
        some = obs.between(start, min(start + BATCH, n))
        parts.append(
            _rank_only(population, some)
            if briefly
            else _judge(population, some, with_clean=with_clean)
        )
        if advance is not None:
            advance(min(start + BATCH, n), n)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _judge(population: Population, obs: Observations, *, with_clean: bool) -> dict[str, Column]:
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


def _rank_only(population: Population, obs: Observations) -> dict[str, Column]:
    moments = population.moments(obs)
    about = {"log_p": population.tail(obs).log_p, "component": moments.component}
    if population.params.wild_fraction:
        about["outlier_probability"] = population.outlier_probability(obs, moments)
    return about


_OWN = (
    "outlier_probability",
    "log_density",
    "robust_weight",
    "component",
    "component_probability",
)


def described(
    about: Mapping[str, Column], names: tuple[str, ...], groups: Groups | None
) -> dict[str, Column]:
    """The columns of a verdict that each object has by itself, with the logarithm of its p-value.

    Parameters
    ----------
    about : dict of columns
        As :func:`judge_rows` gives it.
    names : tuple of str
        Of the features.
    groups : ndarray or None
        Strange groups.
    """
    side = np.array(["low", "", "high"])[about["side"] + 1]
    return {
        "log_p": about["log_p"],
        **{name: about[name] for name in _OWN if name in about},
        "group": group_of(groups, about["component"]),
        # Nothing betrays an object of which nothing is known.
        "main_feature": np.where(side == "", "", np.array(names)[about["main"]]),
        "main_side": side,
    }


def in_company(
    log_p: Floats, row: Ints, rank: Ints, q: Floats, mask: Column, tolerance: Floats
) -> dict[str, Column]:
    """The columns of a verdict that depend on all objects, or on where the object is.

    Parameters
    ----------
    log_p, row, rank, q, mask, tolerance : ndarray of shape (n,)
        Of the same objects.
    """
    return {
        "rank": rank,
        "row": row,
        "p_value": np.exp(log_p),
        "q_value": q,
        "is_discovery": mask,
        "error_tolerance": tolerance,
    }


def verdict_of(own: Mapping[str, Column], company: Mapping[str, Column]) -> dict[str, Column]:
    """The columns of both, in the order of a list."""
    both = {**own, **company}
    return {name: both[name] for name in VERDICT if name in both}


def feature_columns(about: Mapping[str, Column], measured: Measurements) -> Features:
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
