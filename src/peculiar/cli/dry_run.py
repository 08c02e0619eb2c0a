"""What a command would do, and about how long that takes, from costs that were measured (docs/scaling.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.cli.memory import size_in_words
from peculiar.cli.plan import Plan

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.cli.options import ListWanted

SURVEY = 0.5e-6
"""Seconds of one core, for each row."""

ITERATION = 0.1e-6
"""For each row and component, times the number of features and one."""

JUDGING = 10.0e-6
"""The same."""

WRITING = 15.0e-6
"""For each row: sorted on the disk, and written."""

_PASSES_OF_MML = 2.0  # of a fit with the largest number of components, in its iterations


def dry_run(
    screen: Screen,
    plan: Plan,
    recipe: Recipe,
    *,
    fit: dict[str, Any] | None = None,
    n_components: int | None = None,
    n_jobs: int = -1,
    wanted: ListWanted | None = None,
    written: Path | None = None,
) -> None:
    """Say what a command would do.

    Parameters
    ----------
    screen : Screen
    plan : Plan
    recipe : Recipe
    fit : dict, optional
        Settings of the fit, if there is one.
    n_components : int, optional
        Of the model, if it is there.
    n_jobs : int
    wanted : ListWanted, optional
        The list, if there is one.
    written : Path, optional
        The model file.
    """
    n, d = plan.n_rows, len(recipe.names)
    steps = [("survey: one pass over all rows", SURVEY)] if plan.is_in_parts else []
    k = n_components or 0
    if fit is not None:
        k, words = _fit_in_words(fit)
        passes = fit["max_iter"] * (1.0 if isinstance(fit["n_components"], int) else _PASSES_OF_MML)
        steps.append((words, passes * ITERATION * k * (d + 1)))
    if wanted is not None:
        steps.append(
            ("judge: p-value, clean values and surprise of each object", JUDGING * k * (d + 1))
        )
        if wanted.out is not None:
            steps.append((_write_in_words(plan, wanted.out), WRITING))
    if written is not None:
        steps.append((f"write: {written} (the model)", 0.0))
    n_threads = (os.cpu_count() or 1) if n_jobs < 0 else max(n_jobs, 1)
    screen.lines(f"{plan.in_words()}\nfeatures: {', '.join(recipe.names)}")
    for words, cost in steps:
        screen.lines(words + ("" if n is None else _time(cost * n / n_threads)))
    total = None if n is None else sum(cost for _, cost in steps) * n / n_threads
    of_times = "" if n is None else " Times are for machines like that of docs/scaling.md."
    screen.lines(f"Nothing was done (--dry-run).{of_times}")
    screen.json(
        {
            "dry_run": True,
            "catalogue": str(plan.path),
            "n_rows": n,
            "bytes_in_memory": plan.need,
            "bytes_allowed": plan.allowed,
            "in_parts": plan.is_in_parts,
            "features": recipe.names,
            "steps": [words for words, _ in steps],
            "seconds": total,
        }
    )


def _fit_in_words(fit: dict[str, Any]) -> tuple[int, str]:
    number, most = fit["n_components"], fit["max_iter"]
    if isinstance(number, int):
        return number, f"fit: {number} component{'s' * (number != 1)}, at most {most:,} iterations"
    k = int(fit["max_components"])
    return k, f"fit: at most {k} components (by {number}), at most {most:,} iterations with each"


def _write_in_words(plan: Plan, out: Path) -> str:
    if not plan.is_in_parts:
        return f"write: {out}"
    size = size_in_words(plan.need)
    return f"write: {out}; until then up to {size} of part files beside it, with which a killed run goes on"


def _time(seconds: float) -> str:
    from peculiar.cli.progress import clock

    if seconds < 1:
        return ""
    if seconds >= 7200:
        return f"; about {seconds / 3600:.0f} hours"
    return f"; about {clock(seconds)}"
