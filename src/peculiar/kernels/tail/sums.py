"""Sums of exponentials along a ray, and the mass of Gaussians beyond a point of it."""

from __future__ import annotations

import math

import numpy as np

from peculiar.kernels._jit import kernel, summing

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01  # its last bits are zero: n * _LN2_HIGH is exact
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52  # adding it rounds to a whole number, which then stands in the lowest bits
_BITS_ONE = 0x3FF0000000000000
_SQRT_PI = math.sqrt(math.pi)
_LARGE_ROOT = 25.0  # from here on the asymptotic series gives erfcx to 3e-13


@kernel
def exponential(x):
    """exp(x) to 3e-13, from exp(-700) to exp(700) and constant beyond. Without a call, so that loops vectorise."""
    y = min(max(x, -700.0), 700.0)
    shifted = y * _LOG2_E + _ROUND
    n = shifted - _ROUND
    r = (y - n * _LN2_HIGH) - n * _LN2_LOW
    series = 1.0 / 3628800.0
    series = series * r + 1.0 / 362880.0
    series = series * r + 1.0 / 40320.0
    series = series * r + 1.0 / 5040.0
    series = series * r + 1.0 / 720.0
    series = series * r + 1.0 / 120.0
    series = series * r + 1.0 / 24.0
    series = series * r + 1.0 / 6.0
    series = series * r + 0.5
    series = series * r + 1.0
    series = series * r + 1.0
    power = (np.float64(shifted).view(np.int64) << 52) + _BITS_ONE
    return series * np.int64(power).view(np.float64)


@kernel
def padded(n):
    """Next multiple of 8: vectors of 4 come in pairs, and what is left over is slow."""
    return (n + 7) // 8 * 8


@summing
def density_along(constant, linear, square, rho):
    """Sum of exp(constant - linear rho - square rho^2 / 2) over the nodes, and its derivative."""
    total = 0.0
    falling = 0.0
    for m in range(constant.size):
        slope = linear[m] + rho * square[m]
        part = exponential(constant[m] - 0.5 * rho * (linear[m] + slope))
        total += part
        falling += part * slope
    return total, -falling


@summing
def least_between(constant, linear, square, low, high):
    """Sum over the nodes of the lesser of their values at two points."""
    total = 0.0
    for m in range(constant.size):
        at_low = low * (linear[m] + 0.5 * low * square[m])
        at_high = high * (linear[m] + 0.5 * high * square[m])
        total += exponential(constant[m] - (max(at_high, at_low)))
    return total


@summing
def greatest_sum(constant, linear, square):
    """Sum over the nodes of their greatest values on the line."""
    total = 0.0
    for m in range(constant.size):
        total += exponential(constant[m] + 0.5 * linear[m] * linear[m] / square[m])
    return total


@kernel
def mass_beyond(p, constant, square, rho):
    """Sum of exp(constant) square^(-p/2) Q(p / 2, square rho^2 / 2): the mass on a ray beyond rho, up to a factor."""
    if p == 4:
        return _mass_beyond_4(constant, square, rho)
    if p % 2 == 0:
        return _mass_beyond_even(p, constant, square, rho)
    return _mass_beyond_odd(p, constant, square, rho)


@summing
def _mass_beyond_4(constant, square, rho):
    total = 0.0
    for m in range(constant.size):
        z = 0.5 * rho * rho * square[m]
        total += exponential(constant[m] - z) * (1.0 + z) / (square[m] * square[m])
    return total


@summing
def _mass_beyond_even(p, constant, square, rho):
    """Here Q(p / 2, z) is exp(-z) times the sum of z^i / i! for i < p / 2."""
    total = 0.0
    half = p // 2
    for m in range(constant.size):
        z = 0.5 * rho * rho * square[m]
        series = 1.0
        power = 1.0 / square[m]
        norm = power
        for i in range(half - 1, 0, -1):
            series = 1.0 + series * z / i
            norm *= power
        total += exponential(constant[m] - z) * series * norm
    return total


@kernel
def _mass_beyond_odd(p, constant, square, rho):
    total = 0.0
    for m in range(constant.size):
        z = 0.5 * rho * rho * square[m]
        total += exponential(constant[m] - z) * scaled_upper(p, z) * square[m] ** (-0.5 * p)
    return total


@kernel
def scaled_upper(p, z):
    """exp(z) Q(p / 2, z), Q being the regularised upper incomplete gamma function; p is a whole number."""
    if p % 2 == 0:
        total = 1.0
        for i in range(p // 2 - 1, 0, -1):
            total = 1.0 + total * z / i
        return total
    # Q(p/2, z) = erfc(sqrt z) + exp(-z) sum_(i = 1 .. (p-1)/2) z^(i - 1/2) / Gamma(i + 1/2)
    root = math.sqrt(z)
    term = 2.0 * root / _SQRT_PI
    total = 0.0
    for i in range((p - 1) // 2):
        total += term
        term *= z / (i + 1.5)
    return total + scaled_erfc(root)


@kernel
def scaled_erfc(x):
    """exp(x^2) erfc(x) for x >= 0."""
    if x < _LARGE_ROOT:
        return math.exp(x * x) * math.erfc(x)
    r = 0.5 / (x * x)
    return (1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r * (1.0 - 7.0 * r)))) / (x * _SQRT_PI)


@kernel
def lower(p, z):
    """P(p / 2, z), the regularised lower incomplete gamma function, for z < 1 or so: its power series."""
    a = 0.5 * p
    term = 1.0
    total = 1.0
    for i in range(1, 60):
        term *= z / (a + i)
        total += term
        if term < 1e-16 * total:
            break
    return total * math.exp(a * math.log(z) - z - math.lgamma(a + 1.0)) if z > 0.0 else 0.0


@kernel
def mass_between(p, constant, square, low, high):
    """The mass on a ray from low to high, up to the factor of :func:`mass_beyond`."""
    total = 0.0
    for m in range(constant.size):
        near = 0.5 * low * low * square[m]
        far = 0.5 * high * high * square[m]
        if far < 1.0:
            part = exponential(constant[m]) * (lower(p, far) - lower(p, near))
        else:
            part = exponential(constant[m] - near) * scaled_upper(p, near)
            part -= exponential(constant[m] - far) * scaled_upper(p, far)
        total += part * square[m] ** (-0.5 * p)
    return total
