"""A catalogue that is larger than memory: fitted, judged and written in parts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.cli.plan import Plan
from peculiar.cli.reading import show_pairing
from peculiar.cli.streams import remark

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.catalogue.scanning import Scan
    from peculiar.catalogue.sorting import RunFolder
    from peculiar.cli.options import ListWanted
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report import Candidates
    from peculiar.report.in_parts import ListInParts

_MODEL, _CHECKPOINT = "model.peculiar", "fit.ckpt"
_FEW = 100


def open_in_parts(
    screen: Screen,
    plan: Plan,
    recipe: Recipe,
    which: dict[str, Any],
    *,
    show: Sequence[str] | None,
) -> CatalogueInParts:
    """Look at all rows of a catalogue once; which errors are used is shown.

    Parameters
    ----------
    screen : Screen
    plan : Plan
    recipe : Recipe
    which, show
        As for :func:`peculiar.cli.loading.load`.
    """
    from peculiar.catalogue import list_columns
    from peculiar.catalogue.columns.names import refuse_unknown
    from peculiar.catalogue.columns.naming import find_names
    from peculiar.catalogue.scanning import Scan

    table, form = which["table"], which["format_"]
    names = [info.name for info in list_columns(plan.path, table=table, format=form)]
    shown = tuple(find_names(names) if show is None else show)
    refuse_unknown(shown, names, str(plan.path))
    scan = Scan(plan.path, recipe, which["where"], table, form, plan.rows_at_a_time)
    with screen.hearing_warnings(), screen.working(f"surveying {plan.path.name}"):
        pairing = scan.pairing
    if which["where"] is not None:
        screen.say(f"{scan.n_rows:,} of {plan.n_rows:,} rows are chosen by --where.\n")
    show_pairing(screen, plan.path, pairing)
    for note in scan.notes:
        screen.say(f"note: {note}")
    if scan.notes:
        screen.say()
    return CatalogueInParts(plan.path, scan, plan, shown, tuple(names))


@dataclass(frozen=True)
class CatalogueInParts:
    """A catalogue that stays in its files.

    Attributes
    ----------
    path : Path
    scan : Scan
        With its survey made.
    plan : Plan
    show : tuple of str
        Columns to show beside what was found.
    columns : tuple of str
        All columns of the catalogue.
    """

    path: Path
    scan: Scan
    plan: Plan
    show: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def recipe(self) -> Recipe:
        """How its features are made."""
        return self.scan.recipe

    @property
    def notes(self) -> tuple[str, ...]:
        """How many values became missing, and why."""
        return self.scan.notes

    @property
    def errors(self) -> list[dict[str, str]]:
        """Which column is the error of which."""
        return self.scan.pairing.rows()

    @cached_property
    def first_rows(self) -> Any:
        """Some rows, with all columns."""
        from peculiar.catalogue.parts import read_parts

        scan = self.scan
        parts = read_parts(scan.path, self.columns, _FEW, table=scan.table, form=scan.format)
        return next(parts).table

    @contextlib.contextmanager
    def running(
        self, screen: Screen, out: Path | None, what: Mapping[str, Any]
    ) -> Iterator[RunFolder]:
        """The folder that keeps what is done of a run, so that it can go on after it was killed.

        Parameters
        ----------
        screen : Screen
        out : Path or None
            The list to be written; without one nothing is kept.
        what : dict
            Model or settings of the fit.
        """
        from peculiar._version import __version__
        from peculiar.catalogue.sorting import files_of, run_folder
        from peculiar.report.in_parts import refuse_mixed

        scan = self.scan
        refuse_mixed(scan, {*self.show, *(() if out is None else self.columns)})
        identity = {
            **what,
            "version": __version__,
            "files": files_of(self.path, scan.table),
            "format": scan.format,
            "where": scan.where,
            "recipe": scan.recipe.plain(),
        }
        with run_folder(out, identity, {"rows": scan.rows_at_a_time}) as folder:
            if folder.is_continued:
                screen.say(f"Going on with what an earlier run has left in {folder.path}.\n")
            for other in folder.others:
                screen.say(f"note: {other} is from another run that has not come to its end.\n")
            try:
                yield folder
            except BaseException:
                if out is not None:
                    remark(
                        f"peculiar: what is done is kept in {folder.path}; the same command goes on"
                    )
                raise

    def fit(
        self,
        screen: Screen,
        settings: dict[str, Any],
        rarity: float,
        run: RunFolder | None = None,
        checkpoint: Path | None = None,
    ) -> PlainMixture:
        """Fit a mixture, tell its strange groups, and say how that went; or take the one of an earlier run."""
        from peculiar.cli.fitting import load_model
        from peculiar.errors import ModelFileError

        stored = None if run is None else run.path / _MODEL
        if stored is not None and stored.exists():
            with contextlib.suppress(ModelFileError):
                model = load_model(stored)
                model.n_jobs = settings["n_jobs"]
                return model
        if run is not None and checkpoint is None:
            checkpoint = run.path / _CHECKPOINT
        model = self._fit(screen, settings, rarity, checkpoint)
        if stored is not None:
            model.save(stored)
        return model

    def _fit(
        self, screen: Screen, settings: dict[str, Any], rarity: float, checkpoint: Path | None
    ) -> PlainMixture:
        from peculiar.estimators.progress import listening
        from peculiar.ranking import fit_scan

        with screen.hearing_warnings(), screen.working("fitting") as work:
            work.aims_at(settings["tol"], settings["max_iter"])
            work.has_rows(self.scan.n_rows)
            with listening(work):
                if self.plan.workers is None:
                    return fit_scan(self.scan, settings, rarity, checkpoint)
                alone = settings | {"n_jobs": of_each_worker(settings["n_jobs"])}
                return fit_scan(self.scan, alone, rarity, checkpoint, on_cluster=True)

    def judge(
        self, screen: Screen, model: PlainMixture, wanted: ListWanted, run: RunFolder
    ) -> ListOnDisk:
        """The ranked list."""
        from peculiar.report.in_parts import (
            Rule,
            Workshop,
            list_in_parts,
            map_on_cluster,
            map_pieces,
        )

        pieces = self.scan.pieces(run.kept["rows"])
        rule = Rule(wanted.fdr, wanted.method, wanted.order)
        mapped = map_pieces
        if self.plan.workers is not None:
            mapped, model.n_jobs = map_on_cluster, of_each_worker(model.n_jobs)
        shop = Workshop(run.path, self.plan.bucket_rows, mapped)
        columns = None if wanted.out is None else self.columns
        with screen.hearing_warnings(), screen.working("judging") as work:
            made = list_in_parts(model, pieces, rule, shop, columns, work)
            candidates, table = made.top(wanted.top, [*(columns or ()), *self.show])
        return ListOnDisk(self, made, candidates, table)


def of_each_worker(n_jobs: int | None) -> int:
    """Threads of each worker: one, unless the user wants so many."""
    return n_jobs if n_jobs is not None and n_jobs > 0 else 1


@dataclass(frozen=True)
class ListOnDisk:
    """A ranked list of which the top is at hand."""

    catalogue: CatalogueInParts
    made: ListInParts
    candidates: Candidates
    table: Any

    @property
    def beside(self) -> dict[str, Any]:
        """Columns to show, in the order of the list."""
        order = self.candidates.order
        return {name: self.table[name][order] for name in self.catalogue.show}

    def write(
        self, screen: Screen, about: Mapping[str, str], wanted: ListWanted, *, overwrite: bool
    ) -> None:
        """Write all objects with all their columns; whether a file may be replaced was asked before."""
        from peculiar.report import ranked_table

        if wanted.out is None:
            return
        columns = self.catalogue.columns
        rows = self.table[list(columns)]
        like = ranked_table(rows, self.candidates, about, self.made.known)
        with screen.hearing_warnings(), screen.working(f"writing {wanted.out.name}") as work:
            self.made.write(wanted.out, like, columns, work)
