"""Special functions of a positive real, to about 1e-15."""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel

LOG_2PI = math.log(2.0 * math.pi)


@kernel
def stirling_gap(a):
    """Log Gamma minus Stirling's formula: log Gamma(a) - [(a - 1/2) log a - a + log(2 pi)/2].

    Differences of log Gamma at large arguments lose their digits (1e6 has 10 before the point); those
    of the gap, about 1 / (12 a), do not.
    """
    if a < 12.0:
        return math.lgamma(a) - ((a - 0.5) * math.log(a) - a + 0.5 * LOG_2PI)
    r = 1.0 / (a * a)
    series = 1.0 / 1188.0 - r * 691.0 / 360360.0
    series = -1.0 / 1680.0 + r * series
    series = 1.0 / 1260.0 + r * series
    series = -1.0 / 360.0 + r * series
    return (1.0 / 12.0 + r * series) / a


@kernel
def digamma_minus_log(a):
    """Digamma(a) - log(a), which is about -1 / (2 a): small where digamma itself is large."""
    shift = 0.0
    x = a
    while x < 12.0:
        shift += 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    series = 5.0 / 660.0 - r * 691.0 / 32760.0
    series = -1.0 / 240.0 + r * series
    series = 1.0 / 252.0 + r * series
    series = -1.0 / 120.0 + r * series
    series = 1.0 / 12.0 + r * series
    return math.log(x / a) - shift - 0.5 / x - r * series
