"""Steps that several commands make: read a catalogue, fit it, judge its objects."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements, Pairing
    from peculiar.catalogue.recipe import Recipe
    from peculiar.cli.options import ListWanted
    from peculiar.mixture import RobustMixture
    from peculiar.report import Candidates

NAMING = ("name", "id", "designation", "object", "objid", "source_id", "main_id", "source", "star")
"""Columns that name an object, where nobody says which to show."""


@dataclass(frozen=True)
class Sky:
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


def read_sky(
    screen: Screen,
    path: Path,
    recipe: Recipe,
    *,
    format_: str | None,
    show: Sequence[str] | None = (),
    whole: bool = False,
) -> Sky:
    """Read a catalogue and make its features; which errors are used is shown before that.

    Parameters
    ----------
    screen : Screen
    path : Path
    recipe : Recipe
    format_ : str or None
    show : sequence of str or None
        Columns to show; None: one that names the objects, if there is any.
    whole : bool
        Whether all columns are needed.
    """
    from peculiar.catalogue import list_columns, read
    from peculiar.catalogue.names import refuse_unknown

    ucds = {info.name: info.ucd for info in list_columns(path, format=format_)}
    pairing = recipe.pair(ucds)
    shown = tuple(find_names(ucds) if show is None else show)
    refuse_unknown(shown, list(ucds), str(path))
    show_pairing(screen, path, pairing)
    columns = None if whole else list(dict.fromkeys([*pairing.needed(), *shown]))
    with screen.hearing_warnings():
        with screen.working(f"reading {path.name}"):
            table = read(path, columns=columns, format=format_)
        measured = recipe.measure(table)
    for note in measured.notes:
        screen.say(f"note: {note}")
    if measured.notes:
        screen.say()
    return Sky(path, table, measured, shown)


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


def fit_model(
    screen: Screen, settings: dict[str, Any], measured: Measurements, recipe: Recipe
) -> RobustMixture:
    """Fit a mixture, and say how that went."""
    from peculiar.mixture import RobustMixture
    from peculiar.mixture.progress import listening

    model = RobustMixture(**settings)
    with screen.hearing_warnings(), screen.working("fitting") as work:
        work.aims_at(settings["tol"], settings["max_iter"])
        with listening(work):
            model.fit(**measured.arguments())
    model.recipe_ = recipe
    return model


def judge(
    screen: Screen, model: RobustMixture, measured: Measurements, wanted: ListWanted
) -> Candidates:
    """Rank the objects of a catalogue."""
    from peculiar.detector import OutlierDetector
    from peculiar.report import rank

    detector = OutlierDetector.from_mixture(model)
    with screen.hearing_warnings(), screen.working("judging") as work:
        return rank(detector, measured, fdr=wanted.fdr, method=wanted.method, advance=work.rows)


def check_target(
    path: Path | None, *, overwrite: bool, is_table: bool, source: Path | None
) -> None:
    """CatalogueError if a file cannot be written in the end: better now than after the work."""
    if path is None:
        return
    if is_table:
        from peculiar.catalogue.choose import choose_format

        choose_format(path, None)
    if path.is_dir():
        raise CatalogueError(f"{path} is a folder; give the name of a file in it")
    if not path.parent.is_dir():
        raise CatalogueError(f"there is no folder {path.parent} to write {path.name} into")
    if not path.exists():
        return
    with contextlib.suppress(OSError):
        if source is not None and path.samefile(source):
            raise CatalogueError(f"{path} is the input itself; write to another file")
    if not overwrite:
        raise CatalogueError(f"{path} is there already; say --overwrite to replace it")


def load_model(path: Path) -> RobustMixture:
    """A model from its file."""
    from peculiar.mixture import RobustMixture

    return RobustMixture.load(path)
