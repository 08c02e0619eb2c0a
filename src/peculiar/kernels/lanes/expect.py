"""Everything for some rows and one component: whiten, turn, integrate, and the moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from peculiar.kernels.lanes.balanced import Balanced, WholeCovariance
from peculiar.kernels.lanes.clean import CleanTridiagonal
from peculiar.kernels.lanes.closed_forms import (
    GaussianConstants,
    StudentConstants,
    gaussian,
    student,
)
from peculiar.kernels.lanes.dense import Dense
from peculiar.kernels.lanes.exact import MAX_NODES, ExactConstants, exact
from peculiar.kernels.lanes.frames import (
    HUGE,
    Diagonal,
    Noiseless,
    Tridiagonal,
    triangle,
)
from peculiar.kernels.lanes.peak import PeakConstants, peak
from peculiar.kernels.lanes.steady import steady
from peculiar.kernels.lanes.sums import ScaleSums
from peculiar.kernels.lanes.waist import Frame
from peculiar.kernels.lanes.whiten import (
    whiten_aligned,
    whiten_covariances,
    whiten_values,
    whiten_variances,
)
from peculiar.kernels.lanes.wild import WildConstants, add_wild
from peculiar.kernels.structs import N_WILD

LOG_PROB, MEAN_U, MEAN_LOG_U, MOMENTS = 0, 1, 2, 3
"""Places of a row's results: log p(x | k), E[u], E[log u], and from the last on E[u (w - mu)] and second moments.

Where the moments are those of the noise, E[1 / u] stands in the place of E[log u], or 0 if it is infinite.

Where the law of u has a wild part, its probability and its part of E[u] follow, and E[log u] is that of the other part.
"""

N_WILD_RESULTS = 2

FIRST_WILD, FIRST_LOCATION = 9, 11
"""Where the numbers of the wild part and the location begin among the constants, behind those of the rule; the inverse
of the scatter's factor follows the latter, then the factor, and the scatter itself."""

FIRST_WILD_NODE = MAX_NODES
"""Where the nodes of the wild part begin, behind those of the rule."""

_RULES: dict[str, tuple[Callable[..., Any], type[Any]]] = {
    "exact": (exact, ExactConstants),
    "steady": (steady, ExactConstants),
    "peak": (peak, PeakConstants),
    "gaussian": (gaussian, GaussianConstants),
    "student": (student, StudentConstants),
}


