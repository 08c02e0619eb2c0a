"""The two limits that need no search for u: infinite dof, and no noise."""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.frames import HUGE
from peculiar.kernels.lanes.sums import ScaleSums, only, sums_at
from peculiar.kernels.lanes.waist import NoisyFrame, SummedFrame


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
    code: Any, frame: NoisyFrame, k: GaussianConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """dof = inf: u is 1."""
    one = code.lanes(1.0)
    inverse_det, quadratic = frame.solve(one)
    log_prob = k.log_norm - 0.5 * (quadratic - code.log(inverse_det))
    fine = (quadratic < HUGE) & frame.is_accurate(one, inverse_det)
    if with_moments:
        only(frame, one, inverse_det)
    return sums_at(code, log_prob, one, code.lanes(0.0)), fine


def student(
    code: Any, frame: SummedFrame, k: StudentConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """No noise: u is Gamma(shape, (dof + |y|^2) / 2), or 1."""
    ratio = frame.square * k.inverse_dof
    grow = 1.0 + ratio
    # Of the ratio, what is left of it in ``grow``: the logarithm is to know all of it.
    lost = grow - 1.0
    log_grow = code.where(lost > 0.0, code.log(grow) * (ratio / lost), ratio)
    log_prob = k.log_norm - k.shape * log_grow - 0.5 * k.gauss * frame.square
    u = k.ratio / grow
    if with_moments:
        only(frame, u, code.lanes(1.0))
    return sums_at(code, log_prob, u, k.bias - log_grow), frame.square < HUGE
