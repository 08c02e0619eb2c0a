"""How far it is: what is being done, and how long it will take."""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Self

from peculiar.cli.console import Work
from peculiar.cli.memory import resident_memory, size_in_words
from peculiar.cli.printable import printable
from peculiar.cli.streams import remark

MEMORY = 10
"""Iterations from which the rest is estimated."""

EVERY = 10.0
"""Seconds between lines where nobody watches, and before the first of them."""


class Clock:
    """How long one thing of many takes. It starts anew when things of another kind are done, or fewer than before."""

    def __init__(self) -> None:
        self.kind, self.first, self.last, self.started = "", 0, 0, 0.0

    def of_each(self, kind: str, done: int) -> float:
        """Seconds for one of them; what was done before the clock started took no time now. NaN if that is all.

        Parameters
        ----------
        kind : str
            Of the things.
        done : int
            How many of them are done.
        """
        now = time.monotonic()
        if kind != self.kind or done < self.last:
            self.kind, self.first, self.started = kind, done, now
        self.last = done
        new = done - self.first
        return (now - self.started) / new if new else math.nan


class Course(Work, ABC):
    """Work whose end is estimated; how that is shown is left to others."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.tol, self.max_iter = 0.0, math.inf
        self.started = time.monotonic()
        self.clock = Clock()
        self.most, self.least = 0, math.inf
        self.prefix = ""
        self.n_rows = 0
        self.iteration = 0
        self.bounds: list[float] = []
        self.left: list[float] = []

    def aims_at(self, tol: float, max_iter: int) -> None:
        """When a fit will stop."""
        self.tol, self.max_iter = tol, max_iter

    def has_rows(self, n: int) -> None:
        """How many rows each iteration of a fit has."""
        self.n_rows = n

    def rows(self, done: int, n: int) -> None:
        """So many rows are done."""
        self._count(done, n, "objects")

    def tolerances(self, done: int, n: int) -> None:
        """The error tolerances of so many discoveries are known."""
        self._count(done, n, "error tolerances")

    def _count(self, done: int, n: int, of: str) -> None:
        """So many things are done."""
        text, seconds = f"{done:,} of {n:,} {of}", self.clock.of_each(of, done)
        if seconds > 0:
            text += f", {in_short(1 / seconds)} a second"
        self._show(text, done, n, seconds * (n - done) if seconds > 0 else math.nan)

    def steps(self, done: int, n: int, what: str) -> None:
        """So many steps are done, of so many; what comes next. All are taken to last equally long."""
        self._show(what, done, n, self.clock.of_each(f"{n} steps", done) * (n - done))

    def on_iteration(self, iteration: int, bound: float, change: float) -> None:
        """A fit went on: how many iterations are left is seen from how fast its gains shrink."""
        from peculiar.fitting.stopping import gain_to_come

        # of a fit that begins, or of one that goes on where it was stopped
        if iteration == 1 or iteration != self.iteration + 1:
            self.bounds, self.left, self.started = [], [], time.monotonic()
        self.iteration = iteration
        self.bounds.append(bound)
        self.left.append(gain_to_come(self.bounds))
        expected, allowed = iterations_left(self.left, self.tol), self.max_iter - iteration
        more = min(expected, allowed)
        spent = time.monotonic() - self.started  # since the first of these iterations ended
        done = len(self.bounds) - 1
        per_iteration = spent / done if done else math.nan
        text = f"{self.prefix}iteration {iteration}, log-likelihood {bound:.6f} ({change:+.1e})"
        if self.n_rows and per_iteration > 0:
            text += f", {in_short(self.n_rows / per_iteration)} rows a second"
        if math.isfinite(more):
            guess = "about" if math.isfinite(expected) else "at most"
            self._show(text, iteration, iteration + more, more * per_iteration, guess)
        else:
            self._show(text, 0, None, math.nan)

    def on_level(self, row: Any, criterion: str, n_iter: int) -> None:
        """A number of components was tried."""
        k, value = row.n_components, getattr(row, criterion)
        text = f"{k} component{'s' * (k != 1)}, {criterion.replace('_', ' ')} {value:,.1f}"
        self._show(text, 0, None, math.nan)
        self.prefix = f"after {text}: " if criterion == "bic" else ""

    def on_pass(self, n_components: int, n_passes: int, length: float) -> None:
        """A fit went on. All numbers of components are taken to last equally long: few take more passes."""
        k = n_components
        self.most, self.least = max(self.most, k), min(self.least, k)
        done, spent = self.most - self.least, time.monotonic() - self.started
        text = f"{k} component{'s' * (k != 1)}, pass {n_passes}, message length {length:,.1f}"
        if self.least < k:
            self._show(text, self.most - 1, self.most, math.nan)  # on the way down it was lower
        elif done:
            self._show(text, done, self.most, spent / done * k)
        else:
            self._show(text, 0, None, math.nan)

    def on_amount(self, done: int, most: int) -> None:
        """An amount of shrinkage was tried."""
        self._show(f"how far to shrink the scatters: fit {done} of {most}", done, most, math.nan)

    @abstractmethod
    def _show(
        self, text: str, done: float, total: float | None, seconds: float, guess: str = "about"
    ) -> None:
        """What is being done, how much of it is done, of how much if that is known, and the seconds left or NaN."""


class Lines(Course):
    """Plain lines on standard error, for a log: one every few seconds, and none of work that is done before.

    As long as the block lasts, work that says nothing of itself (reading, writing, compiling) has its lines, too; and
    where a step takes long, they repeat what was last said of it.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.said = self.began = self.started
        self.latest = self.rest = ""
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._go_on, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()

    def _go_on(self) -> None:
        while not self._is_over.wait(EVERY):
            self._say_if_due()

    def remark(self, text: str) -> None:
        """Say something at once, however short the work."""
        remark(printable(f"peculiar: {text}"))

    def _show(
        self, text: str, done: float, total: float | None, seconds: float, guess: str = "about"
    ) -> None:
        self.latest = f"{text}; "
        self.rest = "" if math.isnan(seconds) else f", {guess} {clock(seconds)} left"
        self._say_if_due()

    def _say_if_due(self) -> None:
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            spent = f"{clock(now - self.began)} so far"
            line = f"peculiar: {self.what}: {self.latest}{spent}{self.rest}{memory_in_words()}"
            remark(printable(line))


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


def in_short(number: float) -> str:
    """A large number with two digits.

    Examples
    --------
    >>> in_short(1_234_567), in_short(45_600), in_short(321)
    ('1.2 million', '46,000', '320')
    """
    if number >= 1e6:
        return f"{number / 1e6:.2g} million" if number < 1e8 else f"{number / 1e6:,.0f} million"
    return f"{float(f'{number:.2g}'):,.0f}"


def memory_in_words() -> str:
    """How much memory the process has now, after a semicolon; empty if nobody says."""
    now = resident_memory()
    return "" if math.isnan(now) else f"; {size_in_words(now)} of memory"


def clock(seconds: float) -> str:
    """Seconds in words."""
    whole = math.ceil(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60:02d} s"
