"""exp and log as polynomials: a call to a library would work on one lane at a time.

Both are accurate to about an ulp. They rely on the bits of IEEE doubles.
"""

from __future__ import annotations

import math
from typing import Any

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01  # its last bits are zero: n * _LN2_HIGH is exact
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52  # adding it rounds to a whole number, which then stands in the lowest bits
_BITS_ONE = 0x3FF0000000000000
_BITS_SQRT_HALF = 0x3FE6A09E667F3BCD
_BITS_2_52 = 0x4330000000000000
_LEAST_EXPONENT = -700.0
_GREATEST_EXPONENT = 710.0  # beyond, the bits of the exponent would wrap around


def exp(code: Any, x: Any) -> Any:
    """Exponential of x; 0 below -700 and for NaN, infinite above 709.4."""
    y = code.minimum(code.maximum(x, _LEAST_EXPONENT), _GREATEST_EXPONENT)
    shifted = y * _LOG2_E + _ROUND
    n = shifted - _ROUND
    r = (y - n * _LN2_HIGH) - n * _LN2_LOW
    # Taylor's series, |r| < 0.35; in two halves, which do not wait for each other
    square = r * r
    even, odd = (
        horner(square, [1.0 / math.factorial(i) for i in range(first, 14, 2)]) for first in (0, 1)
    )
    power = code.of_bits((code.bits(shifted) << 52) + _BITS_ONE)
    return code.where(x > _LEAST_EXPONENT, (odd * r + even) * power, 0.0)


def log(code: Any, x: Any) -> Any:
    """Logarithm of a positive, normal x: that of its mantissa, in [sqrt(1/2), sqrt(2)), by the series of artanh."""
    bits = code.bits(x)
    exponent = (bits - _BITS_SQRT_HALF) >> 52
    mantissa = code.of_bits(bits - (exponent << 52))
    n = code.of_bits((exponent + 1024) | _BITS_2_52) - (2.0**52 + 1024.0)
    f = (mantissa - 1.0) / (mantissa + 1.0)
    square = f * f
    series = horner(square, [1.0 / i for i in range(3, 22, 2)])
    return n * _LN2_HIGH + (2.0 * f + (2.0 * f * square * series + n * _LN2_LOW))


def horner(x: Any, coefficients: list[float]) -> Any:
    """The polynomial with these coefficients, the constant first."""
    value = x * coefficients[-1] + coefficients[-2]
    for coefficient in coefficients[-3::-1]:
        value = value * x + coefficient
    return value
