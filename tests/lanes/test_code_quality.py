"""What the compiled code is made of: packed arithmetic, no calls that work on one lane at a time."""

import re

import pytest
from numba import cfunc

from peculiar.kernels import _jit
from peculiar.kernels.lanes.code import UNROLLED
from peculiar.kernels.lanes.expect import Kind
from peculiar.kernels.lanes.kernels import _SIGNATURE, WIDTH, expect_function

VECTOR = f"<{WIDTH} x double>"
# LLVM has instructions for these; of others, such as llvm.exp, it would make calls for each lane.
INSTRUCTIONS = {f"llvm.{name}.v{WIDTH}f64" for name in ("sqrt", "fabs")}
INSTRUCTIONS.add("llvm.smax.i64")  # of an index, in older versions of LLVM
MEMORY = ("llvm.memset.", "llvm.memcpy.", "llvm.lifetime.")

KINDS = [
    Kind("exact", "full", 3, aligned=False, with_moments=True),
    Kind("exact", "diagonal", 2, aligned=True, with_moments=False),
    Kind("exact", "diagonal", 9, aligned=False, with_moments=True),
    Kind("peak", "diagonal", 4, aligned=False, with_moments=True),
    Kind("gaussian", "full", 3, aligned=False, with_moments=True),
    Kind("student", "none", 3, aligned=False, with_moments=True),
]


@pytest.fixture(params=KINDS, ids=str, scope="module")
def kind_and_text(request):
    """LLVM's optimised text. Compiled anew: code that was found on disk cannot be inspected."""
    expect = expect_function(request.param)._pyfunc
    return request.param, cfunc(_SIGNATURE, **_jit._OPTIONS)(expect).inspect_llvm()


def operations(text, kind):
    return re.findall(rf"= (f\w+) (?:contract |nsz )*{re.escape(kind)}", text)


def test_arithmetic_is_packed(kind_and_text):
    kind, text = kind_and_text
    packed = operations(text, VECTOR)
    assert {"fmul", "fadd", "fsub", "fdiv"} <= set(packed)
    assert len(packed) > 20 * kind.n_features
    # what all rows share may be reckoned with once, before it is spread over the lanes
    assert len(operations(text, "double")) < 0.05 * len(packed)


def test_no_function_is_called_for_each_lane(kind_and_text):
    _, text = kind_and_text
    called = set(re.findall(r"call [^@\n]*@\"?([\w.$]+)", text))
    own = {name for name in called if name.startswith(("lanes.", "_ZN8peculiar"))}
    memory = {name for name in called if name.startswith(MEMORY)}
    assert own  # the names are read rightly
    assert called - own - memory <= INSTRUCTIONS


def test_unrolled_code_keeps_its_values_in_registers(kind_and_text):
    kind, text = kind_and_text
    in_memory = re.findall(rf"alloca [^\n]*{re.escape(VECTOR)}", text)
    assert (kind.n_features > UNROLLED) == bool(in_memory)
