"""The integral over u: the fast way of ``exact``.

The nodes are those of  s = log u = c + offset,  with c the lane's own and offsets shared by all. For small shapes
a = (dof + p) / 2 they are crowded on the left (offset = t - e^(-kappa t) for equidistant t), which makes the tail
e^(a s) there doubly exponential; for large ones they are equidistant, and the lane chooses the first. A lane for
which this is not good enough (its range too long, its weights out of range) is left to the careful kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.frames import HUGE
from peculiar.kernels.lanes.sums import ScaleSums
from peculiar.kernels.lanes.waist import SearchedFrame

MAX_NODES = 160


class ExactConstants(NamedTuple):
    """Numbers of a component and a number p of observed features."""

    dof: Any
    dof_p: Any  # dof + p
    shape: Any  # (dof + p) / 2
    log_norm: Any  # without dof / 2, the height of the law of u at its peak
    right: Any  # log u beyond which u exp(g) falls for good
    depth: Any  # what lies exp(-depth) below the peak is left out
    drop: Any  # depth / shape where the lane chooses its first node, 0 where nodes are crowded
    half_p: Any  # p / 2
    step: Any  # in log u


class Node(NamedTuple):
    """Columns of the table of nodes."""

    offset: Any
    factor: Any  # e^offset
    weight: Any  # of the trapezoidal rule: step * d offset / dt
    rise: Any  # shape * offset


def exact(
    code: Any, frame: SearchedFrame, k: ExactConstants, nodes: Any, with_moments: bool
) -> tuple[ScaleSums, Any]:
    """Sums over the nodes, those of the moments in the frame; and where they hold."""
    first = _first_node(code, frame, k)
    total, sum_u, sum_s = (code.cell(0.0) for _ in range(3))
    last, rest = code.cell(first.u), code.cell(1.0)
    if with_moments:
        frame.clear()
    for n in code.repeat(MAX_NODES):
        node = Node(*(nodes[n, i] for i in range(4)))
        # What is done stays where it is: further right, minors may cancel.
        is_open = rest.value > 0.0
        u = code.where(is_open, first.u * node.factor, last.value)
        inverse_det, quadratic = frame.solve(u)
        g = node.rise + first.rise - 0.5 * u * (k.dof + quadratic)
        g = code.where(is_open, g, -HUGE)
        weight = node.weight * code.exp(g) * code.sqrt(inverse_det)
        total.value = total.value + weight
        sum_u.value = sum_u.value + weight * u
        sum_s.value = sum_s.value + weight * node.offset
        if with_moments:
            frame.add(weight, u, inverse_det)
        # u exp(g) climbs at most by (a + 1) (right - s) from here
        climb = code.maximum(k.right - first.s - node.offset, 0.0)
        rest.value = g + node.offset + (k.shape + 1.0) * climb + k.depth
        last.value = u
        code.stop_when_all(rest.value < 0.0)
    fine = (total.value > 1.0 / HUGE) & (total.value < HUGE) & (sum_u.value < HUGE)
    fine = fine & (rest.value < 0.0) & first.in_range
    safe = code.where(fine, total.value, 1.0)
    mean_u = sum_u.value / safe
    inverse_det, _ = frame.solve(mean_u)
    fine = fine & frame.is_accurate(mean_u, inverse_det)
    height = k.log_norm + 0.5 * k.dof + k.shape * first.s - first.rise
    return ScaleSums(height, safe, sum_u.value, first.s * safe + sum_s.value), fine


class FirstNode(NamedTuple):
    """Where offsets count from."""

    s: Any
    u: Any  # e^s
    rise: Any  # of the tail since it had the height of g at the noise-free mode
    in_range: Any  # whether the determinant at that mode is an ordinary number


def _first_node(code: Any, frame: SearchedFrame, k: ExactConstants) -> FirstNode:
    """Where the left tail e^(a s) would reach the height of g at the noise-free mode, or near it.

    Crowded nodes begin left of there, at an offset that is the same for all. Equidistant ones are moved by z, so that
    the first is where they begin: g = a s - f(u) with a concave f, f(0) = 0, so that left of the mode, which is a
    distance o away, g <= g(mode) + a [z - o e^(z - o)]; z is where that has fallen by the depth.
    """
    u = k.dof_p / (k.dof + frame.square)
    inverse_det, quadratic = frame.solve(u)
    distance = 0.5 * (u * (k.dof + quadratic) - code.log(inverse_det)) / k.shape
    moved = code.cell(0.0)
    for _ in code.only_if_any(k.drop > 0.0):
        z = -k.drop
        # Newton's method, from the left, where the function is concave: never too far.
        for _ in range(8):
            bend = distance * code.exp(z - distance)
            z = z - (z - bend + k.drop) / (1.0 - bend)
        moved.value = z
    shift = moved.value - distance
    in_range = inverse_det > 1.0 / HUGE
    return FirstNode(code.log(u) + shift, u * code.exp(shift), k.shape * moved.value, in_range)
