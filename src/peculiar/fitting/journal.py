"""What runs long goes from state to state, so that it can be stopped anywhere and go on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from peculiar.arrays import Floats


class State(Protocol):
    """Where a task is: a value that never changes, and all that the rest of the task depends on."""

    @property
    def is_over(self) -> bool:
        """Whether the task is done."""
        ...


S = TypeVar("S", bound=State)
R_co = TypeVar("R_co", covariant=True)


class Task(Protocol[S, R_co]):
    """Work that is done in steps, each a pass over the rows or two."""

    def begin(self) -> S:
        """The first state."""
        ...

    def advance(self, state: S) -> S:
        """The next."""
        ...

    def result(self, state: S) -> R_co:
        """What the last one says."""
        ...


class Journal:
    """Runs one task after the other, from its beginning to its end, and writes nothing down.

    A search is a fixed sequence of tasks, and each of them depends on nothing but the settings, the rows and the
    results before. So a journal that keeps the results, and the state of the task that is being run, can go on for
    somebody who was stopped (:mod:`peculiar.estimators.checkpoints`).
    """

    def run(self, task: Task[S, R_co]) -> R_co:
        """The result of a task."""
        state = task.begin()
        while not state.is_over:
            state = task.advance(state)
        return task.result(state)

    def seed(self, random_state: Any) -> Any:
        """With what to begin: what the user has given."""
        return random_state

    def once(self, work: Callable[[], Floats]) -> Floats:
        """The result of a single pass."""
        return work()


FORGETFUL = Journal()
