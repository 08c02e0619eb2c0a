"""A small language for vector code: formulas in plain Python, compiled to straight-line instructions.

A *formula* is an ordinary function whose first argument is ``code``. It is run once, when a kernel is compiled; what it
does to its values (:class:`Lanes`, one number for each of several rows) is not computed but written down as
instructions. Python's own loops over features therefore leave no loop behind, arrays indexed by plain numbers
live in registers, and every instruction works on ``code.width`` rows. The same formulas run on NumPy arrays in the
tests, with an interpreter in the place of :class:`Compiled`; a formula may use only what both have:

* ``+ - * /`` and comparisons of values with each other and with numbers, ``& | ~`` of the masks these give;
* ``code.sqrt exp log maximum minimum where absolute``;
* ``code.array(shape)``, memory to read and write by index, and ``code.cell(value)``, one such place;
* ``for i in code.span(first, last)`` over features: unrolled if there are few, else a loop in the compiled code;
  what one pass leaves to the next must be kept in an array or a cell, and nothing may ``break``;
* ``for n in code.repeat(most)`` with ``code.stop_when_all(mask)`` in it: ends after a pass in which all lanes agree;
* ``for _ in code.only_if_any(mask)``: its body is skipped when no lane wants it, done on all lanes otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from peculiar.kernels.lanes import elementary

_DOUBLE = ir.DoubleType()
_INT = ir.IntType(64)
_FLAGS = ("contract", "nsz")  # fused multiply-add, nothing else: see _jit

UNROLLED = 8
"""Up to so many features, loops over features are unrolled."""


class Index:
    """A whole number known only when the code runs: a loop's counter."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _combine(self, verb: str, left: Any, right: Any) -> Index:
        left, right = (x.value if isinstance(x, Index) else _INT(x) for x in (left, right))
        return Index(self.builder, getattr(self.builder, verb)(left, right))

    def __add__(self, other: Any) -> Index:
        return self._combine("add", self, other)

    def __radd__(self, other: Any) -> Index:
        return self._combine("add", other, self)

    def __sub__(self, other: Any) -> Index:
        return self._combine("sub", self, other)

    def __rsub__(self, other: Any) -> Index:
        return self._combine("sub", other, self)

    def __mul__(self, other: Any) -> Index:
        return self._combine("mul", self, other)

    def __rmul__(self, other: Any) -> Index:
        return self._combine("mul", other, self)

    def __floordiv__(self, other: Any) -> Index:
        return self._combine("sdiv", self, other)


class _Vector:
    """A vector of the compiled code, and who writes what is done to it."""

    def __init__(self, code: Compiled, value: Any) -> None:
        self.code, self.value = code, value


class Mask(_Vector):
    """Yes or no for each lane."""

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.code, self.code.builder.and_(self.value, other.value))

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.code, self.code.builder.or_(self.value, other.value))

    def __invert__(self) -> Mask:
        return Mask(self.code, self.code.builder.not_(self.value))


class Bits(_Vector):
    """The bits of a number for each lane, as a whole number."""

    def _combine(self, verb: str, other: Any) -> Bits:
        value = other.value if isinstance(other, Bits) else self.code.splat(_INT, other)
        return Bits(self.code, getattr(self.code.builder, verb)(self.value, value))

    def __add__(self, other: Any) -> Bits:
        return self._combine("add", other)

    def __sub__(self, other: Any) -> Bits:
        return self._combine("sub", other)

    def __or__(self, other: Any) -> Bits:
        return self._combine("or_", other)

    def __lshift__(self, other: Any) -> Bits:
        return self._combine("shl", other)

    def __rshift__(self, other: Any) -> Bits:
        return self._combine("ashr", other)


class Lanes(_Vector):
    """A number for each lane."""

    def _combine(self, verb: str, left: Any, right: Any) -> Lanes:
        values = [self.code.lanes(x).value for x in (left, right)]
        return Lanes(self.code, getattr(self.code.builder, verb)(*values, flags=_FLAGS))

    def _compare(self, sign: str, other: Any) -> Mask:
        values = self.value, self.code.lanes(other).value
        return Mask(self.code, self.code.builder.fcmp_ordered(sign, *values))

    def __add__(self, other: Any) -> Lanes:
        return self._combine("fadd", self, other)

    def __radd__(self, other: Any) -> Lanes:
        return self._combine("fadd", other, self)

    def __sub__(self, other: Any) -> Lanes:
        return self._combine("fsub", self, other)

    def __rsub__(self, other: Any) -> Lanes:
        return self._combine("fsub", other, self)

    def __mul__(self, other: Any) -> Lanes:
        return self._combine("fmul", self, other)

    def __rmul__(self, other: Any) -> Lanes:
        return self._combine("fmul", other, self)

    def __truediv__(self, other: Any) -> Lanes:
        return self._combine("fdiv", self, other)

    def __rtruediv__(self, other: Any) -> Lanes:
        return self._combine("fdiv", other, self)

    def __neg__(self) -> Lanes:
        return Lanes(self.code, self.code.builder.fneg(self.value, flags=_FLAGS))

    def __lt__(self, other: Any) -> Mask:
        return self._compare("<", other)

    def __gt__(self, other: Any) -> Mask:
        return self._compare(">", other)

    def __ge__(self, other: Any) -> Mask:
        return self._compare(">=", other)


