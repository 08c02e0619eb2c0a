"""The highest peak of the posterior of log u: the fast way of ``structured`` and ``map``, which differ by constants.

Newton's method for g'(s) = 0, s = log u. Where g may have several maxima it is run from both ends of their range; a
lane whose ends disagree, or that does not settle, is left to the careful kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.sums import ScaleSums, only, sums_at
from peculiar.kernels.lanes.waist import SearchedFrame

_MAX_STEPS = 40
_LONGEST_STEP = 1.5
_SETTLED = 1e-7  # the step after would be of the order of its square
_SAME = 1e-7


class PeakConstants(NamedTuple):
    """Numbers of a component and a number p of observed features."""

    dof: Any
    shape: Any  # (dof + p) / 2
    log_norm: Any
    high: Any  # the largest u that can be a peak
    bias: Any  # E[log u] - log(peak)


def peak(
    code: Any, frame: SearchedFrame, k: PeakConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """The objective at the peak, moments in the frame; and where they hold."""
    several = frame.square > 27.0 * k.dof  # else there is one maximum
    u = code.cell(code.where(several, k.high, _guess(frame, k)))
    settled = _climb(code, frame, k, u)
    gap = code.cell(0.0)
    for _ in code.only_if_any(several):
        low = code.cell(k.dof / (k.dof + frame.square))
        settled_too = _climb(code, frame, k, low)
        gap.value = code.where(settled_too, code.absolute(low.value / u.value - 1.0), 1.0)
    s = code.log(u.value)
    inverse_det, quadratic = frame.solve(u.value)
    fall = u.value * (k.dof + quadratic) - code.log(inverse_det)
    log_prob = k.log_norm + k.shape * s - 0.5 * fall
    fine = settled & (gap.value < _SAME) & (fall < 1e300) & frame.is_accurate(u.value, inverse_det)
    if with_moments:
        only(frame, u.value, inverse_det)
    return sums_at(code, log_prob, u.value, s + k.bias), fine


def _guess(frame: SearchedFrame, k: PeakConstants) -> Any:
    """Two steps of the fixed point iteration, as if the noise were the same in all directions."""
    u = 2.0 * k.shape / (k.dof + frame.square / (1.0 + frame.along))
    grow = 1.0 / (1.0 + u * frame.along)
    return 2.0 * k.shape / (k.dof + (frame.square * grow + frame.trace) * grow)


def _climb(code: Any, frame: SearchedFrame, k: PeakConstants, u: Any) -> Any:
    """Newton's method in log u to a maximum of g; returns where it settled."""
    rest = code.cell(0.0)
    for _ in code.repeat(_MAX_STEPS):
        at = u.value
        f = frame.slopes(at)
        # g = a s - f(u), f = (u dof + u quadratic + log det) / 2; derivatives in s
        first = 0.5 * at * (k.dof + f.quadratic + at * f.quadratic_first + f.log_det_first)
        bend = 2.0 * f.quadratic_first + at * f.quadratic_second + f.log_det_second
        second = first + 0.5 * at * at * bend
        gap = k.shape - first
        # where g is not concave, a step of the fixed point iteration, which never overshoots
        slope = code.where(second > 0.0, second, code.maximum(first, k.shape))
        slope = code.maximum(slope, code.absolute(gap) * (1.0 / _LONGEST_STEP))
        # exp(gap / slope), but for the third order
        u.value = at * (2.0 * slope + gap) / (2.0 * slope - gap)
        rest.value = code.absolute(gap) - _SETTLED * slope
        code.stop_when_all(rest.value < 0.0)
    return rest.value < 0.0
