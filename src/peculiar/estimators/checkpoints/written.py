"""The journal of a search that is in a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import CheckpointError
from peculiar.estimators.checkpoints.made_with import differences
from peculiar.estimators.checkpoints.plain import from_plain, to_plain
from peculiar.estimators.checkpoints.setting import Checkpoint
from peculiar.fitting.journal import Journal, R_co, S, State, Task
from peculiar.sealed import Kind, read_sealed, write_sealed

WAY_OUT = "delete it to begin anew, or give another name"
KIND = Kind("checkpoint", 1, CheckpointError, WAY_OUT)


@dataclass(frozen=True)
class Kept:
    """How far a search has come. One value: whoever is interrupted has the one before or the one after.

    Attributes
    ----------
    done : tuple of dict
        Names and results of the tasks that are done.
    running : tuple of str and State, or None
        Name and state of the next one, if it has begun.
    """

    done: tuple[dict[str, Any], ...] = ()
    running: tuple[str, State] | None = None

    def __str__(self) -> str:
        n_done, bounds = len(self.done), getattr(self.running and self.running[1], "bounds", ())
        stages = f"{n_done} finished stage{'s' * (n_done != 1)}"
        if not bounds:
            return stages
        return f"iteration {len(bounds)}{f' after {stages}' if n_done else ''}"

    def plain(self) -> dict[str, Any]:
        """As JSON's types."""
        running = None
        if self.running is not None:
            running = {"task": self.running[0], "state": to_plain(self.running[1])}
        return {"done": list(self.done), "running": running}

    @classmethod
    def of(cls, content: dict[str, Any]) -> Kept:
        """From these."""
        for record in content["done"]:  # now, not in the middle of a fit
            str(record["task"]), from_plain(record["result"])
        running = content["running"]
        if running is not None:
            running = str(running["task"]), from_plain(running["state"])
        return cls(tuple(content["done"]), running)


class WrittenJournal(Journal):
    """Keeps the results of the tasks that are done, and the state of the one that is being run.

    The file holds both, the seed, and what it was made with. What is read from it is taken in the order in which tasks
    are run; after that, tasks are run as ever.

    Parameters
    ----------
    checkpoint : Checkpoint
    made_with : dict
        Data and settings (:mod:`~peculiar.estimators.checkpoints.made_with`); CheckpointError if the file has others.
    seed : int
        For a search that has none; the file may know another.

    Attributes
    ----------
    kept, on_disk : Kept
        How far it has come, and as far as the file has it.
    """

    def __init__(self, checkpoint: Checkpoint, made_with: dict[str, Any], seed: int) -> None:
        self.checkpoint, self._seed, self.kept = checkpoint, seed, Kept()
        self._made_with = made_with
        if self.is_written:
            self._read()
        self.on_disk, self._n_since, self._when = self.kept, 0, time.monotonic()
        self._n_taken = 0

    @property
    def is_written(self) -> bool:
        """Whether there is a file."""
        return Path(self.checkpoint.path).exists()

    def run(self, task: Task[S, R_co]) -> R_co:
        """The result of a task: from the file, as far as it goes."""
        name = type(task).__name__
        if self._n_taken < len(self.kept.done):
            known: R_co = self._take(name)
            return known
        state: S = self._resume(name) or task.begin()
        self.kept = replace(self.kept, running=(name, state))
        while not state.is_over:
            state = task.advance(state)
            self.kept = replace(self.kept, running=(name, state))
            self._write_if_due()
        result = task.result(state)
        self._close(name, result)
        return result

    def seed(self, random_state: Any) -> int:
        """With what the search in the file began."""
        return self._seed

    def once(self, work: Callable[[], Floats]) -> Floats:
        """The result of a single pass: from the file, if it has it."""
        if self._n_taken < len(self.kept.done):
            return np.asarray(self._take("pass"))
        self._resume("pass")
        result = work()
        self._close("pass", result)
        return result

    def write(self) -> None:
        """Write what has been found so far, if that is new."""
        kept = self.kept
        if kept is self.on_disk:
            return
        content = {"made_with": self._made_with, "seed": self._seed, **kept.plain()}
        write_sealed(self.checkpoint.path, KIND, content)
        self.on_disk, self._n_since, self._when = kept, 0, time.monotonic()

    def _write_if_due(self) -> None:
        self._n_since += 1
        often, minutes = self.checkpoint.every_iterations, (time.monotonic() - self._when) / 60.0
        if (often and self._n_since >= often) or minutes >= self.checkpoint.every_minutes:
            self.write()

    def _close(self, name: str, result: Any) -> None:
        """Keep a result instead of the state that led to it."""
        record = {"task": name, "result": to_plain(result)}
        self.kept = Kept((*self.kept.done, record))
        self._n_taken += 1

    def _take(self, name: str) -> Any:
        """The next result."""
        record = self.kept.done[self._n_taken]
        self._refuse_other(record["task"], name)
        self._n_taken += 1
        return from_plain(record["result"])

    def _resume(self, name: str) -> Any:
        """The state of the task, if it has begun."""
        if self.kept.running is None:
            return None
        self._refuse_other(self.kept.running[0], name)
        return self.kept.running[1]

    def _refuse_other(self, stored: str, wanted: str) -> None:
        if stored != wanted:
            raise CheckpointError(
                f"{self.checkpoint.path} does not belong to this fit, although settings and rows are the same "
                f"({stored} is in it, where {wanted} comes next); {WAY_OUT}"
            )

    def _read(self) -> None:
        path = self.checkpoint.path
        content = read_sealed(path, KIND)
        try:
            unlike = differences(content["made_with"], self._made_with)
            seed, kept = int(content["seed"]), Kept.of(content)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(
                f"{path} is no usable checkpoint ({type(error).__name__}: {error}); {WAY_OUT}"
            ) from None
        if unlike:
            raise CheckpointError(
                f"the fit cannot go on from {path}: {'; '.join(unlike)}. Give the same data and settings; or {WAY_OUT}"
            )
        self._seed, self.kept = seed, kept
