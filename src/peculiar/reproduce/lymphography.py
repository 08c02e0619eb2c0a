"""Section 5.3 and figure 5 of the paper: a real table, to which errors are added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.datasets import Lymphography, load_lymphography
from peculiar.errors import SettingError
from peculiar.model.scatter import AutoScatter
from peculiar.reproduce.base import Advance, Load, Outcome
from peculiar.reproduce.contenders import LABELS, SAMPLES, ErrorModels, Sample, fit_contenders
from peculiar.reproduce.statistics import (
    area,
    as_columns,
    paired_difference,
    standard_deviation,
    true_positive_rates,
)

RIVALS = ("idealised", "base")
"""Methods against which the paper tests its own."""

SHRUNK = ("exact", "tail", "outlier")
"""Methods whose areas are followed from a full scatter to a diagonal one."""


@dataclass(frozen=True)
class LymphographyErrors:
    """Average ROC curves for the two rare classes of the lymphography data.

    Parameters
    ----------
    seed : int, default=0
    n_train : int, default=93
        Rows that are fitted; the others are new data. Outliers are split in the same proportion.
    n_splits : int, default=10
        The paper has one split, and does not say which.
    n_realisations : int, default=10
        Realisations of the errors for each split.
    noise_variance : float, default=0.1
        Error variances are uniform between 0 and this.
    n_components : int, default=1
    amounts : tuple of float
        Pseudo-rows that draw the scatter towards a diagonal one, which is tried too.
    """

    name: ClassVar[str] = "lymphography"
    title: ClassVar[str] = "A table that was not simulated"
    source: ClassVar[str] = "section 5.3, figure 5"
    about: ClassVar[str] = (
        "148 patients, 18 findings coded as whole numbers. The classes 'normal find' (2 rows) and 'fibrosis' (4 rows) "
        "count as outliers. Some of the rows are fitted, the others are new data; small errors are added. The paper "
        "has one split, and does not say which. We use several, because with only six outliers the split matters."
    )
    load: ClassVar[Load | None] = staticmethod(load_lymphography)

    seed: int = 0
    n_train: int = 93
    n_splits: int = 10
    n_realisations: int = 10
    noise_variance: float = 0.1
    n_components: int = 1
    amounts: tuple[float, ...] = (0.0, 4.5, 18.0, 72.0, 288.0, 1152.0)

    @classmethod
    def quick(cls) -> Self:
        """Fewer splits and realisations."""
        return cls(n_splits=3, n_realisations=2)

    def run(self, advance: Advance) -> Outcome:
        """Fit every method to every realisation of every split."""
        data = load_lymphography()
        n_steps = self.n_splits * self.n_realisations
        shape = len(LABELS), self.n_splits, self.n_realisations
        areas = {sample: np.empty(shape) for sample in SAMPLES}
        curves = {sample: np.empty((*shape, len(GRID))) for sample in SAMPLES}
        shrinkage = Shrinkage(self.n_components, self.seed, self.amounts)
        for i in range(self.n_splits):
            split = split_rows(data, self.n_train, np.random.default_rng((self.seed, i)))
            for j in range(self.n_realisations):
                text = f"split {i + 1}, realisation {j + 1}"
                advance(i * self.n_realisations + j, n_steps, text)
                # 1 + j: numbers that end in 0 would give the stream of the split.
                rng = np.random.default_rng((self.seed, i, 1 + j))
                measured = self._measure(data, rng)
                samples = [measured.take(rows) for rows in split]
                contenders = fit_contenders(samples[0], self.n_components, self.seed)
                for m, judge in enumerate(contenders.values()):
                    for name, sample in zip(SAMPLES, samples, strict=True):
                        strangeness = judge(sample)
                        areas[name][m, i, j] = area(sample.is_outlier, strangeness)
                        curves[name][m, i, j] = true_positive_rates(
                            sample.is_outlier, strangeness, GRID
                        )
                shrinkage.choose(i, samples[0])
                if j == 0:
                    shrinkage.vary(*samples)
        advance(n_steps, n_steps, "")
        numbers: dict[str, Any] = {
            "false_positive_rate": GRID,
            "samples": {name: _summarise(areas[name], curves[name]) for name in SAMPLES},
            "shrinkage": shrinkage.numbers(),
            "n_new": [int(np.count_nonzero(data.is_outlier[split[1]])), len(split[1])],
        }
        fitted = numbers["samples"]["in-sample"]
        numbers["tests"] = {other: _test(fitted, other) for other in RIVALS}
        axes = {
            "sample": SAMPLES,
            "method": tuple(LABELS),
            "split": range(self.n_splits),
            "realisation": range(self.n_realisations),
        }
        return Outcome(numbers, as_columns(axes, "auc", np.stack(list(areas.values()))))

    def _measure(self, data: Lymphography, rng: np.random.Generator) -> Sample:
        errors = np.sqrt(rng.uniform(0.0, self.noise_variance, data.X.shape))
        noisy = data.X + errors * rng.standard_normal(data.X.shape)
        return Sample(data.X, noisy, errors, data.is_outlier)


class Shrinkage:
    """What becomes of the areas if the scatter is drawn towards a diagonal one.

    Parameters
    ----------
    n_components, seed : int
    amounts : tuple of float
        Pseudo-rows to try besides a diagonal scatter.
    """

    def __init__(self, n_components: int, seed: int, amounts: tuple[float, ...]) -> None:
        self.settings = n_components, seed
        self.scatters = {f"{amount:g}": AutoScatter(amount) for amount in amounts} | {
            "diag": "diag"
        }
        self.chosen: dict[int, list[dict[str, float]]] = {}  # by split
        self.varied: dict[str, list[dict[str, float]]] = {name: [] for name in self.scatters}

    def choose(self, split: int, train: Sample) -> None:
        """Fit a sample with an amount that rows left out of the fit ask for: without any label."""
        models = ErrorModels(train, *self.settings, scatter="auto")
        found = {"pseudo_rows": models.wild.pseudo_rows_, **_areas(models, "structured", *SHRUNK)}
        self.chosen.setdefault(split, []).append(found)

    def vary(self, train: Sample, new: Sample) -> None:
        """Fit a sample with given amounts; new data say how good they are."""
        for name, scatter in self.scatters.items():
            models = ErrorModels(train, *self.settings, scatter=scatter)
            held_out = models.wild.score(**new.measured)
            self.varied[name].append({"held_out": held_out, **_areas(models, *SHRUNK)})

    def numbers(self) -> dict[str, Any]:
        """Means by split where the amount was chosen, and over all splits for given amounts."""
        by_split = [_means(found) for found in self.chosen.values()]
        return {
            "chosen": {name: [means[name] for means in by_split] for name in by_split[0]},
            "curve": {name: _means(found) for name, found in self.varied.items()},
        }


def _areas(models: ErrorModels, *names: str) -> dict[str, float]:
    """In-sample."""
    judges, sample = models.judges(), models.train
    return {name: area(sample.is_outlier, judges[name](sample)) for name in names}


def _means(found: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


GRID = np.linspace(0.0, 1.0, 101)
"""False-positive rates at which curves are averaged."""


def split_rows(data: Lymphography, n_train: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Rows to fit, and new ones, with the same share of outliers as nearly as possible."""
    outliers, others = (
        rng.permutation(np.flatnonzero(mask)) for mask in (data.is_outlier, ~data.is_outlier)
    )
    n_outliers = round(len(outliers) * n_train / len(data.X))
    n_others = n_train - n_outliers
    if not 0 < n_outliers < len(outliers) or not 0 < n_others < len(others):
        raise SettingError(
            f"n_train={n_train} of {len(data.X)} rows leaves no outliers, or nothing else, on one side of the split"
        )
    train = np.concatenate([outliers[:n_outliers], others[:n_others]])
    return train, np.concatenate([outliers[n_outliers:], others[n_others:]])


def _summarise(areas: Floats, curves: Floats) -> dict[str, Any]:
    """By method: areas by split and realisation, their mean and spread, and the average curve."""
    summary = {}
    for m, method in enumerate(LABELS):
        by_split = areas[m].mean(axis=1)
        flat = curves[m].reshape(-1, curves.shape[-1])
        summary[method] = {
            "auc": areas[m],
            "mean": float(areas[m].mean()),
            "sd_between_splits": float(standard_deviation(by_split)),
            "by_split": by_split,
            "true_positive_rate": flat.mean(axis=0),
            "true_positive_rate_sd": standard_deviation(flat.T),
        }
    return summary


def _test(fitted: Mapping[str, Any], other: str) -> dict[str, Any]:
    """The paper's method against another: paired t-tests over the realisations of each split."""
    pairs = zip(fitted["structured"]["auc"], fitted[other]["auc"], strict=True)
    tests = [paired_difference(a, b) for a, b in pairs]
    return {"above": [test.mean for test in tests], "p_value": [test.p_value for test in tests]}


EXPERIMENT = LymphographyErrors