class Kind(NamedTuple):
    """What code is wanted. As a line of text it names the code."""

    rule: str  # "exact" or "steady", "peak", "gaussian", or "student" without noise
    noise: str  # "none", "diagonal" or "full"
    n_features: int
    aligned: bool  # whether noise and scatter have the same axes, so that only diagonals matter
    with_moments: bool
    has_wild: bool = False  # whether the law of u has a wild part
    of_clean: bool = False  # whether the moments are those of the noise, x - w, not of u (w - mu)
    balanced: bool = False  # whether the noise may be huge in units of the scatter

    @property
    def n_moments(self) -> int:
        """How many of the results are moments of the clean value."""
        d = self.n_features
        if not self.with_moments:
            return 0
        return d + (d if self.aligned else d * (d + 1) // 2)

    @property
    def n_results(self) -> int:
        """Results for each row and component."""
        return MOMENTS + self.n_moments + (N_WILD_RESULTS if self.has_wild else 0)


def expect_rows(
    code: Any, kind: Kind, constants: Any, nodes: Any, x: Any, noise: Any, out: Any
) -> None:
    """All formulas for some rows and one component, one after another."""
    p = kind.n_features
    location = constants.part(FIRST_LOCATION, p)
    inverse = constants.part(FIRST_LOCATION + p, p, p)
    rule, kind_of_numbers = _RULES[kind.rule]
    numbers = _numbers(kind_of_numbers, constants, 0)
    frame: Frame = (
        _balanced(code, kind, x, noise, constants, numbers)
        if kind.balanced
        else _frame(code, kind, x, noise, location, inverse)
    )
    sums, fine = rule(code, frame, numbers, nodes, kind.with_moments)
    if kind.of_clean:
        sums = sums._replace(log_u=_inverse_u(code, kind, frame, numbers, sums.total))
    if kind.has_wild:
        sums = _with_wild(code, kind, frame, constants, nodes, sums, out)
        in_range = (sums.total > 1.0 / HUGE) & (sums.total < HUGE)
        fine, sums = fine & in_range, sums._replace(total=code.where(in_range, sums.total, 1.0))
    scale = 1.0 / sums.total
    out[LOG_PROB] = sums.height + code.log(sums.total)
    out[MEAN_U] = sums.u * scale
    out[MEAN_LOG_U] = sums.log_u * scale
    if kind.with_moments:
        fine = fine & frame.finish(scale, out.part(MOMENTS, kind.n_moments))
    out[kind.n_results] = code.where(fine, 0.0, 1.0)
    for _ in code.only_if_any(~fine):  # what nobody may use must still not be NaN
        for i in code.span(0, kind.n_results):
            out[i] = code.where(fine, out[i], 0.0)


def _inverse_u(code: Any, kind: Kind, frame: Any, numbers: Any, total: Any) -> Any:
    """Sum for E[1 / u]: given the clean value w, u is Gamma([dof + p] / 2, [dof + |w - mu|^2] / 2)."""
    if kind.rule == "gaussian":
        return total
    rest = numbers.dof_p - 2.0
    finite = code.lanes(rest) > 0.0
    sums = numbers.dof * total + frame.sum_of_squares(total)
    return code.where(finite, sums / code.where(finite, rest, 1.0), 0.0)


def _with_wild(
    code: Any,
    kind: Kind,
    frame: Any,
    constants: Any,
    nodes: Any,
    ordinary: ScaleSums,
    out: Any,
) -> ScaleSums:
    """The sums with those of the wild part, which has results of its own."""
    numbers = _numbers(WildConstants, constants, FIRST_WILD)
    wild_nodes = nodes.part(FIRST_WILD_NODE * 4, N_WILD, 4)
    flags = kind.with_moments, kind.of_clean
    sums = add_wild(code, frame, numbers, wild_nodes, ordinary, *flags)
    place, scale = MOMENTS + kind.n_moments, 1.0 / sums.both.total
    out[place] = sums.wild * scale
    out[place + 1] = sums.wild_u * scale
    return sums.both


def _numbers(kind: type[Any], constants: Any, first: int) -> Any:
    return kind(*(constants[first + i] for i in range(len(kind._fields))))


def _frame(code: Any, kind: Kind, x: Any, noise: Any, location: Any, inverse: Any) -> Frame:
    """Residual and noise in the axes that suit them."""
    p = kind.n_features
    if kind.noise == "none":
        return Noiseless(code, p, whiten_values(code, p, x, location, inverse))
    if kind.aligned:
        return Diagonal(code, p, *whiten_aligned(code, p, x, noise, location, inverse))
    y = whiten_values(code, p, x, location, inverse)
    whiten = whiten_variances if kind.noise == "diagonal" else whiten_covariances
    b = whiten(code, p, noise, inverse)
    if kind.of_clean:
        return CleanTridiagonal(code, p, y, b)
    is_solved_once = kind.rule == "gaussian" and not kind.has_wild
    return Dense(code, p, y, b) if is_solved_once else Tridiagonal(code, p, y, b)


def _balanced(code: Any, kind: Kind, x: Any, noise: Any, constants: Any, numbers: Any) -> Balanced:
    """The frame for noise that may be huge in units of the scatter."""
    p = kind.n_features
    location = constants.part(FIRST_LOCATION, p)
    inverse, factor, scatter = (
        constants.part(FIRST_LOCATION + p + i * p * p, p, p) for i in range(3)
    )
    residual = code.array(p)
    for i in code.span(0, p):
        residual[i] = x[i] - location[i]
    y = whiten_values(code, p, x, location, inverse)
    square = code.total(0, p, lambda i: y[i] * y[i])
    is_full = kind.noise == "full"

    whole = WholeCovariance(
        code,
        p,
        residual,
        scatter,
        lambda i: noise[triangle(i, i)] if is_full else noise[i],
        lambda i, j: noise[triangle(i, j)] if is_full else 0.0,
    )
    return Balanced(whole, factor, square, None if kind.rule == "gaussian" else numbers)
