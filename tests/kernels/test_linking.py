"""Parts of a kernel are linked into its entry point, and nothing else is made of them."""

import numpy as np
import pytest
from numba import njit
from numba.core.compiler import Compiler

from peculiar.kernels._jit import kernel
from peculiar.kernels._linking import PARTS, WHOLE


@kernel
def _square(x):
    return x * x


@kernel
def _sum_of_squares(values):
    total = 0.0
    for value in values:
        total += _square(value)
    return total


@njit(pipeline_class=WHOLE, _nrt=False)  # not kept on disk: then there would be no parts
def _entry(values, out):
    """Calls a part that calls a part."""
    out[0] = _sum_of_squares(values) + _square(2.0)


@pytest.fixture(scope="module")
def code():
    """The compiled parts, by name."""
    out = np.zeros(1)
    _entry(np.array([1.0, 3.0]), out)
    assert out[0] == 14.0
    return {f.__name__: next(iter(f.overloads.values())) for f in (_square, _sum_of_squares)}


def test_parts_have_no_machine_code(code):
    for result in code.values():
        name = result.fndesc.llvm_func_name
        assert result.library.get_pointer_to_function(name) == 0


def test_a_part_is_nothing_but_itself(code):
    names = [f.name for f in code["_sum_of_squares"].library.get_defined_functions()]
    assert any("_sum_of_squares" in name for name in names)
    assert not any("_square" in name and "_sum" not in name for name in names)


def test_this_numba_is_known():
    assert PARTS is not Compiler
    assert WHOLE is not Compiler
