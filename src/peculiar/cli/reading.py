"""Reads a catalogue for a command, and shows which errors are used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.cli.sources import source

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements, Pairing
    from peculiar.catalogue.recipe import Recipe

NAMING = ("name", "id", "designation", "object", "objid", "source_id", "main_id", "source", "star")
"""Columns that name an object, where nobody says which to show."""


@dataclass(frozen=True)
class Catalogue:
    """A catalogue, as far as it was read.

    Attributes
    ----------
    path : Path
    table : astropy.table.Table
        The columns that are needed.
    measured : Measurements
        Its features.
    show : tuple of str
        Columns to show beside what was found.
    """

    path: Path
    table: Any
    measured: Measurements
    show: tuple[str, ...]


def read_catalogue(
    screen: Screen,
    path: Path,
    recipe: Recipe,
    *,
    format_: str | None,
    table: str | None = None,
    show: Sequence[str] | None = (),
    whole: bool = False,
) -> Catalogue:
    """Read a catalogue and make its features; which errors are used is shown before that.

    Parameters
    ----------
    screen : Screen
    path : Path
    recipe : Recipe
    format_, table : str or None
        As ``--format`` and ``--hdu`` give them.
    show : sequence of str or None
        Columns to show; None: one that names the objects, if there is any.
    whole : bool
        Whether all columns are needed.
    """
    with source(path, format_) as (file, form):
        which: dict[str, Any] = {"format": form, "table": table}
        return _read(screen, path, file, recipe, which, show, whole=whole)


def _read(
    screen: Screen,
    path: Path,
    file: Path,
    recipe: Recipe,
    which: dict[str, Any],
    show: Sequence[str] | None,
    *,
    whole: bool,
) -> Catalogue:
    from peculiar.catalogue import list_columns, read
    from peculiar.catalogue.columns.names import refuse_unknown

    ucds = {info.name: info.ucd for info in list_columns(file, **which)}
    pairing = recipe.pair(ucds)
    shown = tuple(find_names(ucds) if show is None else show)
    refuse_unknown(shown, list(ucds), str(path))
    show_pairing(screen, path, pairing)
    columns = None if whole else list(dict.fromkeys([*pairing.needed(), *shown]))
    with screen.hearing_warnings():
        with screen.working(f"reading {path.name}"):
            rows = read(file, columns=columns, **which)
        measured = recipe.measure(rows)
    for note in measured.notes:
        screen.say(f"note: {note}")
    if measured.notes:
        screen.say()
    return Catalogue(path, rows, measured, shown)


def show_pairing(screen: Screen, path: Path, pairing: Pairing) -> None:
    """The table of which column is the error of which."""
    rows = pairing.rows()
    screen.lines(
        f"{path.name}: errors are taken from these columns (--error, --no-error, --cov change it)"
    )
    screen.table({name: [row[name] for row in rows] for name in rows[0]}, to_the_left=list(rows[0]))
    screen.say()


def find_names(columns: Iterable[str]) -> list[str]:
    """The column that names objects: the first of the usual names."""
    by_lower = {name.lower(): name for name in reversed(list(columns))}
    return [by_lower[name] for name in NAMING if name in by_lower][:1]
