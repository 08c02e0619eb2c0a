"""Judges the objects of a catalogue by a model: the end of every command that makes a list."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from peculiar.cli.as_json import list_as_json
from peculiar.cli.console import Screen
from peculiar.cli.show_groups import show_groups
from peculiar.cli.show_list import show_list

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements
    from peculiar.cli.in_parts import CatalogueInParts
    from peculiar.cli.options import ListWanted
    from peculiar.cli.reading import Catalogue
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report import Candidates


def judge_and_list(
    screen: Screen,
    arguments: Sequence[str],
    catalogue: Catalogue | CatalogueInParts,
    model: PlainMixture,
    which: str,
    wanted: ListWanted,
    run: Any,
    *,
    overwrite: bool,
) -> None:
    """Judge the objects of a catalogue by a model; write what was found, and show it.

    Parameters
    ----------
    screen : Screen
    arguments : sequence of str
        Those of the command.
    catalogue : Catalogue or CatalogueInParts
    model : PlainMixture
        Fitted.
    which : str
        The model in words.
    wanted : ListWanted
    run : object
        What ``catalogue.running`` gave.
    overwrite : bool
        Whether a file may be replaced.
    """
    from peculiar.report import describe_run

    listed = catalogue.judge(screen, model, wanted, run)
    candidates, beside = listed.candidates, listed.beside
    command = shlex.join(["peculiar", *arguments])
    path, fdr, method = str(catalogue.path), wanted.fdr, wanted.method
    about = describe_run(command, path, which, candidates, catalogue.recipe, fdr=fdr, method=method)
    listed.write(screen, about, wanted, overwrite=overwrite)
    show_groups(screen, candidates, whole=wanted.groups)
    if not wanted.groups:
        show_list(screen, candidates, beside, wanted)
    if wanted.out is not None:
        order = "strangest first" if wanted.order == "plain" else "groups in turns"
        screen.lines(f"\nWritten: {wanted.out} (all objects and columns, {order})")
    if screen.as_json:
        from peculiar.report import describe_model

        names = catalogue.recipe.names
        screen.json(
            {
                "made_by": about["MADE_BY"],
                "command": about["COMMAND"],
                "catalogue": str(catalogue.path),
                "out": None if wanted.out is None else str(wanted.out),
                "features": names,
                "errors": catalogue.errors,
                "notes": catalogue.notes,
                "warnings": screen.warnings,
                "model": describe_model(model),
                **list_as_json(candidates, beside, names, wanted),
            }
        )


def judge(
    screen: Screen, model: PlainMixture, measured: Measurements, wanted: ListWanted
) -> Candidates:
    """Rank the objects of a catalogue."""
    from peculiar.report import rank

    with screen.hearing_warnings(), screen.working("judging") as work:
        return rank(
            model,
            measured,
            fdr=wanted.fdr,
            method=wanted.method,
            order=wanted.order,
            advance=work.rows,
            advance_again=work.tolerances,
        )
