"""The shape of a component's own contour: semi-axes along the axes of its frame.

Rays are uniform on the sphere in units of these. In every direction the density on the contour is the same, so the mass
beyond it varies only as the density falls off more or less slowly there: few rays suffice, at any depth. Where it is an
ellipsoid (no noise, noise in proportion to the scatter, dof = inf), one ray does.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.tail.sums import density_along

_STEPS = 50
_TOL = 1e-4  # of a step of Newton's method; what is left is of the order of its square


@kernel
def contour_axes(log_peak, precision, zeros, axes):
    """Semi-axes of the contour on which the sum of the nodes is 1. Returns the log of their product.

    If the peak is not much above the level, the contour a bit below the peak is taken instead; the level for that
    changes smoothly.
    """
    total, _ = density_along(log_peak, zeros, zeros, 0.0)
    height = math.log(total)
    excess = height - 1.0
    depth = 1.0 + (excess if excess > 30.0 else math.log1p(math.exp(excess)))
    target = height - depth
    log_volume = 0.0
    for j in range(axes.size):
        axes[j] = _semi_axis(log_peak, precision[j, : log_peak.size], zeros, target)
        log_volume += math.log(axes[j])
    return log_volume


@kernel
def _semi_axis(log_peak, precision, zeros, target):
    """The rho at which log sum exp(log_peak - precision rho^2 / 2) is ``target``: Newton's method in rho^2, guarded."""
    inside, outside = 0.0, 0.0  # of rho^2
    margin = math.log(float(log_peak.size)) - target
    for m in range(log_peak.size):
        inside = max(inside, 2.0 * (log_peak[m] - target) / precision[m])
        outside = max(outside, 2.0 * (log_peak[m] + margin) / precision[m])
    outside *= 1.0 + 1e-12
    square = inside + 0.3 * (outside - inside)
    for _ in range(_STEPS):
        rho = math.sqrt(square)
        value, slope = density_along(log_peak, zeros, precision, rho)
        excess = math.log(value) - target
        if excess >= 0.0:
            inside = square
        else:
            outside = square
        following = square - 2.0 * rho * excess * value / slope if slope < 0.0 else math.inf
        if not inside < following < outside:
            following = 0.5 * (inside + outside)
        done = abs(following - square) <= _TOL * square
        square = following
        if done:
            break
    return math.sqrt(square)
