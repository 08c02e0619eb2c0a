"""exp and log that vectorise: ``math.exp`` is a call, and a loop with a call in it stays scalar.

Both are accurate to about an ulp. They rely on the bits of IEEE doubles.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from peculiar.kernels._jit import kernel

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01  # its last bits are zero: n * _LN2_HIGH is exact
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52  # adding it rounds to a whole number, which then stands in the lowest bits
_BITS_ONE = 0x3FF0000000000000
_BITS_SQRT_HALF = 0x3FE6A09E667F3BCD
_BITS_2_52 = 0x4330000000000000
_LEAST_EXPONENT = -700.0


@intrinsic
def _float_of_bits(_context: Any, _bits: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), codegen


@intrinsic
def _bits_of_float(_context: Any, _x: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), codegen


@kernel
def lane_exp(x):
    """Exponential of x; 0 below -700."""
    y = max(x, _LEAST_EXPONENT)
    shifted = y * _LOG2_E + _ROUND
    n = shifted - _ROUND
    r = (y - n * _LN2_HIGH) - n * _LN2_LOW
    p = 1.0 / 6227020800.0  # Taylor's series: |r| < 0.35
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    two_to_n = _float_of_bits((_bits_of_float(shifted) << 52) + _BITS_ONE)
    return p * two_to_n if x > _LEAST_EXPONENT else 0.0


@kernel
def lane_log(x):
    """Logarithm of a positive, normal x: that of its mantissa, in [sqrt(1/2), sqrt(2)), by the series of artanh."""
    bits = _bits_of_float(x)
    exponent = (bits - _BITS_SQRT_HALF) >> 52
    mantissa = _float_of_bits(bits - (exponent << 52))
    n = _float_of_bits((exponent + 1024) | _BITS_2_52) - (2.0**52 + 1024.0)
    f = (mantissa - 1.0) / (mantissa + 1.0)
    g = f * f
    s = 1.0 / 21.0
    s = s * g + 1.0 / 19.0
    s = s * g + 1.0 / 17.0
    s = s * g + 1.0 / 15.0
    s = s * g + 1.0 / 13.0
    s = s * g + 1.0 / 11.0
    s = s * g + 1.0 / 9.0
    s = s * g + 1.0 / 7.0
    s = s * g + 1.0 / 5.0
    s = s * g + 1.0 / 3.0
    return n * _LN2_HIGH + (2.0 * f + (2.0 * f * g * s + n * _LN2_LOW))
