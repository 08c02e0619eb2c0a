"""Warnings about a fit that went less than well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from peculiar.engines.model import Model
from peculiar.errors import CollapsedScatterWarning, UnboundedDofWarning
from peculiar.fitting.loop import FitResult
from peculiar.model.dofs import GREATEST_DOF


def fit_warnings(
    result: FitResult, model: Model, tol: float
) -> Iterator[tuple[str, type[UserWarning]]]:
    """Messages, each with its category of warning."""
    if result.collapsed:
        names = ", ".join(str(k) for k in result.collapsed)
        message = (
            f"the scatter of component {names} collapsed in some direction and was held at 1e-5 of the spread of "
            "the data: duplicated rows, errors that are too large, or too many components?"
        )
        yield message, CollapsedScatterWarning
    if not result.converged:
        from sklearn.exceptions import ConvergenceWarning  # here: it brings all of scikit-learn

        is_known = np.isfinite(result.to_come)
        to_come = f"{result.to_come:.2g}" if is_known else "an unknown amount"
        message = (
            f"EM did not converge in {len(result.bounds)} iterations ({to_come} per row is still to be gained, tol "
            f"{tol:g}); the best parameters were kept. Raise max_iter or tol"
        )
        yield message, ConvergenceWarning
    dofs = result.params.dofs
    is_estimated = model.prior.n_dofs(len(dofs)) > 0
    if is_estimated and model.engine.objective == "joint" and (dofs >= GREATEST_DOF).any():
        message = (
            f"engine={model.engine.name!r} cannot tell the degrees of freedom: they grew to {dofs.max():g}, whatever "
            "the tails. Give dof, or use engine='structured'"
        )
        yield message, UnboundedDofWarning
