"""The integral over u where ``exact`` cannot do it: a law of u that is sharp, or a posterior with a long left side.

The law of u is written as  exp(-(dof / 2) (u - 1 - log u)),  in which no digits are lost however large the dof. The
nodes are equidistant in s = log u, and the lane chooses the first. Let h(s) = log|I + u B| / 2, which is convex and at
least 0, and f = u [dof + y' (I + u B)^-1 y] / 2, which is concave in u and 0 at 0. With s_0 near the peak, and
everything at s_0, the integrand e^g is bounded on the left by both of

    g(s_0 - delta) <= g(s_0) - (a - h') delta + f (1 - e^-delta),        a = (dof + p) / 2,
    g(s_0 - delta) <= g(s_0) - a delta + h + f (1 - e^-delta).
"""

from __future__ import annotations

import math
from typing import Any

from peculiar.kernels.lanes.elementary import horner
from peculiar.kernels.lanes.exact import MAX_NODES, ExactConstants
from peculiar.kernels.lanes.frames import HUGE
from peculiar.kernels.lanes.sums import ScaleSums
from peculiar.kernels.lanes.waist import CentredFrame, Slopes

_LARGE_DOF = 1e4
_N_CLIMB = 2
_N_NEWTON = 6


def steady(
    code: Any, frame: CentredFrame, k: ExactConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """Sums over the nodes, those of the moments in the frame; and where they hold."""
    centre = frame.near_peak(k)
    for _ in range(_N_CLIMB):  # the fixed point iteration never overshoots
        f = frame.slopes(centre)
        rise = k.dof + f.quadratic + centre * f.quadratic_first + f.log_det_first
        centre = 2.0 * k.shape / rise
    middle = code.log(centre)
    here = frame.slopes(centre)
    top = log_law(code, k, middle, centre) - 0.5 * centre * here.quadratic
    s = code.cell(middle - _first_distance(code, k, centre, here))
    total, sum_u, sum_s = (code.cell(0.0) for _ in range(3))
    rest, scale, factor = code.cell(1.0), code.cell(code.exp(s.value)), code.exp(k.step)
    if with_moments:
        frame.clear()
    for _ in code.repeat(MAX_NODES):
        is_open = rest.value > 0.0
        u = scale.value
        inverse_det, quadratic = frame.solve(u)
        inverse_det = code.maximum(inverse_det, 0.0)  # rounding, far on the left
        g = log_law(code, k, s.value, u) - 0.5 * u * quadratic - top
        weight = k.step * code.exp(code.where(is_open, g, -HUGE)) * code.sqrt(inverse_det)
        total.value = total.value + weight
        sum_u.value = sum_u.value + weight * u
        sum_s.value = sum_s.value + weight * (s.value - middle)
        if with_moments:
            frame.add(weight, u, inverse_det)
        # u exp(g) climbs at most by (shape + 1) (right - s) from here
        climb = code.maximum(k.right - s.value, 0.0)
        still = g + (s.value - middle) + (k.shape + 1.0) * climb + k.depth
        rest.value = code.where(is_open, still, rest.value)
        s.value = code.where(is_open, s.value + k.step, s.value)
        scale.value = code.where(is_open, u * factor, u)
        code.stop_when_all(rest.value < 0.0)
    fine = (total.value > 1.0 / HUGE) & (total.value < HUGE) & (sum_u.value < HUGE)
    fine = fine & (rest.value < 0.0)
    safe = code.where(fine, total.value, 1.0)
    mean_u = sum_u.value / safe
    inverse_det, _ = frame.solve(mean_u)
    fine = fine & frame.is_accurate(mean_u, inverse_det)
    return ScaleSums(k.log_norm + top, safe, sum_u.value, middle * safe + sum_s.value), fine


def log_law(code: Any, k: Any, s: Any, u: Any) -> Any:
    """(p / 2) s - (dof / 2) (u - 1 - s), for u = e^s; without a loss of digits where u is near 1."""
    excess = code.cell(u - 1.0 - s)
    for _ in code.only_if_any(code.lanes(k.dof) > _LARGE_DOF):
        series = s * s * horner(s, [1.0 / math.factorial(n) for n in range(2, 16)])
        excess.value = code.where(code.absolute(s) < 0.5, series, excess.value)
    return k.half_p * s - 0.5 * k.dof * excess.value


def _first_distance(code: Any, k: ExactConstants, u: Any, here: Slopes) -> Any:
    """From the first node to u: the delta at which the lower of the two bounds has fallen by the depth."""
    fall = 0.5 * u * (k.dof + here.quadratic)
    height = -0.5 * code.log(code.maximum(here.inverse_det, 1.0 / HUGE))
    slope = 0.5 * u * here.log_det_first
    meet = height / (slope + 1e-300)  # where the bounds meet
    at_meeting = (k.shape - slope) * meet - fall * (1.0 - code.exp(-meet))
    is_far = at_meeting < k.depth
    rate = code.where(is_far, k.shape, k.shape - slope)
    depth = code.where(is_far, k.depth + height, k.depth)
    return _way_down(code, depth / rate, fall / rate)


def _way_down(code: Any, depth: Any, fall: Any) -> Any:
    """The delta at which  delta - fall (1 - e^-delta)  reaches the depth, or a little more: by Newton from the right.

    The function is convex, and for delta < 1 at least  (1 - fall) delta + fall delta^2 / 3.
    """
    rise = fall - 1.0
    near = (rise + code.sqrt(rise * rise + (4.0 / 3.0) * fall * depth)) / (2.0 / 3.0 * fall)
    delta = code.where(near < 1.0, near, fall + depth)
    for _ in range(_N_NEWTON):
        rest = fall * code.exp(-delta)
        delta = delta - (delta - fall + rest - depth) / (1.0 - rest)
    return delta
