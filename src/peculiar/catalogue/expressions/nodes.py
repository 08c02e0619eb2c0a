"""What an expression of columns is made of. Printing a node and reading it again gives the same node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

FUNCTIONS = ("log10", "log", "ln", "sqrt", "exp")
ASINHMAG = "asinhmag"
"""The function that has a constant besides."""


@dataclass(frozen=True)
class Number:
    """A constant; ``whole`` if it was written as a whole number, of which a float may not keep all digits."""

    value: float
    whole: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Column:
    """The values of a column."""

    name: str

    def __str__(self) -> str:
        return self.name if is_plain(self.name) else f"`{self.name}`"


@dataclass(frozen=True)
class Negative:
    """-x."""

    of: Node

    def __str__(self) -> str:
        return f"-{_wrapped(self.of)}"


@dataclass(frozen=True)
class Binary:
    """x + y, x - y, x * y, x / y."""

    operator: str
    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{_wrapped(self.left)} {self.operator} {_wrapped(self.right)}"


@dataclass(frozen=True)
class Power:
    """x to a constant power."""

    base: Node
    exponent: float

    def __str__(self) -> str:
        return f"{_wrapped(self.base)}^({self.exponent!r})"


@dataclass(frozen=True)
class Call:
    """A function of x, perhaps with a constant: ``asinhmag(x, b)``."""

    function: str
    argument: Node
    constant: float | None = None

    def __str__(self) -> str:
        more = "" if self.constant is None else f", {self.constant!r}"
        return f"{self.function}({self.argument}{more})"


Node: TypeAlias = Number | Column | Negative | Binary | Power | Call


def is_plain(name: str) -> bool:
    """Whether a column can be named without back-quotes.

    Examples
    --------
    >>> is_plain("u_mag"), is_plain("phot.g"), is_plain("B-V"), is_plain("2mass")
    (True, True, False, False)
    """
    head, *others = name.split(".")
    return head.isidentifier() and all(f"_{part}".isidentifier() for part in others)


def height_of(node: Node) -> int:
    """How many operations stand upon one another; without recursion, which a high tree would exhaust.

    Examples
    --------
    >>> height_of(Column("u")), height_of(Negative(Binary("+", Column("u"), Number(1.0))))
    (1, 3)
    """
    height, level = 0, [node]
    while level:
        height += 1
        level = [inner for each in level for inner in parts_of(each)]
    return height


def parts_of(node: Node) -> tuple[Node, ...]:
    """What an operation is made of."""
    match node:
        case Negative(inner) | Power(inner, _) | Call(_, inner):
            return (inner,)
        case Binary(_, left, right):
            return left, right
    return ()


def columns_of(node: Node) -> list[str]:
    """Names of the columns in an expression, in the order in which they occur, each once."""
    return list(dict.fromkeys(_walk(node)))


def _walk(node: Node) -> Iterator[str]:
    match node:
        case Column(name):
            yield name
        case Negative(of):
            yield from _walk(of)
        case Binary(_, left, right):
            yield from _walk(left)
            yield from _walk(right)
        case Power(inner, _) | Call(_, inner, _):
            yield from _walk(inner)


def _wrapped(node: Node) -> str:
    return str(node) if isinstance(node, Column | Call) else f"({node})"
