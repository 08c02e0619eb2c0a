"""Section 5.4 and figure 6 of the paper: quasars of high redshift as outliers in colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.neighbors import NearestNeighbors

from peculiar.arrays import Floats
from peculiar.datasets import Quasars, load_dr3_quasars
from peculiar.estimators import RobustMixture
from peculiar.estimators.judging import fit_to_judge
from peculiar.reproduce.base import Advance, Load, Outcome
from peculiar.reproduce.statistics import area, average_precision
from peculiar.select import MessageLength

NOISES = {"diagonal": "diagonal errors (the paper's)", "full": "full error covariances"}
SCORES = {
    "structured": "structured e (the paper's)",
    "exact": "exact e",
    "tail": "tail probability, all components",
    "groups": "tail probability, strange groups",
}
MEASURES = {"auc": area, "ap": average_precision}
BASELINES = {
    "u-r": "u-r alone",
    "u_err": "error of u alone",
    "neighbour": "distance to the 5th neighbour, errors ignored",
}

N_NEIGHBOURS = 5


@dataclass(frozen=True)
class QuasarRedshifts:
    """Areas under the ROC curve and average precision, for every redshift that may count as high.

    Parameters
    ----------
    seed : int, default=0
    n_objects : int, default=10_000
        Drawn from the 46,415 quasars with useful errors.
    n_components : tuple of int, default=(1, 2, 3, 4, 5, 6)
    n_starts : int, default=5
        The first is the start that a fit chooses by itself; the others begin at random objects.
    n_selected : int, default=10_000
        Number of objects from which the number of components is chosen.
    """

    name: ClassVar[str] = "quasars"
    title: ClassVar[str] = "Are quasars of high redshift outliers?"
    source: ClassVar[str] = "section 5.4, figure 6"
    about: ClassVar[str] = (
        "Colours u-r, g-r, i-r, z-r of quasars of the SDSS DR3 catalogue. Redshifts are not used in the fit; a score "
        "is good if it ranks quasars beyond a threshold in redshift above the others, for thresholds from 1 to 4.5. "
        "All four colours share the error of r. The paper neglects this; everything is done once in the same way, and "
        "once with the full covariance. For comparison, u-r alone and the error of u alone rank the quasars without "
        "any model."
    )
    load: ClassVar[Load | None] = staticmethod(load_dr3_quasars)

    seed: int = 0
    n_objects: int = 10_000
    n_components: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    n_starts: int = 5
    n_selected: int = 10_000

    @classmethod
    def quick(cls) -> Self:
        """Fewer objects and starts."""
        return cls(n_objects=1_500, n_starts=1, n_selected=300)

    def run(self, advance: Advance) -> Outcome:
        """Fit with every number of components from every start; then choose the number."""
        rng = np.random.default_rng(self.seed)
        everything = load_dr3_quasars()
        sky = everything.take(rng.permutation(len(everything.X))[: self.n_objects])
        thresholds = _thresholds(sky.redshift)
        above = sky.redshift > thresholds[:, None]
        n_steps = len(NOISES) * len(self.n_components) * self.n_starts + len(SEARCHES)
        curves: dict[str, Any] = {
            name: {noise: {score: {} for score in SCORES} for noise in NOISES} for name in MEASURES
        }
        fits = product(NOISES, self.n_components, range(self.n_starts))
        for done, (noise, k, start) in enumerate(fits):
            advance(done, n_steps, f"{noise} errors, {k} components, start {start + 1}")
            for score, strangeness in self._judge(sky, noise, k, start).items():
                for name, measure in MEASURES.items():
                    values = [measure(mask, strangeness) for mask in above]
                    curves[name][noise][score].setdefault(str(k), []).append(values)
        chosen = {}
        for i, (name, search) in enumerate(SEARCHES.items()):
            advance(n_steps - len(SEARCHES) + i, n_steps, f"number of components: {name}")
            chosen[name] = _describe(
                search(self.seed, sky.take(np.arange(len(sky.X))[: self.n_selected]))
            )
        advance(n_steps, n_steps, "")
        numbers = {
            "thresholds": thresholds,
            "n_above": above.sum(axis=1),
            **curves,
            "baselines": {
                name: {
                    score: [measure(mask, strangeness) for mask in above]
                    for score, strangeness in _trivial(sky).items()
                }
                for name, measure in MEASURES.items()
            },
            "mml": chosen,
        }
        return Outcome(numbers, _table(numbers))

    def _judge(self, sky: Quasars, noise: str, k: int, start: int) -> dict[str, Floats]:
        """How strange each object is, by every score."""
        given: dict[str, Any] = {**_measured(sky, noise)}
        settings: dict[str, Any] = {"random_state": self.seed, "n_jobs": -1}
        if start:
            rng = np.random.default_rng((self.seed, k, start))
            settings["locations_init"] = sky.X[rng.choice(len(sky.X), k, replace=False)]
        structured = RobustMixture(k, engine="structured", **settings).fit(**given)
        exact = RobustMixture(k, **settings).fit(**given)
        wild = RobustMixture(k, wild_fraction="estimate", **settings)
        rows = fit_to_judge(wild, **given)
        everybody = wild.population_
        ordinary = everybody.with_ordinary(wild.groups_["is_ordinary"])
        return {
            "structured": -structured.robust_weights(**given),
            "exact": -exact.robust_weights(**given),
            "tail": -everybody.tail(rows).log_p,
            "groups": -ordinary.tail(rows).log_p,
        }


THRESHOLDS = np.linspace(1.0, 4.5, 36)

FEW = 5
"""A threshold with fewer quasars than this on either side says nothing."""


def _thresholds(redshift: Floats) -> Floats:
    """The thresholds that say something."""
    n_above = (redshift > THRESHOLDS[:, None]).sum(axis=1)
    kept: Floats = THRESHOLDS[(n_above >= FEW) & (n_above <= len(redshift) - FEW)]
    return kept


def _measured(sky: Quasars, noise: str) -> dict[str, Floats]:
    """Colours with their errors: as the paper takes them, or as they are."""
    if noise == "full":
        return {"X": sky.X, "X_cov": sky.X_cov}
    return {"X": sky.X, "X_std": np.sqrt(np.diagonal(sky.X_cov, axis1=1, axis2=2))}


def _trivial(sky: Quasars) -> dict[str, Floats]:
    """Scores for which nothing has to be fitted."""
    quartiles = np.percentile(sky.X, [25, 75], axis=0)
    scaled = sky.X / (quartiles[1] - quartiles[0])
    distances, _ = NearestNeighbors(n_neighbors=1 + N_NEIGHBOURS).fit(scaled).kneighbors(scaled)
    u_variance = sky.X_cov[:, 0, 0] - sky.X_cov[:, 0, 1]  # what is shared is the error of r
    return {"u-r": sky.X[:, 0], "u_err": u_variance, "neighbour": distances[:, -1]}


def _search(
    noise: str, criterion: Any, settings: dict[str, Any], seed: int, sky: Quasars
) -> RobustMixture:
    mixture = RobustMixture(criterion, random_state=seed, n_jobs=-1, **settings)
    return mixture.fit(**_measured(sky, noise))


SEARCHES = {
    "the paper's criterion": partial(
        _search, "diagonal", MessageLength(prior_range=1.0), {"engine": "structured"}
    ),
    "ours": partial(_search, "full", "mml", {"wild_fraction": "estimate"}),
}
"""Ways to choose the number of components by message length."""


def _describe(mixture: RobustMixture) -> dict[str, Any]:
    """The number of components found, and the message length for each number that was met."""
    return {
        "n_components": mixture.n_components_,
        "met": mixture.selection_["n_components"],
        "message_length": mixture.selection_["message_length"],
    }


def _table(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """A line for each score of each fit and each threshold."""
    lines: list[tuple[Any, ...]] = [
        (noise, score, int(k), start, *values)
        for noise, scores in numbers["auc"].items()
        for score, by_k in scores.items()
        for k, starts in by_k.items()
        for start, areas in enumerate(starts)
        for values in zip(
            numbers["thresholds"], areas, numbers["ap"][noise][score][k][start], strict=True
        )
    ]
    baselines = numbers["baselines"]
    lines += [
        ("", score, "", "", *values)
        for score, areas in baselines["auc"].items()
        for values in zip(numbers["thresholds"], areas, baselines["ap"][score], strict=True)
    ]
    names = ("errors", "score", "n_components", "start", "redshift_above", "auc", "ap")
    return dict(zip(names, zip(*lines, strict=True), strict=True))


EXPERIMENT = QuasarRedshifts
