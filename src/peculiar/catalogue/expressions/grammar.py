"""Reads features: expressions of columns, separated by commas. Nothing is ever evaluated as Python.

::

    features:  feature , feature ...
    feature:   [name =] sum
    sum:       product + product - product ...
    product:   signed * signed / signed ...
    signed:    - signed | power
    power:     atom [^ constant]             (** is ^)
    atom:      number | column | `any column` | column[3] | function ( sum ) | asinhmag ( sum , constant ) | ( sum )
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.expressions.nodes import (
    ASINHMAG,
    FUNCTIONS,
    Binary,
    Call,
    Column,
    Negative,
    Node,
    Number,
    Power,
    columns_of,
    height_of,
)
from peculiar.catalogue.expressions.tokens import ALLOWED, Token, point, tokens_of
from peculiar.errors import CatalogueError

_DEEPEST = 40  # parentheses within parentheses; each takes half a dozen calls of Python's thousand
_LONGEST = 200  # terms or factors in a row
_HIGHEST = 250  # operations upon one another: to print or to evaluate one takes two calls


@dataclass(frozen=True)
class Feature:
    """One feature.

    Attributes
    ----------
    label : str
        The name the user gave, else the text.
    tree : Node
    columns : tuple of str
        Names of its columns.
    """

    label: str
    tree: Node
    columns: tuple[str, ...]


def parse_features(features: str | Sequence[str]) -> tuple[Feature, ...]:
    """Features from their text.

    Parameters
    ----------
    features : str or sequence of str
        Such as ``"u - r, g - r, size = log10(radius)"``.

    Returns
    -------
    tuple of Feature

    Examples
    --------
    >>> for feature in parse_features("u-r, size = log10(radius)"):
    ...     print(feature.label, "|", feature.tree)
    u-r | u - r
    size | log10(radius)

    >>> parse_features("u_mag % r_mag")
    Traceback (most recent call last):
        ...
    peculiar.errors.CatalogueError: '%' has no meaning here; allowed are numbers, columns ...
      u_mag % r_mag
            ^
    """
    texts = [features] if isinstance(features, str) else list(features)
    found = [feature for text in texts for feature in Parser(_as_text(text)).features()]
    if not found:
        raise CatalogueError("no features were given; name at least one column")
    labels = [feature.label for feature in found]
    for label in labels:
        if labels.count(label) > 1:
            raise CatalogueError(
                f"two features are called {cut(label)!r}; give one of them a name: 'other = {cut(label)}'"
            )
    return tuple(found)


def _as_text(text: object) -> str:
    if not isinstance(text, str):
        raise CatalogueError(
            f"features are text such as 'u - r', not {type(text).__name__} ({cut(repr(text))})"
        )
    return text


class Parser:
    """Recursive descent; one method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.next = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def features(self) -> list[Feature]:
        if self.token.kind == "end":
            raise CatalogueError("no features were given; name at least one column")
        found = [self.feature()]
        while self.take(","):
            found.append(self.feature())
        return found

    def feature(self) -> Feature:
        label = None
        first = self.token
        if first.kind in {"name", "quoted"} and self.tokens[self.next + 1].text == "=":
            label = first.text
            self.next += 2
        start = self.token.position
        tree = self.sum()
        self.refuse_high(tree, start)
        if self.token.kind != "end" and self.token.text != ",":
            raise self.unexpected("an operator, a comma or the end")
        columns = tuple(columns_of(tree))
        if not columns:
            raise point(self.text, start, "there is no column in this feature")
        end = self.token.position + (1 if self.token.kind == "end" else 0)
        written = " ".join(self.text[start:end].split())
        name = columns[0] if isinstance(tree, Column) else written
        return Feature(label or name, tree, columns)

    def sum(self) -> Node:
        node, n_terms = self.product(), 1
        while operator := self.take("+", "-"):
            node, n_terms = Binary(operator, node, self.product()), n_terms + 1
            self.refuse_long(n_terms)
        return node

    def product(self) -> Node:
        node, n_factors = self.signed(), 1
        while operator := self.take("*", "/"):
            node, n_factors = Binary(operator, node, self.signed()), n_factors + 1
            self.refuse_long(n_factors)
        return node

    def signed(self) -> Node:
        is_negative = False
        while sign := self.take("-", "+"):
            is_negative ^= sign == "-"
        return Negative(self.power()) if is_negative else self.power()

    def power(self) -> Node:
        base = self.atom()
        if not self.take("^", "**"):
            return base
        position = self.token.position
        exponent = self.constant(position)
        if self.token.text in {"^", "**"} and self.token.kind == "sign":
            raise point(self.text, self.token.position, "a power of a power needs parentheses")
        return Power(base, exponent)

    def constant(self, position: int) -> float:
        """A number, with a sign; or a sum of numbers in parentheses."""
        sign = -1.0 if self.take("-", "+") == "-" else 1.0
        node = self.atom()
        try:
            value = sign * _value(node)
        except (ZeroDivisionError, OverflowError, TypeError):
            value = math.nan
        if not math.isfinite(value):
            raise point(self.text, position, "this has to be a number, such as 2, -1 or (1/3)")
        return value

    def atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.next += 1
            return self.number(token)
        if token.kind in {"name", "quoted"}:
            self.next += 1
            return self.column_or_call(token)
        if self.take("("):
            return self.inside(token)
        raise self.unexpected("a number, a column, a function or '('")

    def column_or_call(self, token: Token) -> Node:
        if token.kind == "name" and self.token.text == "(" and self.token.kind == "sign":
            if token.text not in (*FUNCTIONS, ASINHMAG):
                raise point(
                    self.text,
                    token.position,
                    f"there is no function {cut(token.text)!r}; {ALLOWED}",
                )
            opening = self.token
            self.next += 1
            if token.text == ASINHMAG:
                return self.asinhmag(opening)
            return Call(token.text, self.inside(opening))
        if not token.text.strip():
            raise point(self.text, token.position, "there is no name between these back-quotes")
        return Column(token.text)

    def asinhmag(self, opening: Token) -> Node:
        """A flux and its softening b, the opening parenthesis being read."""
        node = self.deeper(opening)
        if not self.take(","):
            raise self.unexpected("a comma and the softening b of asinhmag(flux, b)")
        position = self.token.position
        softening = self.constant(position)
        if not softening > 0:
            raise point(
                self.text,
                position,
                "b of asinhmag(flux, b) has to be positive: about the error of the flux",
            )
        self.close(opening)
        return Call(ASINHMAG, node, softening)

    def inside(self, opening: Token) -> Node:
        """What is in parentheses, the opening one being read."""
        node = self.deeper(opening)
        self.close(opening)
        return node

    def deeper(self, opening: Token) -> Node:
        """What follows an opening parenthesis."""
        self.go_deeper(opening)
        node = self.sum()
        self.refuse_high(node, opening.position)
        return node

    def go_deeper(self, opening: Token) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise point(self.text, opening.position, f"more than {_DEEPEST} nested parentheses")

    def close(self, opening: Token) -> None:
        self.depth -= 1
        if not self.take(")"):
            if self.token.kind == "end":
                raise point(self.text, opening.position, "this '(' is not closed")
            raise self.unexpected("an operator or ')'")

    def number(self, token: Token) -> Number:
        value = float(token.text)
        if math.isinf(value):
            raise point(self.text, token.position, f"{cut(token.text)} is too large for a number")
        return Number(value, int(token.text) if token.text.isdecimal() else None)

    def take(self, *signs: str) -> str:
        """The next token's text, if it is one of these signs; else empty, and the token stays."""
        token = self.token
        if token.kind != "sign" or token.text not in signs:
            return ""
        self.next += 1
        return token.text

    def refuse_long(self, length: int) -> None:
        if length > _LONGEST:
            raise point(
                self.text, self.token.position, f"more than {_LONGEST} terms or factors in a row"
            )

    def refuse_high(self, node: Node, position: int) -> None:
        if height_of(node) > _HIGHEST:
            raise point(
                self.text,
                position,
                f"more than {_HIGHEST} operations upon one another; make it two features, or a column of the table",
            )

    def unexpected(self, wanted: str) -> CatalogueError:
        token = self.token
        if token.kind == "end":
            return point(self.text, token.position, f"the text ends where {wanted} should follow")
        return point(
            self.text, token.position, f"{cut(token.text)!r} where {wanted} should be; {ALLOWED}"
        )


def _value(node: Node) -> float:
    """The number that an expression without columns is; TypeError for anything else."""
    match node:
        case Number(value):
            return value
        case Negative(of):
            return -_value(of)
        case Binary("+", left, right):
            return _value(left) + _value(right)
        case Binary("-", left, right):
            return _value(left) - _value(right)
        case Binary("*", left, right):
            return _value(left) * _value(right)
        case Binary("/", left, right):
            return _value(left) / _value(right)
    raise TypeError("not a constant")
