"""Conditions on rows: ``class == 'QSO' and r < 19``. Nothing is ever evaluated as Python.

::

    condition:  all or all ...
    all:        one and one ...
    one:        not one | sum [== != < <= > >= sum or 'text']
    atom:       as in features, and ( condition )

A value that is missing makes a comparison neither true nor false; a row is chosen only if its condition is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import close, cut, listed
from peculiar.catalogue.columns.numeric import numbers
from peculiar.catalogue.expressions.elements import with_elements
from peculiar.catalogue.expressions.grammar import Parser
from peculiar.catalogue.expressions.nodes import Column, Node, Number, columns_of, parts_of
from peculiar.catalogue.expressions.propagate import Watch, evaluate
from peculiar.catalogue.expressions.tokens import NAME, NUMBER, Token, split
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

COMPARISONS = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
ALLOWED = "allowed are columns, numbers, 'text', + - * / ^ ( ), == != < <= > >=, and, or, not"

_TOKEN = re.compile(
    rf"(?P<number>{NUMBER})|(?P<name>{NAME})|`(?P<quoted>[^`]*)`"
    r"|'(?P<text>[^']*)'|\"(?P<text2>[^\"]*)\"|(?P<sign>\*\*|[=!<>]=|[-+*/^(),<>])"
)
_INSTEAD = {"=": "==", "&": "and", "|": "or", "!": "not", "~": "not"}


@dataclass(frozen=True)
class Text:
    """A word in quotes."""

    value: str


@dataclass(frozen=True)
class Compare:
    """x < y."""

    operator: str
    left: Part
    right: Part


@dataclass(frozen=True)
class Not:
    """not x."""

    of: Part


@dataclass(frozen=True)
class Several:
    """x and y and ..., or x or y or ..."""

    operator: str
    parts: tuple[Part, ...]


Part: TypeAlias = Node | Text | Compare | Not | Several


@dataclass(frozen=True)
class Truth:
    """Which rows a condition is true for, and for which it is known."""

    is_true: NDArray[np.bool_]
    is_known: NDArray[np.bool_]


def parse_condition(text: str) -> Part:
    """A condition from its text.

    Examples
    --------
    >>> parse_condition("class == 'QSO' and r = 19")
    Traceback (most recent call last):
        ...
    peculiar.errors.CatalogueError: '=' has no meaning here, write ==; allowed are columns, ...
      class == 'QSO' and r = 19
                           ^
    """
    return _Conditions(text).condition()


def columns_in(part: Part) -> list[str]:
    """Names of the columns in a condition, each once."""
    return list(dict.fromkeys(_names(part)))


def choose_rows(table: Table, where: str) -> NDArray[np.bool_]:
    """The rows of a table for which a condition is true.

    Parameters
    ----------
    table : astropy.table.Table
    where : str

    Returns
    -------
    ndarray of bool
    """
    part = parse_condition(where)
    names = columns_in(part)
    _refuse_unknown(names, table.colnames, where)
    found = _truth(part, with_elements(table, names, of_values=names), where)
    return found.is_true & found.is_known


def row_numbers(table: Table, where: str) -> NDArray[np.intp]:
    """The numbers of the rows for which a condition is true; CatalogueError if there are none.

    Parameters
    ----------
    table : astropy.table.Table
    where : str
    """
    numbers = np.flatnonzero(choose_rows(table, where))
    if not len(numbers):
        raise CatalogueError(f"where {where}: no row of {len(table):,} is chosen")
    return numbers


class _Conditions(Parser):
    """The grammar of features, with comparisons above sums."""

    def __init__(self, text: str) -> None:
        if not text.strip():
            raise CatalogueError("where is a condition such as \"class == 'QSO' and r < 19\"")
        self.text = text
        self.tokens = _tokens_of(text)
        self.next = 0
        self.depth = 0

    def condition(self) -> Part:
        part = self.anything()
        if self.token.kind != "end":
            raise self.unexpected("and, or, a comparison or the end")
        return part

    def anything(self) -> Part:
        return self.several("or", lambda: self.several("and", self.one))

    def several(self, word: str, parse: Any) -> Part:
        parts = [parse()]
        while self.take_word(word):
            parts.append(parse())
            self.refuse_long(len(parts))
        return parts[0] if len(parts) == 1 else Several(word, tuple(parts))

    def one(self) -> Part:
        negations = 0
        while self.take_word("not"):
            negations += 1
        part = self.comparison()
        return Not(part) if negations % 2 else part

    def comparison(self) -> Part:
        start = self.token.position
        left = self.side()
        if not isinstance(left, Text | Compare | Not | Several):
            self.refuse_high(left, start)
        operator = self.take(*COMPARISONS)
        return Compare(operator, left, self.side()) if operator else left

    def side(self) -> Part:
        token = self.token
        if token.kind == "text":
            self.next += 1
            return Text(token.text)
        return self.sum()

    def inside(self, opening: Token) -> Node:
        """What is in parentheses may be a condition; whether it may stand there is found out by its kind."""
        self.go_deeper(opening)
        part = self.anything()
        self.close(opening)
        return part  # type: ignore[return-value]

    def take_word(self, word: str) -> bool:
        token = self.token
        if token.kind != "name" or token.text.lower() != word:
            return False
        self.next += 1
        return True


def _tokens_of(text: str) -> list[Token]:
    """The words of a condition; text in either kind of quotes is the same."""
    words = split(text, _TOKEN, _refusal)
    return [replace(word, kind="text") if word.kind == "text2" else word for word in words]


def _refusal(letter: str) -> str:
    quoted = letter in "'\"`"
    what = "this quote is not closed" if quoted else f"{letter!r} has no meaning here"
    hint = f", write {_INSTEAD[letter]}" if letter in _INSTEAD else ""
    return f"{what}{hint}; {ALLOWED}"


def _names(part: Any) -> Iterator[str]:
    match part:
        case Text():
            return
        case Compare(_, left, right):
            yield from _names(left)
            yield from _names(right)
        case Not(of):
            yield from _names(of)
        case Several(_, parts):
            for each in parts:
                yield from _names(each)
        case _:
            yield from columns_of(part)


def _refuse_unknown(names: list[str], available: list[str], where: str) -> None:
    from peculiar.catalogue.expressions.elements import base_of

    known = set(available)
    for name in names:
        if base_of(name, known) not in known:
            similar = close(name, available)
            hint = (
                f"did you mean {' or '.join(similar)}"
                if similar
                else f"there are {listed(available)}"
            )
            raise CatalogueError(
                f"where {cut(where)!r}: there is no column {cut(name)!r}; {hint}? "
                f"(A word goes in quotes: '{cut(name)}')"
            )


def _truth(part: Part, table: Table, where: str) -> Truth:
    match part:
        case Compare(operator, left, right):
            return _compared(operator, left, right, table, where)
        case Not(of):
            found = _truth(of, table, where)
            return Truth(~found.is_true, found.is_known)
        case Several(operator, parts):
            truths = [_truth(each, table, where) for each in parts]
            return _all(truths) if operator == "and" else _any(truths)
        case Column(name) if getattr(table[name].dtype, "kind", "") == "b":
            known = ~np.broadcast_to(np.asarray(getattr(table[name], "mask", False)), len(table))
            return Truth(np.asarray(table[name]).astype(bool), known)
    raise CatalogueError(
        f"where {cut(where)!r}: {_word(part)} is neither true nor false; compare it with something, as in r < 19"
    )


def _all(truths: list[Truth]) -> Truth:
    """False if one is false, whatever is not known."""
    no = np.any([~truth.is_true & truth.is_known for truth in truths], axis=0)
    yes = np.all([truth.is_true & truth.is_known for truth in truths], axis=0)
    return Truth(yes, yes | no)


def _any(truths: list[Truth]) -> Truth:
    """True if one is true, whatever is not known."""
    yes = np.any([truth.is_true & truth.is_known for truth in truths], axis=0)
    no = np.all([~truth.is_true & truth.is_known for truth in truths], axis=0)
    return Truth(yes, yes | no)


def _compared(operator: str, left: Part, right: Part, table: Table, where: str) -> Truth:
    if any(isinstance(side, Text) or _is_text(side, table) for side in (left, right)):
        return _compared_text(operator, left, right, table, where)
    if all(_is_whole(side, table) for side in (left, right)):
        return _compared_whole(operator, left, right, table)
    (one, unit), (other, its_unit) = (_numbers(side, table, where) for side in (left, right))
    found = units.common(unit, its_unit)
    if found is None:
        raise CatalogueError(
            f"where {cut(where)!r}: {_word(left)} is in {units.word(unit)}, {_word(right)} in {units.word(its_unit)}: "
            "they cannot be compared"
        )
    with np.errstate(invalid="ignore"):
        return Truth(
            COMPARISONS[operator](one, other * found[1]), ~np.isnan(one) & ~np.isnan(other)
        )


def _is_whole(part: Part, table: Table) -> bool:
    """Whether it is a number as it stands, of which a float would lose digits: identifiers have 19."""
    if isinstance(part, Column):
        column = table[part.name]
        return getattr(column.dtype, "kind", "") in "iu" and not units.unit_of(column)
    return isinstance(part, Number) and part.whole is not None


def _compared_whole(operator: str, left: Part, right: Part, table: Table) -> Truth:
    """Digit by digit."""
    known, sides = np.ones(len(table), dtype=bool), list[Any]()
    for part in (left, right):
        if isinstance(part, Number):
            sides.append(part.whole)
        elif isinstance(part, Column):
            sides.append(np.asarray(table[part.name]))
            known = known & ~np.asarray(getattr(table[part.name], "mask", False))
    return Truth(np.broadcast_to(COMPARISONS[operator](*sides), len(table)), known)


def _compared_text(operator: str, left: Part, right: Part, table: Table, where: str) -> Truth:
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, Text) and not _is_text(side, table):
            raise CatalogueError(
                f"where {cut(where)!r}: {_word(side)} is a number and {_word(other)} is text; numbers stand without "
                "quotes, and text in quotes"
            )
    if operator not in {"==", "!="}:
        raise CatalogueError(f"where {cut(where)!r}: text can be compared with == and != only")
    words, masks = zip(*(_words(side, table) for side in (left, right)), strict=True)
    return Truth(COMPARISONS[operator](*words), ~(masks[0] | masks[1]))


def _is_text(part: Part, table: Table) -> bool:
    return isinstance(part, Column) and getattr(table[part.name].dtype, "kind", "") in "USO"


def _words(part: Any, table: Table) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Text without blanks around it, which FITS does not keep, and where it is missing."""
    n = len(table)
    if isinstance(part, Text):
        return np.full(n, part.value.strip()), np.zeros(n, dtype=bool)
    column = table[part.name]
    words = np.array([str(cell).strip() for cell in np.asarray(column)], dtype=np.str_)
    return words, np.broadcast_to(np.asarray(getattr(column, "mask", False)), n)


def _numbers(part: Part, table: Table, where: str) -> tuple[NDArray[np.float64], Any]:
    """The value of an expression without errors, NaN where it is missing, and its unit."""
    if not _is_arithmetic(part):
        raise CatalogueError(
            f"where {cut(where)!r}: a comparison, or text, stands where a number should be; write a < b and b < c for "
            "a < b < c"
        )
    node: Any = part
    names = columns_of(node)
    columns = MeasuredColumns(
        {name: numbers(table, name) for name in names},
        {},
        units={name: units.unit_of(table[name]) for name in names},
    )
    if not names:  # a constant has no length of its own
        columns = MeasuredColumns({"": np.zeros(len(table))}, {})
    with np.errstate(all="ignore"):
        found = evaluate(node, Watch(where, columns))
    return np.broadcast_to(np.asarray(found.value, dtype=np.float64), len(table)), found.unit


def _is_arithmetic(part: Any) -> bool:
    level = [part]
    while level:
        if any(isinstance(each, Text | Compare | Not | Several) for each in level):
            return False
        level = [inner for each in level for inner in parts_of(each)]
    return True


def _word(part: Any) -> str:
    return repr(part.value) if isinstance(part, Text) else cut(str(part))
