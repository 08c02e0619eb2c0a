"""A line on standard error that moves, gone when the work is done."""

from __future__ import annotations

import math
import sys
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from peculiar.cli.progress import Course, clock, memory_in_words
from peculiar.cli.streams import width_of


class Bar(Course):
    """A line with a bar (once the end can be seen), what is being done, and the time left."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.display = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=10),
            TimeElapsedColumn(),
            TextColumn("{task.fields[rest]}", markup=False),
            console=Console(stderr=True, highlight=False, width=width_of(sys.stderr, 80)),
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

    def _show(
        self, text: str, done: float, total: float | None, seconds: float, guess: str = "about"
    ) -> None:
        self.display.update(
            self.task,
            description=f"{self.what}: {text}",
            completed=done,
            total=total,
            rest=("" if math.isnan(seconds) else f"{guess} {clock(seconds)} left")
            + memory_in_words(),
        )
