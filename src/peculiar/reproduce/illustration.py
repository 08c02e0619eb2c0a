"""Figure 2 of the paper: what errors hide, and what is found all the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.datasets import make_clusters
from peculiar.datasets.clusters import CENTRES, COVARIANCES
from peculiar.estimators import OutlierDetector, RobustMixture
from peculiar.reproduce.base import Advance, Load, Outcome
from peculiar.reproduce.groups import match_components, rightly_grouped


@dataclass(frozen=True)
class Illustration:
    """Clean data, data with errors, and what was found in them.

    Parameters
    ----------
    seed : int, default=0
    noise_variance : float, default=4.0
        Error variances are uniform between 0 and this. The paper does not say what it used.
    fdr : float, default=0.1
        Accepted false-discovery rate.
    """

    name: ClassVar[str] = "illustration"
    title: ClassVar[str] = "What errors hide"
    source: ClassVar[str] = "figure 2"
    about: ClassVar[str] = (
        "Three Gaussian clusters of 100 points each, and 30 outliers anywhere in a square. Errors move some outliers "
        "into the clusters, and some ordinary points out of them. A mixture of three t's and a wild tail is fitted to "
        "the measured values."
    )
    load: ClassVar[Load | None] = None

    seed: int = 0
    noise_variance: float = 4.0
    fdr: float = 0.1

    @classmethod
    def quick(cls) -> Self:
        """The same experiment: it takes only seconds."""
        return cls()

    def run(self, advance: Advance) -> Outcome:
        """Draw a sample, fit it, and compare."""
        sky = make_clusters(noise_variance=self.noise_variance, random_state=self.seed)
        given: dict[str, Any] = sky.measured
        advance(0, 3, "the wild tail")
        mixture = RobustMixture(3, wild_fraction="estimate", random_state=self.seed).fit(**given)
        detector = OutlierDetector.from_mixture(mixture, **given)
        found = detector.discoveries(**given, fdr=self.fdr)
        advance(1, 3, "the paper's engine")
        structured = RobustMixture(3, engine="structured", random_state=self.seed).fit(**given)
        advance(2, 3, "errors ignored")
        base = RobustMixture(3, random_state=self.seed).fit(sky.X)
        rankings = {
            "tail": detector.score_samples(**given),
            "structured": structured.robust_weights(**given),
            "base": base.robust_weights(sky.X),
        }
        groups = mixture.predict(**given)
        clusters = match_components(groups, sky)  # of each component
        order = np.argsort(clusters)
        numbers: dict[str, Any] = {
            "clean": sky.clean,
            "X": sky.X,
            "X_std": sky.X_std,
            "population": sky.population,
            "group": clusters[groups],
            "is_discovery": found.mask,
            "p_value": np.exp(rankings["tail"]),
            "centres": CENTRES,
            "covariances": COVARIANCES,
            "found_centres": mixture.locations_[order],
            "found_covariances": mixture.covariances_[order],
            "wild_fraction": mixture.wild_fraction_,
            "fdr": self.fdr,
            "rightly_grouped": rightly_grouped(groups, sky),
            "planted_among_strangest": {
                name: n_at_the_top(score, sky.is_outlier) for name, score in rankings.items()
            },
        }
        advance(3, 3, "")
        columns = ("population", "group", "is_discovery", "p_value")
        table = {
            **{f"clean_{axis}": sky.clean[:, j] for j, axis in enumerate("xy")},
            **{f"measured_{axis}": sky.X[:, j] for j, axis in enumerate("xy")},
            **{f"error_{axis}": sky.X_std[:, j] for j, axis in enumerate("xy")},
            **{name: numbers[name] for name in columns},
        }
        return Outcome(numbers, table)


def n_at_the_top(typicality: Floats, is_outlier: NDArray[np.bool_]) -> int:
    """How many outliers are among the n strangest objects, n being the number of outliers."""
    return int(is_outlier[np.argsort(typicality)[: int(is_outlier.sum())]].sum())


EXPERIMENT = Illustration