class Memory:
    """Places to read and write by index; ``address`` gives the pointer to the n-th."""

    def __init__(
        self,
        code: Compiled,
        shape: tuple[int, ...],
        address: Callable[[Any], Any],
        align: int,
        *,
        scalar: bool = False,
    ) -> None:
        self.code, self.shape, self.address = code, shape, address
        self.align, self.scalar = align, scalar

    def part(self, first: int, *shape: int) -> Memory:
        """The same places, counted from ``first`` on."""
        return Memory(
            self.code,
            shape,
            lambda place: self.address(place + first),
            self.align,
            scalar=self.scalar,
        )

    def _pointer(self, index: Any) -> Any:
        indices = index if isinstance(index, tuple) else (index,)
        place = indices[0]
        for length, i in zip(self.shape[1:], indices[1:], strict=True):
            place = place * length + i
        return self.address(place)

    def __getitem__(self, index: Any) -> Lanes:
        value = self.code.builder.load(self._pointer(index), align=self.align)
        return self.code.broadcast(value) if self.scalar else Lanes(self.code, value)

    def __setitem__(self, index: Any, value: Any) -> None:
        lanes = self.code.lanes(value)
        self.code.builder.store(lanes.value, self._pointer(index), align=self.align)


class Cell:
    """One place."""

    def __init__(self, memory: Memory, value: Any) -> None:
        self._memory = memory
        self.value = value

    @property
    def value(self) -> Any:
        """What is there now."""
        return self._memory[0]

    @value.setter
    def value(self, value: Any) -> None:
        self._memory[0] = value


