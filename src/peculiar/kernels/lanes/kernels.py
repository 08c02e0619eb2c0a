"""The formulas as functions that Numba can call.

Arrays are flat in memory, and those that hold numbers of rows have the ``LANES`` rows of a block along the last axis:

* ``constants`` (K, ``n_constants``) and ``nodes`` (K, d + 1, ``MAX_NODES + N_WILD``, 4): numbers that all rows share;
* ``x`` (d, LANES) and ``noise`` (d or d (d + 1) / 2, LANES): what was measured;
* ``out`` (K, M + 1, LANES): M results for each row and component, and a mark if the row needs care;
* ``weight`` (LANES,) and ``rows`` (3, LANES): of the rows themselves;
* ``sums`` (K, M, WIDTH): results added up, in ``WIDTH`` parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from peculiar.kernels._jit import callback, sources_stamp
from peculiar.kernels.lanes.code import UNROLLED, Compiled, Index
from peculiar.kernels.lanes.exact import MAX_NODES
from peculiar.kernels.lanes.expect import FIRST_LOCATION, Kind, expect_rows
from peculiar.kernels.lanes.share import add_up, log_responsibilities, share_out
from peculiar.kernels.structs import LANES, N_WILD

WIDTH = 8
"""Rows of one vector: those of an AVX2 register."""

_DOUBLES = ir.DoubleType().as_pointer()
_SIGNATURE = types.void(*[types.CPointer(types.float64)] * 5, types.int64)
_serial = itertools.count()


def n_constants(d: int) -> int:
    """Numbers of a component that all rows share."""
    return FIRST_LOCATION + d + 3 * d * d


def _function(builder: Any, kind: Any, unroll: bool, write: Callable[..., None]) -> Any:
    """A function with a body that ``write(code, *arguments)`` gives it."""
    function = ir.Function(builder.module, kind, f"lanes.{next(_serial)}")
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("nounwind")
    inside = ir.IRBuilder(function.append_basic_block("entry"))
    arguments = []
    for argument in function.args:
        if argument.type == _DOUBLES:
            argument.add_attribute("noalias")
            arguments.append(argument)
        else:
            arguments.append(Index(inside, argument))
    write(Compiled(inside, WIDTH, unroll=unroll), *arguments)
    inside.ret_void()
    return function


def _passed(context: Any, builder: Any, kinds: Any, values: Any) -> list[Any]:
    """Arrays by their data, pointers and whole numbers as they are; other arguments were there for their type only."""
    passed = []
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, types.Array):
            passed.append(context.make_array(kind)(context, builder, value).data)
        elif isinstance(kind, types.Integer | types.CPointer):
            passed.append(value)
    return passed


def _callable(
    arguments: tuple[Any, ...], write: Callable[..., None], *, unroll: bool = False
) -> Any:
    """What an intrinsic answers to Numba: its signature, and how to call the function ``write`` stands for."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        passed = _passed(context, builder, signature.args, values)
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in passed])
        builder.call(_function(builder, kind, unroll, write), passed)
        return context.get_dummy_value()

    return types.void(*arguments), generate


@intrinsic(prefer_literal=True)
def _expect_written(
    _typing: Any, name: Any, constants: Any, nodes: Any, x: Any, noise: Any, out: Any, n_rows: Any
) -> Any:
    """``expect_rows`` for a block, with the code that ``name`` stands for."""
    _, rule, noise_kind, n_features, *flags = name.literal_value.split()
    kind = Kind(rule, noise_kind, int(n_features), *(bool(int(flag)) for flag in flags))

    def write(
        code: Compiled, constants: Any, nodes: Any, x: Any, noise: Any, out: Any, n_rows: Any
    ) -> None:
        for lane in code.loop(0, n_rows, WIDTH):
            expect_rows(
                code,
                kind,
                code.scalars(constants, n_constants(kind.n_features)),
                code.scalars(nodes, MAX_NODES + N_WILD, 4),
                code.rows(x, lane, LANES),
                code.rows(noise, lane, LANES),
                code.rows(out, lane, LANES),
            )

    arguments = (name, constants, nodes, x, noise, out, n_rows)
    return _callable(arguments, write, unroll=kind.n_features <= UNROLLED)


@lru_cache
def expect_function(kind: Kind) -> Any:
    """The compiled code of this kind, made now or found on disk; its ``address`` is for ``expect_lanes``.

    A function of its own, and not a part of the entry points: these are then the same for any number of features.
    """
    # The digest of the sources is a part of the name, and the name of the key under which the code is kept.
    name = " ".join([sources_stamp(), *(str(int(x) if isinstance(x, bool) else x) for x in kind)])

    def expect(constants, nodes, x, noise, out, n_rows):
        _expect_written(name, constants, nodes, x, noise, out, n_rows)

    return callback(_SIGNATURE)(expect)


@intrinsic
def expect_lanes(
    _typing: Any,
    address: Any,
    constants: Any,
    nodes: Any,
    x: Any,
    noise: Any,
    out: Any,
    n_rows: Any,
) -> Any:
    """Call the function at this address on the rows of a block, for one component."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        passed = _passed(context, builder, signature.args[1:], values[1:])
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in passed])
        builder.call(builder.inttoptr(values[0], kind.as_pointer()), passed)
        return context.get_dummy_value()

    return types.void(address, constants, nodes, x, noise, out, n_rows), generate


@intrinsic
def share_lanes(
    _typing: Any, log_norm: Any, weight: Any, rows: Any, out: Any, n_results: Any, n: Any
) -> Any:
    """``share_out`` for a block, n components."""

    def write(
        code: Compiled, log_norm: Any, weight: Any, rows: Any, out: Any, n_results: Any, n: Any
    ) -> None:
        norms = code.scalars(log_norm, 1)
        for lane in code.loop(0, LANES, WIDTH):
            weight_, rows_, out_ = (code.rows(a, lane, LANES) for a in (weight, rows, out))
            share_out(code, n_results, n, norms, weight_, rows_, out_)

    return _callable((log_norm, weight, rows, out, n_results, n), write)


@intrinsic
def log_share_lanes(
    _typing: Any, log_norm: Any, rows: Any, out: Any, n_results: Any, n: Any
) -> Any:
    """``log_responsibilities`` for a block, n components."""

    def write(code: Compiled, log_norm: Any, rows: Any, out: Any, n_results: Any, n: Any) -> None:
        norms = code.scalars(log_norm, 1)
        for lane in code.loop(0, LANES, WIDTH):
            rows_, out_ = (code.rows(a, lane, LANES) for a in (rows, out))
            log_responsibilities(code, n_results, n, norms, rows_, out_)

    return _callable((log_norm, rows, out, n_results, n), write)


@intrinsic
def add_lanes(_typing: Any, out: Any, sums: Any, n_results: Any, n: Any) -> Any:
    """``add_up`` for a block, n components."""

    def write(code: Compiled, out: Any, sums: Any, n_results: Any, n: Any) -> None:
        zero = Index(code.builder, ir.IntType(64)(0))
        parts = [code.rows(out, zero + lane, LANES) for lane in range(0, LANES, WIDTH)]
        add_up(code, n_results, n, parts, code.rows(sums, zero, WIDTH))

    return _callable((out, sums, n_results, n), write)
