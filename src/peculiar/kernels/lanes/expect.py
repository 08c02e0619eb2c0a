"""Everything for some rows and one component: whiten, turn, integrate, and the moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from peculiar.kernels.lanes.closed_forms import (
    GaussianConstants,
    StudentConstants,
    gaussian,
    student,
)
from peculiar.kernels.lanes.exact import ExactConstants, exact
from peculiar.kernels.lanes.frames import Dense, Diagonal, Tridiagonal
from peculiar.kernels.lanes.peak import PeakConstants, peak
from peculiar.kernels.lanes.whiten import (
    whiten_aligned,
    whiten_covariances,
    whiten_values,
    whiten_variances,
)

LOG_PROB, MEAN_U, MEAN_LOG_U, MOMENTS = 0, 1, 2, 3
"""Places of a row's results: log p(x | k), E[u], E[log u], and from the last on E[u (w - mu)] and second moments."""

FIRST_LOCATION = 8
"""Where the location begins among the constants, behind those of the rule; the factor's inverse follows it."""

_RULES: dict[str, tuple[Callable[..., Any], type[Any]]] = {
    "exact": (exact, ExactConstants),
    "peak": (peak, PeakConstants),
    "gaussian": (gaussian, GaussianConstants),
}


class Kind(NamedTuple):
    """What code is wanted. As a line of text it names the code."""

    rule: str  # "exact", "peak", "gaussian", or "student" without noise
    noise: str  # "none", "diagonal" or "full"
    n_features: int
    aligned: bool  # whether noise and scatter have the same axes, so that only diagonals matter
    with_moments: bool

    @property
    def n_results(self) -> int:
        """Results for each row and component."""
        d = self.n_features
        if not self.with_moments:
            return MOMENTS
        return MOMENTS + d + (d if self.aligned else d * (d + 1) // 2)


def expect_rows(
    code: Any, kind: Kind, constants: Any, nodes: Any, x: Any, noise: Any, out: Any
) -> None:
    """All formulas for some rows and one component, one after another."""
    p = kind.n_features
    location = constants.part(FIRST_LOCATION, p)
    inverse = constants.part(FIRST_LOCATION + p, p, p)
    moments = out.part(MOMENTS, kind.n_results - MOMENTS) if kind.with_moments else None
    if kind.noise == "none":
        y = whiten_values(code, p, x, location, inverse)
        fine = student(code, p, y, _numbers(StudentConstants, constants), out, moments)
    else:
        rule, numbers = _RULES[kind.rule]
        frame = _frame(code, kind, x, noise, location, inverse)
        fine = rule(code, frame, _numbers(numbers, constants), nodes, out, moments)
    out[kind.n_results] = code.where(fine, 0.0, 1.0)
    for _ in code.only_if_any(~fine):  # what nobody may use must still not be NaN
        for i in code.span(0, kind.n_results):
            out[i] = code.where(fine, out[i], 0.0)


def _numbers(kind: type[Any], constants: Any) -> Any:
    return kind(*(constants[i] for i in range(len(kind._fields))))


def _frame(code: Any, kind: Kind, x: Any, noise: Any, location: Any, inverse: Any) -> Any:
    """Residual and noise in the axes that suit them."""
    p = kind.n_features
    if kind.aligned:
        return Diagonal(code, p, *whiten_aligned(code, p, x, noise, location, inverse))
    y = whiten_values(code, p, x, location, inverse)
    whiten = whiten_variances if kind.noise == "diagonal" else whiten_covariances
    b = whiten(code, p, noise, inverse)
    return Dense(code, p, y, b) if kind.rule == "gaussian" else Tridiagonal(code, p, y, b)
