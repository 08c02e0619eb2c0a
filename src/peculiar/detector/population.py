"""The ordinary population, to be asked about rows measured with given errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.kernels.structs import Floats, Ints
from peculiar.mixture import RobustMixture
from peculiar.outliers.measured import Measured


class OrdinaryPopulation:
    """The ordinary part of a mixture, and the errors of some rows.

    Parameters
    ----------
    mixture : RobustMixture
        Fitted.
    measured : Measured
        Rows whose errors are to be used.
    """

    def __init__(self, mixture: RobustMixture, measured: Measured) -> None:
        self.mixture = mixture.ordinary_part()
        self.mixture.__dict__.pop("feature_names_in_", None)  # it is asked about plain arrays
        self.measured = measured

    @property
    def spread(self) -> Floats:
        """Typical size of each feature, (d,)."""
        variances = np.diagonal(self.mixture.scatters_, axis1=1, axis2=2)
        return np.sqrt(self.mixture.weights_ @ variances)

    def log_density(self, values: Floats) -> Floats:
        """Of each row, (n,)."""
        return self.mixture.score_samples(values, **self._errors())

    def component(self, values: Floats) -> Ints:
        """The most probable one of each row, (n,)."""
        return self.mixture.predict(values, **self._errors())

    def log_density_within(self, component: Ints, values: Floats) -> Floats:
        """Of each row, in the component named for it, (n,)."""
        result = np.empty(len(values))
        for k in np.unique(component):
            rows = np.flatnonzero(component == k)
            errors: dict[str, Any] = self.measured.errors_of(rows, np.ones(len(rows)))
            result[rows] = self._alone(int(k)).score_samples(values[rows], **errors)
        return result

    def log_tail(self, factors: Floats, rows: Ints) -> Floats:
        """log p of some of the rows, their errors times a factor each."""
        errors: dict[str, Any] = self.measured.errors_of(rows, factors)
        return self.mixture.tail_probabilities(self.measured.values[rows], **errors).log_p

    def _errors(self) -> dict[str, Any]:
        return self.measured.errors_of(
            np.arange(len(self.measured.values)), np.ones(len(self.measured.values))
        )

    def _alone(self, k: int) -> RobustMixture:
        """One component as a population of its own."""
        of_k = slice(k, k + 1)
        return RobustMixture.from_parameters(
            [1.0],
            self.mixture.locations_[of_k],
            self.mixture.scatters_[of_k],
            self.mixture.dofs_[of_k],
            engine=self.mixture.engine,
            n_jobs=self.mixture.n_jobs,
        )
