"""Kinds of values that options take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    Kind = click.ParamType  # takes no types at run time before click 8.2


class _File(click.Path):
    """A path; ``./-`` with its folder, since a Path forgets the dot, and ``-`` is standard input."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """A Path."""
        path = super().convert(value, param, ctx)
        return path.absolute() if path == Path("-") and str(value) != "-" else path


FILE = _File(path_type=Path, readable=False)
"""A file. Whether it can be read is found out by whoever reads it: a file without permission is no wrong usage."""


class Components(Kind):
    """A number of components, or how to find it."""

    name = "mml|bic|N"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """A word, or a whole number."""
        if value in {"mml", "bic"} or isinstance(value, int):
            return str(value) if isinstance(value, str) else int(value)
        if not str(value).isascii() or not str(value).isdigit() or int(value) < 1:
            self.fail(
                f"{value!r} is neither a number of components, nor 'mml', nor 'bic'", param, ctx
            )
        return int(value)


class NumberOr(Kind):
    """A number, or one of some words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.name = "|".join((*words, "NUMBER"))

    def convert(self, value: Any, param: Any, ctx: Any) -> float | str:
        """A word, or a number."""
        if value in self.words or isinstance(value, float):
            return value  # type: ignore[no-any-return]
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number nor {' or '.join(self.words)}", param, ctx)


class Names(Kind):
    """Names, separated by commas."""

    name = "NAME,NAME..."

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        """The names."""
        if isinstance(value, tuple):
            return value
        return tuple(word.strip() for word in str(value).split(",") if word.strip())
