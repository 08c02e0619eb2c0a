"""Figure 4 of the paper: whether it pays to know the errors, small ones and large ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from peculiar.arrays import Floats
from peculiar.datasets import Clusters, make_clusters
from peculiar.reproduce.base import Advance, Load, Outcome
from peculiar.reproduce.contenders import LABELS, SAMPLES, Sample, fit_contenders
from peculiar.reproduce.statistics import area, as_columns, paired_difference, standard_deviation

METHODS = (*LABELS, "oracle")


@dataclass(frozen=True)
class NoiseLevels:
    """Areas under the ROC curve for errors of five sizes.

    Parameters
    ----------
    seed : int, default=0
    levels : tuple of float
        At each level, error variances are uniform between 0 and this value.
    n_realisations : int, default=30
    """

    name: ClassVar[str] = "noise-levels"
    title: ClassVar[str] = "Does it pay to know the errors?"
    source: ClassVar[str] = "figure 4"
    about: ClassVar[str] = (
        "Three clusters and 30 outliers, measured with small errors and with large ones. Every method is fitted to one "
        "sample, and ranks that sample and a new one. The oracle knows where the clusters and the outliers are, and "
        "how many there are of each; no method can do better on average."
    )
    load: ClassVar[Load | None] = None

    seed: int = 0
    levels: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0)
    n_realisations: int = 30

    @classmethod
    def quick(cls) -> Self:
        """Fewer realisations."""
        return cls(n_realisations=4)

    def run(self, advance: Advance) -> Outcome:
        """Fit every method to every realisation."""
        n_steps = len(self.levels) * self.n_realisations
        areas = np.empty((len(self.levels), len(SAMPLES), len(METHODS), self.n_realisations))
        for i, level in enumerate(self.levels):
            for j in range(self.n_realisations):
                text = f"errors in [0, {level:g}], realisation {j + 1}"
                advance(i * self.n_realisations + j, n_steps, text)
                areas[i, :, :, j] = _one(level, (self.seed, i, j))
        advance(n_steps, n_steps, "")
        numbers: dict[str, Any] = {"levels": self.levels, "samples": _summarise(areas)}
        axes = {
            "largest_variance": self.levels,
            "sample": SAMPLES,
            "method": METHODS,
            "realisation": range(self.n_realisations),
        }
        return Outcome(numbers, as_columns(axes, "auc", areas))


def _one(level: float, seed: tuple[int, ...]) -> Floats:
    """Areas of one realisation: in and out of sample, for each method."""
    rng = np.random.default_rng(seed)
    skies = [make_clusters(noise_variance=level, random_state=rng) for _ in SAMPLES]
    contenders = fit_contenders(_sample(skies[0]), 3, int(rng.integers(2**31)))
    return np.array(
        [
            [
                *(area(sky.is_outlier, judge(_sample(sky))) for judge in contenders.values()),
                area(sky.is_outlier, sky.oracle()),
            ]
            for sky in skies
        ]
    )


def _sample(sky: Clusters) -> Sample:
    return Sample(sky.clean, sky.X, sky.X_std, sky.is_outlier)


def _summarise(areas: Floats) -> dict[str, dict[str, Any]]:
    """By sample and method: areas, mean, standard deviation, and the difference from base, for each level."""
    summary: dict[str, dict[str, Any]] = {}
    for s, sample in enumerate(SAMPLES):
        base = areas[:, s, METHODS.index("base")]
        summary[sample] = {}
        for m, method in enumerate(METHODS):
            ours = areas[:, s, m]
            tests = [paired_difference(a, b) for a, b in zip(ours, base, strict=True)]
            summary[sample][method] = {
                "auc": ours,
                "mean": ours.mean(axis=1),
                "sd": standard_deviation(ours),
                "above_base": [test.mean for test in tests],
                "above_base_error": standard_deviation(ours - base) / np.sqrt(ours.shape[-1]),
                "p_value": [test.p_value for test in tests],
            }
    return summary


EXPERIMENT = NoiseLevels
