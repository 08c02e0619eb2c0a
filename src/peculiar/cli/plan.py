"""Whether a catalogue is read whole or in parts, and in how large ones: from its size and the memory there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.cli.memory import free_memory, size_in_words
from peculiar.cli.sources import STANDARD_INPUT
from peculiar.errors import CatalogueError, SettingError

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe

LEAST_ROWS = 256
_MOST = 1e9
"""Bytes that reading in parts uses, however many there are: more would not make it faster."""

_SHARE = 0.8
"""Of the memory that is free."""

_VERDICT, _OF_FEATURE = 14, 5  # columns that a list has of each object, and of each of its features
_COPIES = 4
"""How often a row is in memory at a time, as measured, all columns and all that was found being counted."""

_TEXT = 64  # bytes, of a word in memory
_BLOWN_UP, _ZIPPED = (
    4.0,
    5.0,
)  # how much larger a file of text is in memory, and one that is compressed


@dataclass(frozen=True)
class Workers:
    """A cluster of Dask that is to be used.

    Attributes
    ----------
    number : int or None
        Of the processes to start on this computer.
    scheduler : str or None
        Address of one that is there.
    """

    number: int | None
    scheduler: str | None

    @classmethod
    def of(cls, options: dict[str, Any]) -> Workers | None:
        """Those that the options ask for; None without any."""
        number, scheduler = options["workers"], options["scheduler"]
        if number is not None and scheduler is not None:
            raise SettingError(
                "--workers starts a cluster, --dask uses one that is there; give one of them"
            )
        return None if number is None and scheduler is None else cls(number, scheduler)


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

    def in_words(self) -> str:
        """The choice in a line."""
        rows = "" if self.n_rows is None else f"{self.n_rows:,} rows, "
        memory = size_in_words(self.allowed)
        there = f"--memory {memory}" if self.is_told else f"{memory} free"
        how = "read in parts" if self.is_in_parts else "read whole"
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
    if path == STANDARD_INPUT:
        if workers is not None:
            raise CatalogueError(
                "the standard input cannot be read in parts, as workers do; give a file"
            )
        return Plan(path, None, 0.0, allowed, is_told, is_in_parts=False)
    from peculiar.catalogue import count_rows, list_columns
    from peculiar.catalogue.expressions.conditions import columns_in, parse_condition
    from peculiar.catalogue.parts import why_whole

    which: dict[str, Any] = {"table": table, "format": format_}
    if reason := why_whole(path, **which):
        if workers is not None:
            raise CatalogueError(f"{path.name}: workers read catalogues in parts; {reason}")
        return _whole_only(path, reason, allowed, is_told=is_told)
    infos = list_columns(path, **which)
    asked = [] if where is None else columns_in(parse_condition(where))
    pairing = recipe.pair({info.name: info.ucd for info in infos})
    names = {*pairing.needed(), *asked, *(show or ())}
    used = [info for info in infos if whole or info.name in names]
    width = sum(_bytes_of(info) for info in used)
    d = len(recipe.names)
    judged = 8 * (_VERDICT + _OF_FEATURE * d) if ranks else 0
    row = width + 8 * d * (d + 2) + judged
    n_rows = count_rows(path, **which)
    need, most = float(_COPIES * row * n_rows), min(allowed, _MOST)
    return Plan(
        path,
        n_rows,
        need,
        allowed,
        is_told,
        workers is not None or need > (1.0 if is_told else _SHARE) * allowed,
        max(LEAST_ROWS, int(most / 4 / (2 * _COPIES * row))),
        max(LEAST_ROWS, int(most / 8 / (_COPIES * row))),
        workers,
    )


def say_plan(screen: Screen, plan: Plan) -> None:
    """A line, if there is anything to choose."""
    if plan.is_in_parts or plan.is_told:
        screen.say(plan.in_words() + "\n")


def _whole_only(path: Path, reason: str, allowed: float, *, is_told: bool) -> Plan:
    from peculiar.catalogue.formats.several import place_of
    from peculiar.catalogue.formats.text import is_packed
    from peculiar.catalogue.many import find_places

    files = [place.path for place in find_places(path) or (place_of(path),)]
    need = sum(file.stat().st_size * (_ZIPPED if is_packed(file) else 1.0) for file in files)
    plan = Plan(path, None, _BLOWN_UP * need, allowed, is_told, is_in_parts=False)
    if plan.need > allowed:
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
