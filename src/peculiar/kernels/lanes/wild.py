"""A wild part beside the ordinary law of u: the fast way of a sum over its scales.

The nodes are the same for all rows and components. Both parts are summed in units of e^height: the height of the
ordinary part, or that of the wild one at its smallest scale and without noise, if this is larger. Where that is not
good enough (far away, and measured so badly that the noise matters) the sums overflow, and the row is left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.sums import ScaleSums
from peculiar.kernels.lanes.waist import SummedFrame
from peculiar.kernels.structs import N_WILD


class WildConstants(NamedTuple):
    """Numbers of a law of u with a wild part, for a number p of observed features."""

    log_rest: Any  # log of the probability of the ordinary part
    log_share: Any  # log of that of the wild part, with the norm of the density


class WildNode(NamedTuple):
    """Columns of the table of nodes."""

    u: Any
    rise: Any  # log of its probability, and (p / 2) log u


class WildSums(NamedTuple):
    """Sums of both parts, and those of the wild part alone."""

    both: ScaleSums
    wild: Any
    wild_u: Any


def add_wild(
    code: Any,
    frame: SummedFrame,
    k: WildConstants,
    nodes: Any,
    ordinary: ScaleSums,
    with_moments: bool,
    of_clean: bool,
) -> WildSums:
    """Add the wild part to the sums of the ordinary one; if ``of_clean``, 1 / u has the place of log u in them."""
    first = WildNode(nodes[0, 0], nodes[0, 1])
    unit = k.log_rest + ordinary.height
    height = code.maximum(unit, k.log_share + first.rise - 0.5 * first.u * frame.square)
    factor = code.exp(unit - height)
    if with_moments:
        frame.shrink(factor)
    base = k.log_share - height
    total, sum_u, sum_inverse = code.cell(0.0), code.cell(0.0), code.cell(0.0)
    for n in code.loop(0, N_WILD):
        node = WildNode(nodes[n, 0], nodes[n, 1])
        u = code.lanes(node.u)
        inverse_det, quadratic = frame.solve(u)
        g = base + node.rise - 0.5 * u * quadratic
        weight = code.exp(g) * code.sqrt(inverse_det)
        total.value = total.value + weight
        sum_u.value = sum_u.value + weight * u
        if of_clean:
            sum_inverse.value = sum_inverse.value + weight / u
        if with_moments:
            frame.add(weight, u, inverse_det)
    both = ScaleSums(
        height,
        ordinary.total * factor + total.value,
        ordinary.u * factor + sum_u.value,
        ordinary.log_u * factor + sum_inverse.value,
    )
    return WildSums(both, total.value, sum_u.value)
