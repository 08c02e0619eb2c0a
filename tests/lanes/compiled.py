"""Any formula as a compiled function, and the same formula interpreted: two ways to the same numbers.

A formula here is a function ``f(code, given, numbers, out)``: ``given`` are numbers of the rows, ``numbers`` those that
all rows share, and ``out`` takes the results. Arrays of rows have the rows along the last axis.
"""

import ctypes

import numpy as np
from numba import cfunc, types
from numba.extending import intrinsic

from peculiar.kernels import _jit
from peculiar.kernels.lanes.code import Compiled
from peculiar.kernels.lanes.kernels import WIDTH, _callable
from tests.lanes.interpreter import Interpreted

WAYS = [(True, WIDTH), (False, WIDTH), (False, 4)]
"""Whether loops are unrolled, and lanes of a vector: the ways in which formulas are compiled in these tests."""

_DOUBLES = types.CPointer(types.float64)
_SIGNATURE = types.void(_DOUBLES, _DOUBLES, _DOUBLES, types.int64)


def interpreted(formula, given, numbers, n_out):
    """Results of a formula on NumPy arrays, (n_out, n_rows); NaN where it leaves none."""
    given = np.asarray(given, dtype=float)
    code = Interpreted(given.shape[-1])
    out = code.given(np.full((n_out, given.shape[-1]), np.nan))
    with np.errstate(all="ignore"):
        formula(code, code.given(given), code.numbers(numbers, np.size(numbers)), out)
    return out.places


class CompiledFormula:
    """A formula as machine code; called like ``interpreted``, without the formula."""

    def __init__(self, formula, *, unroll=True, width=WIDTH):
        self.width = width
        self.function = _compile(formula, unroll, width)

    def __call__(self, given, numbers, n_out):
        given = np.asarray(given, dtype=float)
        n_rows = given.shape[-1]
        given = _filled(given.reshape(-1, n_rows), self.width)
        numbers = np.ascontiguousarray(numbers, dtype=float).reshape(-1)
        out = np.full((n_out, given.shape[1]), np.nan)
        pointers = (
            a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in (given, numbers, out)
        )
        self.function.ctypes(*pointers, given.shape[1])
        return out[:, :n_rows]


def _filled(given, width):
    """The last vector filled with copies of the last row."""
    rows = np.minimum(np.arange(-(-given.shape[1] // width) * width), given.shape[1] - 1)
    return np.ascontiguousarray(given[:, rows])


def _compile(formula, unroll, width):
    """The formula as a C function of pointers to ``given``, ``numbers`` and ``out``, and the number of rows."""

    def write(code, given, numbers, out, n_rows):
        code = Compiled(code.builder, width, unroll=unroll)
        for lane in code.loop(0, n_rows, width):
            of_rows, results = (code.rows(a, lane, n_rows) for a in (given, out))
            formula(code, of_rows, code.scalars(numbers, 1), results)

    @intrinsic
    def written(_typing, given, numbers, out, n_rows):
        return _callable((given, numbers, out, n_rows), write, unroll=unroll)

    def run(given, numbers, out, n_rows):
        written(given, numbers, out, n_rows)

    return cfunc(_SIGNATURE, **_jit._OPTIONS)(run)
