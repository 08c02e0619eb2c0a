"""The words of an expression, and errors that point at one of its characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from peculiar.catalogue.expressions.nodes import ASINHMAG, FUNCTIONS
from peculiar.errors import CatalogueError

ALLOWED = (
    "allowed are numbers, columns (`in back-quotes` if need be), + - * / ^ ( ) and "
    f"{', '.join((*FUNCTIONS, ASINHMAG))}"
)

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NAME = r"[^\W\d][\w.]*(?:\[[0-9]+(?:,[0-9]+)*\])?"
"""A column, or an element of one: ``Flux[3]``."""

_TOKEN = re.compile(
    rf"(?P<number>{NUMBER})|(?P<name>{NAME})"
    r"|`(?P<quoted>[^`]*)`|(?P<sign>\*\*|[-+*/^(),=])"
)
_WINDOW = 72


@dataclass(frozen=True)
class Token:
    """A word of the text: number, name, quoted (a name), sign, or end."""

    kind: str
    text: str
    position: int


def point(text: str, position: int, message: str) -> CatalogueError:
    """An error with a caret under the character that is meant; of a long text the part around it."""
    start = max(0, position - _WINDOW // 2)
    part = text[start : start + _WINDOW]
    shown = "".join(letter if letter.isprintable() else " " for letter in part)
    return CatalogueError(f"{message}\n  {shown}\n  {' ' * (position - start)}^")


def tokens_of(text: str) -> list[Token]:
    """The words of a feature, with an end."""
    return split(text, _TOKEN, _refusal)


def split(text: str, pattern: re.Pattern[str], refusal: Callable[[str], str]) -> list[Token]:
    """The words of a text by a pattern whose groups are their kinds, with an end; and what to say of other letters."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = pattern.match(text, position)
        if match is None:
            raise point(text, position, refusal(text[position]))
        kind = str(match.lastgroup)
        tokens.append(Token(kind, match[kind], position))
        position = match.end()
    return [*tokens, Token("end", "", max(0, len(text.rstrip()) - 1))]


def _refusal(letter: str) -> str:
    if letter == "`":
        return "this back-quote is not closed; write `name of column`"
    return f"{letter!r} has no meaning here; {ALLOWED}"
