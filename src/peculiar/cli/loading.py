"""Reads a catalogue whole, or gets ready to read it in parts, as its plan says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from peculiar.cli.clusters import join_cluster
from peculiar.cli.console import Screen
from peculiar.cli.plan import Plan, say_plan

if TYPE_CHECKING:
    from pathlib import Path

    from peculiar.catalogue.recipe import Recipe
    from peculiar.cli.in_parts import CatalogueInParts
    from peculiar.cli.reading import Catalogue


def load(
    screen: Screen,
    plan: Plan,
    recipe: Recipe,
    which: dict[str, Any],
    *,
    show: Sequence[str] | None = (),
    out: Path | None = None,
) -> Catalogue | CatalogueInParts:
    """The features of a catalogue; which errors are used is shown.

    Parameters
    ----------
    screen : Screen
    plan : Plan
    recipe : Recipe
    which : dict
        ``format_``, ``table`` and ``where``, as the options give them.
    show : sequence of str or None
        Columns to show; None: one that names the objects, if there is any.
    out : Path or None
        Where all columns are to be written.
    """
    from peculiar.cli.reading import read_catalogue

    say_plan(screen, plan)
    if plan.workers is not None:
        join_cluster(screen, plan)
    if not plan.is_in_parts:
        whole = out is not None
        return read_catalogue(screen, plan.path, recipe, show=show, whole=whole, **which)
    from peculiar.cli.in_parts import open_in_parts

    return open_in_parts(screen, plan, recipe, which, show=show)