class Compiled:
    """Writes LLVM instructions into a function.

    Parameters
    ----------
    builder : llvmlite.ir.IRBuilder
        At the end of an open block.
    width : int
        Lanes of one vector.
    unroll : bool
        Whether loops over features leave no loop behind.
    """

    def __init__(self, builder: Any, width: int, *, unroll: bool) -> None:
        self.builder, self.width, self.unroll = builder, width, unroll
        self.vector = ir.VectorType(_DOUBLE, width)
        self._stop: Any = None

    # ------------------------------------------------------------------------------- values

    def splat(self, kind: Any, number: float) -> Any:
        """A constant on all lanes."""
        return ir.Constant(ir.VectorType(kind, self.width), [number] * self.width)

    def lanes(self, x: Any) -> Lanes:
        """A value, also from a plain number."""
        return x if isinstance(x, Lanes) else Lanes(self, self.splat(_DOUBLE, float(x)))

    def broadcast(self, scalar: Any) -> Lanes:
        """One number of the running code, on all lanes."""
        nothing = ir.Constant(self.vector, ir.Undefined)
        one = self.builder.insert_element(nothing, scalar, ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self.width), [0] * self.width)
        return Lanes(self, self.builder.shuffle_vector(one, nothing, zeros))

    def _call(self, name: str, x: Any) -> Lanes:
        """A function of LLVM's own."""
        function = cgutils.get_or_insert_function(
            self.builder.module,
            ir.FunctionType(self.vector, [self.vector]),
            f"llvm.{name}.v{self.width}f64",
        )
        return Lanes(self, self.builder.call(function, [self.lanes(x).value]))

    def sqrt(self, x: Any) -> Lanes:
        """Square root."""
        return self._call("sqrt", x)

    def absolute(self, x: Any) -> Lanes:
        """Without its sign."""
        return self._call("fabs", x)

    def maximum(self, x: Any, y: Any) -> Lanes:
        """The larger; y where x is NaN."""
        return self.where(self.lanes(x) > y, x, y)

    def minimum(self, x: Any, y: Any) -> Lanes:
        """The smaller; y where x is NaN."""
        return self.where(self.lanes(x) < y, x, y)

    def where(self, mask: Mask, yes: Any, no: Any) -> Lanes:
        """One or the other."""
        values = self.lanes(yes).value, self.lanes(no).value
        return Lanes(self, self.builder.select(mask.value, *values))

    def exp(self, x: Any) -> Lanes:
        """Exponential of x; 0 below -700."""
        return elementary.exp(self, x)

    def log(self, x: Any) -> Lanes:
        """Logarithm of a positive, normal x."""
        return elementary.log(self, x)

    def bits(self, x: Lanes) -> Bits:
        """The bits of a number."""
        return Bits(self, self.builder.bitcast(x.value, ir.VectorType(_INT, self.width)))

    def of_bits(self, x: Bits) -> Lanes:
        """The number with these bits."""
        return Lanes(self, self.builder.bitcast(x.value, self.vector))

    # ------------------------------------------------------------------------------- memory

    def array(self, *shape: int) -> Memory:
        """New places, whose content is not defined."""
        size = 1
        for length in shape:
            size *= length
        with self.builder.goto_entry_block():
            base = self.builder.alloca(self.vector, size=_INT(max(size, 1)))
        return Memory(self, shape, lambda place: self._offset(base, place), 8 * self.width)

    def cell(self, value: Any) -> Cell:
        """One place, with its first value."""
        return Cell(self.array(1), value)

    def scalars(self, base: Any, *shape: int) -> Memory:
        """Numbers that all lanes share, at a pointer to doubles."""
        return Memory(self, shape, lambda place: self._offset(base, place), 8, scalar=True)

    def rows(self, base: Any, lane: Index, stride: int) -> Memory:
        """Numbers of the lanes from ``lane`` on; those of the next index are ``stride`` doubles further."""

        def address(place: Any) -> Any:
            pointer = self._offset(base, place * stride + lane)
            return self.builder.bitcast(pointer, self.vector.as_pointer())

        return Memory(self, (1,), address, 8)

    def _offset(self, base: Any, place: Any) -> Any:
        place = place.value if isinstance(place, Index) else _INT(place)
        return self.builder.gep(base, [place], inbounds=True)

    # ------------------------------------------------------------------------------- control

    def span(self, first: Any, last: Any) -> Iterator[Any]:
        """Indices from ``first`` to before ``last``: a loop over features."""
        return iter(range(first, last)) if self.unroll else self.loop(first, last)

    def total(self, first: Any, last: Any, term: Callable[[Any], Any]) -> Lanes:
        """Sum of ``term(i)`` over a span."""
        result = self.cell(0.0)
        for i in self.span(first, last):
            result.value = term(i) + result.value
        return result.value

    def loop(self, first: Any, last: Any, step: int = 1) -> Iterator[Index]:
        """A loop in the compiled code."""
        first, last = (x.value if isinstance(x, Index) else _INT(x) for x in (first, last))
        head, body, after = self._blocks("head", "body", "after")
        before = self.builder.block
        self.builder.branch(head)
        self.builder.position_at_end(head)
        counter = self.builder.phi(_INT)
        counter.add_incoming(first, before)
        self.builder.cbranch(self.builder.icmp_signed("<", counter, last), body, after)
        self.builder.position_at_end(body)
        yield Index(self.builder, counter)
        counter.add_incoming(self.builder.add(counter, _INT(step)), self.builder.block)
        self.builder.branch(head)
        self.builder.position_at_end(after)

    def repeat(self, most: int) -> Iterator[Index]:
        """Passes 0, 1, ... until ``stop_when_all`` ends them, at most so many."""
        body, after = self._blocks("pass", "done")
        before = self.builder.block
        self.builder.branch(body)
        self.builder.position_at_end(body)
        counter = self.builder.phi(_INT)
        counter.add_incoming(_INT(0), before)
        outer, self._stop = self._stop, ir.IntType(1)(0)
        yield Index(self.builder, counter)
        following = self.builder.add(counter, _INT(1))
        counter.add_incoming(following, self.builder.block)
        too_many = self.builder.icmp_signed(">=", following, _INT(most))
        self.builder.cbranch(self.builder.or_(self._stop, too_many), after, body)
        self._stop = outer
        self.builder.position_at_end(after)

    def stop_when_all(self, mask: Mask) -> None:
        """End the passes of ``repeat`` after this one if the mask holds on all lanes."""
        self._stop = self._truth(~mask, "==")

    def only_if_any(self, mask: Mask) -> Iterator[None]:
        """One pass, or none if the mask holds on no lane."""
        body, after = self._blocks("some", "none")
        self.builder.cbranch(self._truth(mask, "!="), body, after)
        self.builder.position_at_end(body)
        yield
        self.builder.branch(after)
        self.builder.position_at_end(after)

    def _truth(self, mask: Mask, sign: str) -> Any:
        """Compare the lanes' truths, as bits of one number, with 0."""
        kind = ir.IntType(self.width)
        return self.builder.icmp_unsigned(sign, self.builder.bitcast(mask.value, kind), kind(0))

    def _blocks(self, *names: str) -> list[Any]:
        return [self.builder.append_basic_block(name) for name in names]
