"""What a fit prints when it is asked to."""

from __future__ import annotations

from peculiar.select.criteria import Row


class IterationPrinter:
    """Prints the progress of a fit."""

    def __init__(self, verbose: int) -> None:
        self.every = 10 if verbose == 1 else 1

    @classmethod
    def of(cls, verbose: int) -> IterationPrinter | None:
        """One, if it was asked for."""
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
    def of(cls, verbose: int, criterion: str) -> LevelPrinter | None:
        """One, if it was asked for."""
        return cls(criterion) if verbose else None

    def __call__(self, row: Row, n_iter: int) -> None:
        """After the last iteration with a number of components."""
        name, value = self.criterion.replace("_", " "), getattr(row, self.criterion)
        message = f"{row.n_components:4d} components: {name} {value:.2f} after {n_iter} iterations"
        print(message)  # noqa: T201 (verbose was asked for)
