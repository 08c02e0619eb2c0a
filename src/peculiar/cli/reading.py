"""Reads a catalogue for a command, and shows which errors are used."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.cli.sources import source

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements, Pairing
    from peculiar.catalogue.recipe import Recipe
    from peculiar.cli.options import ListWanted
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report import Candidates


@dataclass(frozen=True)
class Catalogue:
    """A catalogue, as far as it was read.

    Attributes
    ----------
    path : Path
    table : astropy.table.Table or LightTable
        The columns that are needed.
    recipe : Recipe
        How its features are made.
    measured : Measurements
        The features.
    show : tuple of str
        Columns to show beside what was found.
    numbers : ndarray of int or None
        Numbers of the rows in the file, if not all were taken.
    """

    path: Path
    table: Any
    recipe: Recipe
    measured: Measurements
    show: tuple[str, ...]
    numbers: Any = None

    @property
    def notes(self) -> tuple[str, ...]:
        """How many values became missing, and why."""
        return self.measured.notes

    @property
    def errors(self) -> list[dict[str, str]]:
        """Which column is the error of which."""
        return self.measured.pairing.rows()

    @property
    def first_rows(self) -> Any:
        """All rows there are, with the columns that are needed."""
        return self.table

    @contextlib.contextmanager
    def running(self, _screen: Screen, _out: Path | None, _what: dict[str, Any]) -> Iterator[None]:
        """Nothing is kept of what is done in memory."""
        yield

    def fit(
        self, screen: Screen, settings: dict[str, Any], rarity: float, _run: Any = None
    ) -> PlainMixture:
        """Fit a mixture, tell its strange groups, and say how that went."""
        from peculiar.cli.fitting import fit_model

        return fit_model(screen, settings, self.measured, self.recipe, rarity)

    def judge(
        self, screen: Screen, model: PlainMixture, wanted: ListWanted, _run: Any = None
    ) -> ListInMemory:
        """The ranked list."""
        from peculiar.cli.judging import judge

        candidates = judge(screen, model, self.measured, wanted).with_numbers(self.numbers)
        return ListInMemory(self, candidates)


@dataclass(frozen=True)
class ListInMemory:
    """A ranked list, and the catalogue that it is of."""

    catalogue: Catalogue
    candidates: Candidates

    @property
    def beside(self) -> dict[str, Any]:
        """Columns to show, in the order of the list."""
        table, order = self.catalogue.table, self.candidates.order
        return {name: table[name][order] for name in self.catalogue.show}

    def write(
        self, screen: Screen, about: Mapping[str, str], wanted: ListWanted, *, overwrite: bool
    ) -> None:
        """Write all objects with all their columns, strangest first."""
        from peculiar.catalogue import write
        from peculiar.report import ranked_table

        if wanted.out is None:
            return
        with screen.hearing_warnings(), screen.working(f"writing {wanted.out.name}"):
            ranked = ranked_table(self.catalogue.table, self.candidates, about)
            write(ranked, wanted.out, overwrite=overwrite, plain=wanted.plain)


def read_catalogue(
    screen: Screen,
    path: Path,
    recipe: Recipe,
    *,
    format_: str | None,
    table: str | None = None,
    where: str | None = None,
    show: Sequence[str] | None = (),
    whole: bool = False,
) -> Catalogue:
    """Read a catalogue and make its features; which errors are used is shown in between.

    Parameters
    ----------
    screen : Screen
    path : Path
    recipe : Recipe
    format_, table : str or None
        As ``--format`` and ``--hdu`` give them.
    where : str or None
        Which rows; all if None.
    show : sequence of str or None
        Columns to show; None: one that names the objects, if there is any.
    whole : bool
        Whether all columns are needed.
    """
    with source(path, format_) as (file, form):
        which: dict[str, Any] = {"format": form, "table": table}
        return _read(screen, path, file, recipe, which, where, show, whole=whole)


def _read(
    screen: Screen,
    path: Path,
    file: Path,
    recipe: Recipe,
    which: dict[str, Any],
    where: str | None,
    show: Sequence[str] | None,
    *,
    whole: bool,
) -> Catalogue:
    from peculiar.catalogue import list_columns, read
    from peculiar.catalogue.columns.limits import confirm_flags
    from peculiar.catalogue.columns.names import refuse_unknown
    from peculiar.catalogue.columns.naming import find_names
    from peculiar.catalogue.expressions.conditions import columns_in, parse_condition
    from peculiar.catalogue.expressions.elements import bases_of
    from peculiar.catalogue.reading import look

    with screen.working(
        f"reading {path.name}"
    ):  # of some formats the header is as long as the file
        ucds = {info.name: info.ucd for info in list_columns(file, **which)}
    pairing = recipe.pair(ucds)
    shown = tuple(find_names(ucds) if show is None else show)
    refuse_unknown(shown, list(ucds), str(path))
    asked = [] if where is None else columns_in(parse_condition(where))
    columns = None if whole else bases_of([*pairing.needed(), *shown, *asked], ucds)
    if columns is not None:
        columns = [
            name for name in columns if name in ucds
        ]  # what is not there, choose_rows says better
    with screen.hearing_warnings():
        with screen.working(f"reading {path.name}"):
            # What is written again has all columns, with their units.
            rows = read(file, **which) if columns is None else look(file, columns, **which)
        rows, numbers = _choose(screen, rows, where)
        show_pairing(screen, path, confirm_flags(pairing, rows))
        with screen.working("making features"):
            measured = recipe.measure(rows)
    for note in measured.notes:
        screen.say(f"note: {note}")
    if measured.notes:
        screen.say()
    return Catalogue(path, rows, recipe, measured, shown, numbers)


def _choose(screen: Screen, rows: Any, where: str | None) -> tuple[Any, Any]:
    """The rows for which a condition is true, and their numbers in the catalogue; all, and None, without one."""
    from peculiar.catalogue.expressions.conditions import row_numbers

    if where is None:
        return rows, None
    numbers = row_numbers(rows, where)
    screen.say(
        f"{len(numbers):,} of {len(rows):,} rows are chosen by --where; notes and warnings count rows among these.\n"
    )
    return rows[numbers], numbers


def show_pairing(screen: Screen, path: Path, pairing: Pairing) -> None:
    """The table of which column is the error of which."""
    rows = pairing.rows()
    screen.lines(
        f"{path.name}: errors are taken from these columns (--error, --no-error, --cov, --limit change it)"
    )
    screen.table({name: [row[name] for row in rows] for name in rows[0]}, to_the_left=list(rows[0]))
    screen.say()
