"""Rows that stay where they are: in files, or on a cluster. What estimators ask of them, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.backends import Backend
from peculiar.backends.sample import Sample
from peculiar.catalogue.recipe import Recipe
from peculiar.errors import InputError, SettingError
from peculiar.fitting.start import robust_scaling
from peculiar.observations import Noise, Observations, Scaling, take_rows
from peculiar.population import Population
from peculiar.validation import CheckedRows, Extent, check_enough, check_spread

if TYPE_CHECKING:
    from peculiar.estimators.rows import Answer, Question


class Summary(NamedTuple):
    """What is known of rows before a fit: those that stand for all, and how far all reach."""

    sample: Sample
    extent: Extent

    @classmethod
    def of(cls, first: int, rows: CheckedRows) -> Summary:
        """Of some rows that observe anything; ``first`` such rows come before them."""
        return cls(Sample.of(first, *rows), Extent.of(*rows))

    def plus(self, other: Summary) -> Summary:
        """Of two parts that follow each other."""
        return Summary(self.sample.plus(other.sample), self.extent.plus(other.extent))


class Elsewhere(Protocol):
    """Rows that stay where they are. They are asked for sums, and for answers about each of them.

    The numbers are those of the same rows in memory, however they are cut into parts.
    """

    @property
    def what(self) -> str:
        """What it is, for messages: "scan"."""
        ...

    @property
    def n_features(self) -> int:
        """Number of features."""
        ...

    @property
    def names(self) -> tuple[str, ...] | None:
        """Labels of the features, if they have any."""
        ...

    @property
    def recipe(self) -> Recipe | None:
        """How the features are made of the columns of a catalogue, if that is known."""
        ...

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        ...

    @property
    def is_noisy(self) -> bool:
        """Whether any error is not 0."""
        ...

    @property
    def lacks_errors(self) -> bool:
        """Whether it is clear, before anything is computed, that no errors were given."""
        ...

    def whole(self) -> CheckedRows:
        """All rows, in memory: for those that are few."""
        ...

    def parts(self) -> Iterator[CheckedRows]:
        """All rows, in the order of the table, some at a time."""
        ...

    def summary(self) -> Summary:
        """Of the rows that observe anything."""
        ...

    def backend(self, scaling: Scaling, summary: Summary, n_threads: int) -> Backend:
        """The rows that observe anything, in these units, to fit a mixture to."""
        ...

    def ask(self, population: Population, question: Question[Answer]) -> Answer:
        """The answer of a population about each row, in the order of the table; perhaps not computed yet."""
        ...

    def add_up(self, population: Population, question: Question[Floats]) -> Floats:
        """The sum of the answers about all parts, computed."""
        ...


class Labels(NamedTuple):
    """Features as messages call them: what is known of a model where there is none."""

    feature_names_in_: tuple[str, ...] | None


def prepare(rows: Elsewhere, model: Any, least: int, n_threads: int) -> Backend:
    """Rows in units of their spread, for a fit.

    Parameters
    ----------
    rows : Elsewhere
    model : PlainMixture
        Knows the names of the features, for messages.
    least : int
        The rows must be able to tell so many components apart.
    n_threads : int

    Returns
    -------
    Backend
    """
    summary = rows.summary()
    sample = summary.sample
    check_enough(model, sample.values, sample.noise, least, summary.extent)
    scaling = robust_scaling(sample.values, sample.noise)
    check_spread(model, scaling)
    return rows.backend(scaling, summary, n_threads)


def observed(values: Floats, noise: Noise) -> tuple[Ints, CheckedRows]:
    """The rows that observe anything, and their numbers."""
    numbers = np.flatnonzero(~np.isnan(values).all(axis=1))
    if len(numbers) == len(values):
        return numbers, CheckedRows(values, noise)
    return numbers, CheckedRows(values[numbers], take_rows(noise, numbers))


def sample_in_units(summary: Summary, scaling: Scaling, largest: Floats) -> Observations:
    """The rows that stand for all."""
    return Observations.part(summary.sample.values, summary.sample.noise, scaling, largest)


def refuse_other_features(model: Any, rows: Elsewhere) -> None:
    """InputError if a model was fitted to others than those of the rows."""
    if rows.n_features != model.n_features_in_:
        listed = "" if rows.names is None else f" ({', '.join(rows.names)})"
        raise InputError(
            f"the {rows.what} has {rows.n_features} features{listed}, but the model was fitted to "
            f"{model.n_features_in_}"
        )
    recipe, names = getattr(model, "recipe_", None), getattr(model, "feature_names_in_", None)
    fitted = names if recipe is None else recipe.names
    if fitted is not None and rows.names is not None and tuple(fitted) != rows.names:
        raise InputError(
            f"the model was fitted to {', '.join(fitted)}, but the {rows.what} has {', '.join(rows.names)}"
        )


def refuse_random(engine: Any) -> None:
    """SettingError for an engine whose random numbers follow from the place of a row in memory."""
    if engine.is_random:
        raise SettingError(
            f"engine={engine.name!r} draws random numbers for rows in memory, and cannot read them in parts; choose "
            "engine='exact'"
        )


def join(answers: list[Any]) -> Any:
    """Answers about parts of a table, one after the other."""
    first = answers[0]
    if not isinstance(first, tuple):
        return np.concatenate(answers)
    return like(first, [join(list(several)) for several in zip(*answers, strict=True)])


def like(answer: tuple[Any, ...], arrays: list[Any]) -> Any:
    """A tuple of the kind of this one."""
    return type(answer)(*arrays) if hasattr(answer, "_fields") else tuple(arrays)


def reach_of(population: Population) -> Scaling:
    """Units of the smallest scatter of each feature: in these no value may be too far away."""
    scatters = population.params.scatters
    smallest = np.sqrt(np.diagonal(scatters, axis1=1, axis2=2).min(axis=0))
    return Scaling(population.scaling.shift, smallest)
