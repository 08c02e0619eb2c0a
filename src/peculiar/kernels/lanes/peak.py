"""The highest peak of the posterior of log u: the fast way of ``structured`` and ``map``, which differ by constants.

Newton's method for g'(s) = 0, s = log u. Where g may have several maxima it is run from both ends of their range; if
these disagree, the higher one is taken, and a walk between them makes sure that there is no third. A lane where there
may be one, or that does not settle, is left to the careful kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.steady import log_law
from peculiar.kernels.lanes.sums import ScaleSums, only, sums_at
from peculiar.kernels.lanes.waist import SearchedFrame, Slopes

_MAX_STEPS = 40
_MAX_WALK = 100
_LONGEST_STEP = 1.5
_SETTLED = 1e-7  # the step after would be of the order of its square
_SAME = 1e-7


class PeakConstants(NamedTuple):
    """Numbers of a component and a number p of observed features."""

    dof: Any
    shape: Any  # (dof + p) / 2
    half_p: Any  # p / 2
    log_norm: Any  # without dof / 2, the height of the law of u at its peak
    high: Any  # the largest u that can be a peak
    bias: Any  # E[log u] - log(peak)


def peak(
    code: Any, frame: SearchedFrame, k: PeakConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """The objective at the peak, moments in the frame; and where they hold."""
    several = frame.square > 27.0 * k.dof  # else there is one maximum
    u = code.cell(code.where(several, k.high, _guess(frame, k)))
    settled = _climb(code, frame, k, u)
    unsure = code.cell(0.0)
    for _ in code.only_if_any(several):
        low = code.cell(k.dof / (k.dof + frame.square))
        settled_too = _climb(code, frame, k, low)
        is_two = several & (code.absolute(low.value / u.value - 1.0) > _SAME)
        unsure.value = code.where(settled_too | ~several, 0.0, 1.0)
        for _ in code.only_if_any(is_two):
            better, is_all = _highest(code, frame, k, low.value, u.value)
            u.value = code.where(is_two, better, u.value)
            unsure.value = code.where(is_all | ~is_two, unsure.value, 1.0)
    s = code.log(u.value)
    inverse_det, quadratic = frame.solve(u.value)
    fall = u.value * quadratic - code.log(inverse_det)
    log_prob = k.log_norm + log_law(code, k, s, u.value) - 0.5 * fall
    fine = settled & (unsure.value < 1.0) & (fall < 1e300) & frame.is_accurate(u.value, inverse_det)
    if with_moments:
        only(frame, u.value, inverse_det)
    return sums_at(code, log_prob, u.value, s + k.bias), fine


def _highest(code: Any, frame: SearchedFrame, k: PeakConstants, low: Any, high: Any) -> Any:
    """The higher of the lowest and the highest u at which g has a maximum; and where no other can be higher still.

    A walk from one to the other, in steps of half the width of the narrowest maximum; from a point that lies m below
    the best, g cannot reach it again within m / shape.
    """

    def height(u: Any, inverse_det: Any, quadratic: Any) -> Any:
        log_det = code.log(code.maximum(inverse_det, 1e-300))
        return log_law(code, k, code.log(u), u) - 0.5 * (u * quadratic - log_det)

    ends = [height(u, *frame.solve(u)) for u in (low, high)]
    best = code.maximum(*ends)
    stride = 0.5 / code.sqrt(code.lanes(k.shape))
    last = code.log(high)
    s, rises, others = code.cell(code.log(low) + stride), code.cell(0.0), code.cell(0.0)
    rest = code.cell(1.0)
    for _ in code.repeat(_MAX_WALK):
        u = code.exp(s.value)
        f = frame.slopes(u)
        is_rising = _slope(k, u, f) < k.shape
        rest.value = last - stride - s.value
        is_between = rest.value > 0.0
        falls_again = is_between & (rises.value > 0.0) & ~is_rising
        others.value = code.where(falls_again, 1.0, others.value)
        rises.value = code.where(is_rising, 1.0, rises.value)
        below = best - height(u, f.inverse_det, f.quadratic)
        s.value = code.where(is_between, s.value + code.maximum(stride, below / k.shape), s.value)
        code.stop_when_all(~is_between)
    return code.where(ends[0] > ends[1], low, high), (others.value < 1.0) & (rest.value < 1e-300)


def _guess(frame: SearchedFrame, k: PeakConstants) -> Any:
    """Two steps of the fixed point iteration, as if the noise were the same in all directions."""
    u = 2.0 * k.shape / (k.dof + frame.square / (1.0 + frame.along))
    grow = 1.0 / (1.0 + u * frame.along)
    return 2.0 * k.shape / (k.dof + (frame.square * grow + frame.trace) * grow)


def _slope(k: PeakConstants, u: Any, f: Slopes) -> Any:
    """That of f in s, for  g = a s - f(u),  f = (u dof + u quadratic + log det) / 2."""
    return 0.5 * u * (k.dof + f.quadratic + u * f.quadratic_first + f.log_det_first)


def _climb(code: Any, frame: SearchedFrame, k: PeakConstants, u: Any) -> Any:
    """Newton's method in log u to a maximum of g; returns where it settled."""
    rest = code.cell(0.0)
    for _ in code.repeat(_MAX_STEPS):
        at = u.value
        f = frame.slopes(at)
        first = _slope(k, at, f)
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
