"""Whether a catalogue is read whole or in parts, and in how large ones: from its size and the memory there is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from peculiar.cli.clusters import Workers
from peculiar.cli.console import Screen
from peculiar.cli.memory import free_memory, size_in_words
from peculiar.cli.sources import STANDARD_INPUT

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe

LEAST_ROWS = 256
_MOST = 1e9
"""Bytes that reading in parts uses, however many there are: more would not make it faster."""

_SHARE = 0.8
"""Of the memory that is free."""

_VERDICT, _OF_FEATURE = 14, 5  # columns that a list has of each object, and of each of its features
_COPIES = 4
"""How often a row is in memory at a time, all columns and all that was found being counted. Measured: 2.7 times, beside
0.27 GB of the program; more is safer than less."""

_TEXT = 64  # bytes, of a word in memory
_BLOWN_UP, _ZIPPED = (
    4.0,
    5.0,
)  # how much larger a file of text is in memory, and one that is compressed


@dataclass(frozen=True)
class Plan:
    """How a catalogue is read.

    Attributes
    ----------
    path : Path
    n_rows : int or None
        None if that is not known without reading.
    need : float
        Bytes that all its rows would take in memory.
    allowed : float
        Bytes that may be used.
    is_told : bool
        Whether the user said that (``--memory``).
    is_in_parts : bool
    rows_at_a_time, bucket_rows : int
        How many rows are read, and sorted, at a time.
    workers : Workers or None
        The cluster that works on the parts.
    """

    path: Path
    n_rows: int | None
    need: float
    allowed: float
    is_told: bool
    is_in_parts: bool
    rows_at_a_time: int = 0
    bucket_rows: int = 0
    workers: Workers | None = None

    @property
    def is_too_large(self) -> bool:
        """Whether it takes more memory than may be used."""
        return self.need > (1.0 if self.is_told else _SHARE) * self.allowed

    def in_words(self) -> str:
        """The choice in a line, and the reason if it is not the memory."""
        rows = "" if self.n_rows is None else f"{self.n_rows:,} rows, "
        memory = size_in_words(self.allowed)
        there = f"--memory {memory}" if self.is_told else f"{memory} free"
        how = "read in parts" if self.is_in_parts else "read whole"
        if self.is_in_parts and not self.is_too_large:
            how += " because workers were asked for"
        return f"{self.path.name}: {rows}about {size_in_words(self.need)} in memory, {there}: {how}"


def make_plan(
    path: Path,
    recipe: Recipe,
    *,
    format_: str | None,
    table: str | None,
    where: str | None,
    memory: int | None,
    workers: Workers | None = None,
    ranks: bool = False,
    whole: bool = False,
    show: Sequence[str] | None = (),
) -> Plan:
    """Whether a catalogue fits into memory.

    Parameters
    ----------
    path : Path
    recipe : Recipe
    format_, table, where
        As for :func:`~peculiar.cli.reading.read_catalogue`.
    memory : int or None
        Bytes that may be used, if the user said so.
    workers : Workers or None
        The cluster to work on, if there is to be one: then it is read in parts in any case.
    ranks : bool
        Whether its objects are ranked.
    whole : bool
        Whether all its columns are needed.
    show : sequence of str or None
        Columns that are needed, too.

    Returns
    -------
    Plan
        CatalogueError if it does not fit, and can only be read whole.
    """
    allowed, is_told = (free_memory(), False) if memory is None else (float(memory), True)
    known = Plan(path, None, 0.0, allowed, is_told, is_in_parts=False)
    if path == STANDARD_INPUT:
        _refuse_workers(workers, path, "the standard input can only be read once")
        return known
    from peculiar.catalogue import count_rows
    from peculiar.catalogue.parts import why_whole

    which: dict[str, Any] = {"table": table, "format": format_}

    def columns() -> Columns:
        return _columns(path, recipe, which, where, show, whole=whole)

    if reason := why_whole(path, **which):
        _refuse_workers(workers, path, reason)
        return _whole_only(known, reason, columns)
    row = columns().width + 8 * _numbers(len(recipe.names), ranks=ranks)
    n_rows = count_rows(path, **which)
    need, most = float(_COPIES * row * n_rows), min(allowed, _MOST)
    counted = dataclasses.replace(known, n_rows=n_rows, need=need)
    return dataclasses.replace(
        counted,
        is_in_parts=workers is not None or counted.is_too_large,
        rows_at_a_time=max(LEAST_ROWS, int(most / 4 / (2 * _COPIES * row))),
        bucket_rows=max(LEAST_ROWS, int(most / 8 / (_COPIES * row))),
        workers=workers,
    )


def _refuse_workers(workers: Workers | None, path: Path, reason: str) -> None:
    """CatalogueError if there are to be workers, and the catalogue cannot be read in parts."""
    from peculiar.errors import CatalogueError

    if workers is not None:
        raise CatalogueError(f"{path.name}: workers read catalogues in parts; {reason}")


class Columns(NamedTuple):
    """The columns of a catalogue that are needed.

    Attributes
    ----------
    width : int
        Bytes of them in a row, in memory.
    share : float
        Of all columns.
    """

    width: int
    share: float


def _columns(
    path: Path,
    recipe: Recipe,
    which: dict[str, Any],
    where: str | None,
    show: Sequence[str] | None,
    *,
    whole: bool,
) -> Columns:
    from peculiar.catalogue import list_columns
    from peculiar.catalogue.expressions.conditions import columns_in, parse_condition

    infos = list_columns(path, **which)
    asked = [] if where is None else columns_in(parse_condition(where))
    pairing = recipe.pair({info.name: info.ucd for info in infos})
    names = {*pairing.needed(), *asked, *(show or ())}
    used = [info for info in infos if whole or info.name in names]
    return Columns(sum(map(_bytes_of, used)), len(used) / max(len(infos), 1))


def _numbers(d: int, *, ranks: bool) -> int:
    """How many numbers there are of each row: features, their errors and covariances, and what is found."""
    return d * (d + 2) + (_VERDICT + _OF_FEATURE * d if ranks else 0)


def say_plan(screen: Screen, plan: Plan) -> None:
    """A line, if there is anything to choose."""
    if plan.is_in_parts or plan.is_told:
        screen.say(plan.in_words() + "\n")


def _whole_only(known: Plan, reason: str, columns: Callable[[], Columns]) -> Plan:
    """CatalogueError if a catalogue that is read whole does not fit; if it does, only its size is looked at."""
    from peculiar.catalogue.formats.several import place_of
    from peculiar.catalogue.formats.text import is_packed
    from peculiar.catalogue.many import find_places
    from peculiar.errors import CatalogueError

    files = [place.path for place in find_places(known.path) or (place_of(known.path),)]
    size = sum(file.stat().st_size * (_ZIPPED if is_packed(file) else 1.0) for file in files)
    plan = dataclasses.replace(known, need=_BLOWN_UP * size)
    if plan.need > plan.allowed:
        plan = dataclasses.replace(plan, need=plan.need * columns().share)
    if plan.need > plan.allowed:
        raise CatalogueError(
            f"{plan.in_words().removesuffix(': read whole')}; {reason}. Or say --memory with as much as there is, to "
            "read it whole all the same"
        )
    return plan


def _bytes_of(info: Any) -> int:
    """Of a column in a row, in memory."""
    import math

    import numpy as np

    one = _TEXT if info.dtype in {"str", "object"} else np.dtype(info.dtype).itemsize
    return int(one * math.prod(info.shape))
