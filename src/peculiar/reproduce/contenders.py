"""The methods that are compared where the truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.estimators import RobustMixture

LABELS = {
    "idealised": "t-mixture, clean data (idealised)",
    "base": "t-mixture, errors ignored (base)",
    "structured": "structured e (the paper's)",
    "exact": "exact e",
    "tail": "tail probability",
    "outlier": "outlier probability",
}
"""Methods, and what they are called in figures."""

SAMPLES = ("in-sample", "out-of-sample")
"""The sample that is fitted, and a new one."""

OURS = ("tail", "outlier")
"""Methods that are not in the paper and do not need the truth."""


@dataclass(frozen=True)
class Sample:
    """Objects whose clean values are known, and which of them are outliers."""

    clean: Floats
    X: Floats
    X_std: Floats
    is_outlier: NDArray[np.bool_]

    @property
    def measured(self) -> dict[str, Floats]:
        """What a user has in real life: measured values and their errors."""
        return {"X": self.X, "X_std": self.X_std}

    def take(self, rows: Ints) -> Sample:
        """Some of the objects."""
        return Sample(self.clean[rows], self.X[rows], self.X_std[rows], self.is_outlier[rows])


Strangeness = Callable[[Sample], Floats]
"""How strange each object of a sample is."""


@dataclass(frozen=True)
class ErrorModels:
    """Mixtures that know of the errors: by the paper's engine, by the exact one, and with a wild tail.

    Each is fitted when it is first asked for.
    """

    train: Sample
    n_components: int
    seed: int
    scatter: Any = "full"

    @cached_property
    def structured(self) -> RobustMixture:
        """By the paper's engine."""
        return self._fit(engine="structured")

    @cached_property
    def exact(self) -> RobustMixture:
        """By the exact engine."""
        return self._fit()

    @cached_property
    def wild(self) -> RobustMixture:
        """With a wild tail."""
        return self._fit(wild_fraction="estimate")

    def _fit(self, **settings: Any) -> RobustMixture:
        settings |= {"scatter": self.scatter, "random_state": self.seed}
        return RobustMixture(self.n_components, **settings).fit(**self.train.measured)

    def judges(self) -> dict[str, Strangeness]:
        """How strange objects are, by the names of ``LABELS``."""
        return {
            "structured": lambda sample: -self.structured.robust_weights(**sample.measured),
            "exact": lambda sample: -self.exact.robust_weights(**sample.measured),
            "tail": lambda sample: -self.wild.tail_probabilities(**sample.measured).log_p,
            "outlier": lambda sample: _outlier_probability(self.wild, sample),
        }


def fit_contenders(train: Sample, n_components: int, seed: int) -> dict[str, Strangeness]:
    """Fit every method to a sample.

    Parameters
    ----------
    train : Sample
    n_components : int
    seed : int

    Returns
    -------
    dict of str to function
        By the names of ``LABELS``. Each takes a sample, this or a new one, and says how strange its objects are.
    """
    idealised = RobustMixture(n_components, random_state=seed).fit(train.clean)
    base = RobustMixture(n_components, random_state=seed).fit(train.X)
    return {
        "idealised": lambda sample: -idealised.robust_weights(sample.clean),
        "base": lambda sample: -base.robust_weights(sample.X),
        **ErrorModels(train, n_components, seed).judges(),
    }


def _outlier_probability(wild: RobustMixture, sample: Sample) -> Floats:
    """The outlier probabilities: all 0 if the fit found that no object is wild."""
    if wild.wild_fraction_ == 0.0:
        return np.zeros(len(sample.X))
    return wild.outlier_probability(**sample.measured)
