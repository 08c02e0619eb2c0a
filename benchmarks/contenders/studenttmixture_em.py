"""studenttmixture's EM: a mixture of t's, without errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from studenttmixture import EMStudentMixture

from benchmarks.problems import TRUE_DOF, Mixture, Problem

NEVER = 1e-300
"""Its tolerance must be positive."""


class _Started(EMStudentMixture):  # type: ignore[misc]  # published without types
    """With our start instead of its k-means."""

    start: Mixture

    def initialize_params(self, *_: Any) -> tuple[Any, ...]:
        weights, locations, scatters, _dofs = self.start
        scale = np.moveaxis(scatters, 0, -1).copy()  # its matrices run (d, d, K)
        cholesky = np.moveaxis(np.linalg.cholesky(scatters), 0, -1).copy()
        return locations.copy(), scale, weights.copy(), cholesky


def fit(problem: Problem, iterations: int) -> Mixture:
    """One restart; its ``fit`` keeps nothing of a restart that did not converge."""
    model = _Started(
        len(problem.start.weights),
        tol=NEVER,
        reg_covar=0.0,
        max_iter=iterations,
        df=TRUE_DOF,
        fixed_df=False,
    )
    model.start = problem.start
    _, _, locations, scale, weights, dofs, _ = model.fitting_restart(problem.x, 0)
    return Mixture(weights, locations, np.moveaxis(scale, -1, 0), dofs)
