"""The two limits that need no search for u: infinite dof, and no noise."""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.frames import HUGE, triangle
from peculiar.kernels.lanes.peak import at_scale


class GaussianConstants(NamedTuple):
    """Numbers of a number p of observed features."""

    log_norm: Any  # -p log(2 pi) / 2


class StudentConstants(NamedTuple):
    """Numbers of a component and a number p of observed features; those of infinite dof are the limits."""

    inverse_dof: Any
    shape: Any  # (dof + p) / 2, or 0
    gauss: Any  # 0, or 1 for infinite dof
    ratio: Any  # (dof + p) / dof
    log_norm: Any
    bias: Any  # E[log u] at the centre


def gaussian(
    code: Any, frame: Any, k: GaussianConstants, nodes: Any, out: Any, moments: Any
) -> Any:
    """dof = inf: u is 1."""
    one = code.lanes(1.0)
    inverse_det, quadratic = frame.solve(one)
    out[0] = k.log_norm - 0.5 * (quadratic - code.log(inverse_det))
    out[1] = one
    out[2] = 0.0
    fine = (quadratic < HUGE) & frame.is_accurate(one, inverse_det)
    return fine if moments is None else fine & at_scale(frame, one, inverse_det, moments)


def student(code: Any, p: int, y: Any, k: StudentConstants, out: Any, moments: Any) -> Any:
    """No noise: the clean value is the measured one, u is Gamma(shape, (dof + |y|^2) / 2), or 1."""
    square = code.total(0, p, lambda i: y[i] * y[i])
    grow = 1.0 + square * k.inverse_dof
    log_grow = code.log(grow)
    u = k.ratio / grow
    out[0] = k.log_norm - k.shape * log_grow - 0.5 * k.gauss * square
    out[1] = u
    out[2] = k.bias - log_grow
    if moments is not None:
        for i in code.span(0, p):
            moments[i] = u * y[i]
            for j in code.span(0, i + 1):
                moments[p + triangle(i, j)] = moments[i] * y[j]
    return square < HUGE
