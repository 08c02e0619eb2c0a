"""How far it is: a line on standard error, gone when the work is done."""

from __future__ import annotations

import math
import time
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from peculiar.cli.console import Work

MEMORY = 10
"""Iterations from which the rest is estimated."""


class Bar(Work):
    """A line with a bar (once the end can be seen), what is being done, and the time left."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.tol, self.max_iter = 0.0, math.inf
        self.started = time.monotonic()
        self.most = 0
        self.prefix = ""
        self.bounds: list[float] = []
        self.left: list[float] = []
        self.display = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=10),
            TimeElapsedColumn(),
            TextColumn("{task.fields[rest]}", markup=False),
            console=Console(stderr=True, highlight=False),
            transient=True,
        )
        self.task = self.display.add_task(what, total=None, rest="")

    def __enter__(self) -> Self:
        self.display.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.display.stop()

    def remark(self, text: str) -> None:
        """Say something that is true of now."""
        self.display.update(
            self.task, description=f"{self.what}: {text.partition(':')[0]}", rest=""
        )

    def aims_at(self, tol: float, max_iter: int) -> None:
        """When a fit will stop."""
        self.tol, self.max_iter = tol, max_iter

    def rows(self, done: int, n: int) -> None:
        """So many rows are done."""
        self.steps(done, n, f"{done:,} of {n:,} objects")

    def steps(self, done: int, n: int, what: str) -> None:
        """So many steps are done, of so many; what comes next. All are taken to last equally long."""
        spent = time.monotonic() - self.started
        self._show(what, done, n, spent / done * (n - done) if done else math.nan)

    def on_iteration(self, iteration: int, bound: float, change: float) -> None:
        """A fit went on: how many iterations are left is seen from how fast its gains shrink."""
        from peculiar.fitting.stopping import gain_to_come

        if iteration == 1:
            self.bounds, self.left, self.started = [], [], time.monotonic()
        self.bounds.append(bound)
        self.left.append(gain_to_come(self.bounds))
        more = min(iterations_left(self.left, self.tol), self.max_iter - iteration)
        per_iteration = (time.monotonic() - self.started) / iteration
        text = f"{self.prefix}iteration {iteration}, log-likelihood {bound:.6f} ({change:+.1e})"
        if math.isfinite(more):
            self._show(text, iteration, iteration + more, more * per_iteration)
        else:
            self._show(text, 0, None, math.nan)

    def on_level(self, row: Any, criterion: str, n_iter: int) -> None:
        """A number of components was tried."""
        k, value = row.n_components, getattr(row, criterion)
        text = f"{k} component{'s' * (k != 1)}, {criterion.replace('_', ' ')} {value:,.1f}"
        self._show(text, 0, None, math.nan)
        self.prefix = f"after {text}: " if criterion == "bic" else ""

    def on_sweep(self, n_components: int, sweep: int, length: float) -> None:
        """A fit went on. All numbers of components are taken to last equally long: few take more sweeps."""
        k = n_components
        self.most = max(self.most, k)
        done, spent = self.most - k, time.monotonic() - self.started
        text = f"{k} component{'s' * (k != 1)}, sweep {sweep}, message length {length:,.1f}"
        if done:
            self._show(text, done, self.most, spent / done * k)
        else:
            self._show(text, 0, None, math.nan)

    def _show(self, text: str, done: float, total: float | None, seconds: float) -> None:
        self.display.update(
            self.task,
            description=f"{self.what}: {text}",
            completed=done,
            total=total,
            rest="" if math.isnan(seconds) else f"about {_clock(seconds)} left",
        )


def iterations_left(left: list[float], tol: float) -> float:
    """Number of further iterations until less than ``tol`` is still to be gained, at the present rate.

    Parameters
    ----------
    left : list of float
        Estimated gain still to come after each iteration.
    tol : float

    Returns
    -------
    float
        Infinite if the gain does not shrink.

    Examples
    --------
    A tenth is left with each iteration; two more make 1e-6 of 1e-4:

    >>> round(iterations_left([1e-1, 1e-2, 1e-3, 1e-4], tol=1e-6))
    2
    """
    known = [value for value in left[-MEMORY:] if 0.0 < value < math.inf]
    if len(known) < 2 or tol <= 0.0 or known[-1] >= known[0]:
        return math.inf
    rate = math.log(known[0] / known[-1]) / (len(known) - 1)
    return max(0.0, math.log(known[-1] / tol) / rate)


def _clock(seconds: float) -> str:
    whole = math.ceil(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60:02d} s"
