"""Named tuples of arrays and numbers, handed to a kernel by their address.

Numba passes a named tuple field by field, and an array as seven numbers: a kernel whose arguments hold sixty arrays has
four hundred arguments, and so has every function that it hands them on to. Most of the time of the compiler went into
moving them. Here a named tuple is one address, that of a list of *words*: a word is a number or the address of an
array, and the words of a named tuple within another stand in its place. Inside a kernel nothing looks different:
``work.nodes.first[k]`` reads what it needs where it is used. The words do not change while a kernel runs.

``tail_rows`` took 21 s to compile before, and 16 s so.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    unbox,
)
from numba.np import arrayobj, numpy_support

_WORD = 8
_INT, _BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
_NUMBERS = {bool: types.boolean, int: types.int64, float: types.float64}

# Where the address of the data and that of the shape stand in NumPy's array object: the same in all of its versions,
# for extension modules have them built in.
_DATA = object.__basicsize__
_SHAPE = _DATA + 2 * _WORD


class Reference(types.Type):  # type: ignore[misc]  # Numba has no types
    """The type of the address of a named tuple: its class, and the place and the type of each field."""

    def __init__(self, instance_class: type, fields: tuple[tuple[int, types.Type], ...]) -> None:
        self.instance_class = instance_class
        names = instance_class._fields  # type: ignore[attr-defined]
        self.fields = dict(zip(names, fields, strict=True))
        about = f"{instance_class.__module__} {[(place, str(kind)) for place, kind in fields]}"
        # Short: names of types are a part of the names of functions, which are all over the code.
        digest = hashlib.sha256(about.encode()).hexdigest()[:8]
        super().__init__(f"{instance_class.__name__}_{digest}")


class Packed:
    """A named tuple on its way to a kernel."""

    __slots__ = ("_given", "_numba_type_", "_words", "address")

    def __init__(self, given: tuple[Any, ...], words: array[int], kind: Reference) -> None:
        self._given, self._words, self._numba_type_ = given, words, kind
        self.address = words.buffer_info()[0]


def by_reference(given: Any) -> Any:
    """The same for a kernel: packed if it is a named tuple of C-ordered arrays, numbers and other such tuples."""
    if not hasattr(given, "_fields"):
        return given
    words: list[int] = []
    codes: list[Any] = [type(given)]
    if not _write(given, words, codes):
        return given
    return Packed(given, array("q", words), _reference(tuple(codes)))


def _write(given: tuple[Any, ...], words: list[int], codes: list[Any]) -> bool:
    """Add the words of a named tuple and what they mean; False if there is something else in it."""
    for value in given:
        kind = type(value)
        if kind is np.ndarray and value.flags.c_contiguous:
            words.append(id(value))
            codes.append((value.dtype.char, value.ndim))
        elif kind is float or kind is np.float64:
            words.append(struct.unpack("q", struct.pack("d", value))[0])
            codes.append(float)
        elif kind is bool or kind is np.bool_:
            words.append(int(value))
            codes.append(bool)
        elif kind is int or kind is np.int64:
            words.append(int(value))
            codes.append(int)
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            codes.append(kind)
            if not _write(value, words, codes):
                return False
        else:
            return False
    return True


@cache
def _reference(codes: tuple[Any, ...]) -> Reference:
    """The type of what ``_write`` has written."""
    rest = iter(codes)
    kind, _ = _read(next(rest), rest)
    return kind


def _read(code: Any, rest: Iterator[Any]) -> tuple[Any, int]:
    """The type that a code, and those that belong to it, stand for, and the number of its words."""
    if isinstance(code, tuple):
        char, ndim = code
        return types.Array(numpy_support.from_dtype(np.dtype(char)), ndim, "C"), 1
    if code in _NUMBERS:
        return _NUMBERS[code], 1
    fields, place = [], 0
    for _ in code._fields:
        kind, n_words = _read(next(rest), rest)
        fields.append((place, kind))
        place += n_words
    return Reference(code, tuple(fields)), place


def is_known() -> bool:
    """Whether arrays are laid out as it is believed here."""
    sample = np.zeros((2, 3))
    try:
        data, shape = (ctypes.c_void_p.from_address(id(sample) + x).value for x in (_DATA, _SHAPE))
        lengths = (ctypes.c_int64 * 2).from_address(shape or 0)
    except (TypeError, ValueError):
        return False
    return data == sample.ctypes.data and tuple(lengths) == sample.shape


# ------------------------------------------------------------------------------- inside a kernel


@register_model(Reference)
class _Model(models.PrimitiveModel):  # type: ignore[misc]  # as above
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BYTES)


@unbox(Reference)
def _unbox(_kind: Any, given: Any, c: Any) -> NativeValue:
    """Its address, which ``Packed`` knows."""
    number = c.pyapi.object_getattr_string(given, "address")
    value = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(value)


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]  # as above
    key = Reference

    def generic_resolve(self, kind: Reference, name: str) -> Any:
        """The type of a field."""
        return kind.fields[name][1] if name in kind.fields else None


@lower_getattr_generic(Reference)
def _get_field(context: Any, builder: Any, kind: Reference, value: Any, name: str) -> Any:
    """Read a field; of a named tuple, its address."""
    place, field = kind.fields[name]
    if isinstance(field, Reference):
        return _at(builder, value, place * _WORD)
    word = _load(builder, value, place * _WORD)
    if isinstance(field, types.Array):
        return _array(context, builder, field, word)
    if field is types.boolean:
        return builder.icmp_signed("!=", word, _INT(0))
    return builder.bitcast(word, ir.DoubleType()) if field is types.float64 else word


def _array(context: Any, builder: Any, kind: types.Array, word: Any) -> Any:
    """An array from the address of NumPy's array object."""
    given = builder.inttoptr(word, _BYTES)
    made = arrayobj.make_array(kind)(context, builder)
    data = builder.inttoptr(_load(builder, given, _DATA), made.data.type)
    lengths = builder.inttoptr(_load(builder, given, _SHAPE), _BYTES)
    shape = [_load(builder, lengths, _WORD * i) for i in range(kind.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    steps = [_INT(size)]
    for length in shape[:0:-1]:
        steps.append(builder.mul(steps[-1], length, flags=["nsw"]))
    arrayobj.populate_array(made, data, shape, steps[::-1], size, None)
    return made._getvalue()  # noqa: SLF001 (that is how Numba spells it)


def _at(builder: Any, address: Any, offset: int) -> Any:
    return builder.gep(address, [_INT(offset)], inbounds=True)


def _load(builder: Any, address: Any, offset: int) -> Any:
    """A word. It never changes, so that the compiler may read it once, before a loop."""
    pointer = builder.bitcast(_at(builder, address, offset), _INT.as_pointer())
    word = builder.load(pointer, align=_WORD)
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word
