"""What a fit says on its way: to whoever listens, or in print when it is asked to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Protocol

from peculiar.fitting.loop import Progress
from peculiar.fitting.select.criteria import Row
from peculiar.fitting.select.descend import OnPass
from peculiar.fitting.shrink import OnAmount


class Listener(Protocol):
    """Hears of every iteration of the fits that run while it listens."""

    def on_iteration(self, iteration: int, bound: float, change: float) -> None:
        """After an iteration: the mean log-likelihood (or its bound), and what it gained."""
        ...

    def on_pass(self, n_components: int, n_passes: int, length: float) -> None:
        """After a pass over the rows, on the way down: the number of components, of passes, and the message length."""
        ...

    def on_level(self, row: Row, criterion: str, n_iter: int) -> None:
        """After the last iteration with a number of components."""
        ...

    def on_amount(self, done: int, most: int) -> None:
        """After a fit that tells how far to shrink the scatters: how many are done, of how many."""
        ...


_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener about the fits of this block; they then print nothing.

    Not a setting of the estimator: those are kept in model files, and copied by ``clone``.

    Parameters
    ----------
    listener : Listener
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def pass_progress() -> OnPass | None:
    """Who listens to passes, if anybody does."""
    listener = _LISTENER.get()
    return None if listener is None else listener.on_pass


def amount_progress() -> OnAmount | None:
    """Who listens to fits that tell how far to shrink the scatters, if anybody does."""
    listener = _LISTENER.get()
    return None if listener is None else listener.on_amount


class IterationPrinter:
    """Prints the progress of a fit."""

    def __init__(self, verbose: int) -> None:
        self.every = 10 if verbose == 1 else 1

    @classmethod
    def of(cls, verbose: int) -> Progress | None:
        """One, if it was asked for; or who listens."""
        listener = _LISTENER.get()
        if listener is not None:
            return listener.on_iteration
        return cls(verbose) if verbose else None

    def __call__(self, iteration: int, bound: float, change: float) -> None:
        """After an iteration."""
        if iteration % self.every == 0:
            message = (
                f"iteration {iteration:4d}: mean log-likelihood {bound:.9f}, change {change:+.2e}"
            )
            print(message)  # noqa: T201 (verbose was asked for)


class LevelPrinter:
    """Prints what each number of components costs."""

    def __init__(self, criterion: str) -> None:
        self.criterion = criterion

    @classmethod
    def of(cls, verbose: int, criterion: str) -> Callable[[Row, int], None] | None:
        """One, if it was asked for; or who listens."""
        listener = _LISTENER.get()
        if listener is not None:
            return lambda row, n_iter: listener.on_level(row, criterion, n_iter)
        return cls(criterion) if verbose else None

    def __call__(self, row: Row, n_iter: int) -> None:
        """After the last iteration with a number of components."""
        name, value = self.criterion.replace("_", " "), getattr(row, self.criterion)
        message = f"{row.n_components:4d} components: {name} {value:.2f} after {n_iter} iterations"
        print(message)  # noqa: T201 (verbose was asked for)
