"""Rows in partitions of Dask: a table of which this process never holds more than a sample."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.backends.dask import DaskBackend
from peculiar.backends.dask.arrays import blocks_of, rows_of
from peculiar.backends.dask.cluster import compute, compute_all, fits, persist
from peculiar.backends.dask.tasks import copies, in_one_layer, in_tree, mapped, once
from peculiar.catalogue.recipe import Recipe
from peculiar.catalogue.scanning import Scan
from peculiar.errors import InputError
from peculiar.estimators import partition_work as work
from peculiar.estimators.elsewhere import Labels, Summary, like, sample_in_units
from peculiar.observations import NoNoise, Scaling
from peculiar.population import Population
from peculiar.validation import CheckedRows

if TYPE_CHECKING:
    from peculiar.estimators.rows import Answer, Question


class Partitions:
    """A table in partitions of Dask, for estimators to take in the place of ``X``.

    ``RobustMixture.fit(partitions)`` sends the parameters to the partitions and gets sums back. What is asked about
    each row is answered by Dask arrays, which nothing computes yet. Dask arrays and Dask DataFrames can be given to the
    estimators as they are; this class is for what else Dask can make: files in a format of your own, or another
    library's catalogue.

    Parameters
    ----------
    parts : sequence of dask.delayed.Delayed
        In the order of the table. Each gives the measured rows of one partition: something with the attributes ``X``,
        ``X_std`` and ``X_cov``, such as :class:`peculiar.catalogue.Measurements`. A partition may be empty.
    names : sequence of str, or int
        Labels of the features, or how many there are.
    recipe : Recipe, optional
        How the features were made of the columns of a catalogue. A model that is fitted keeps it.
    lengths : sequence of int, optional
        Number of rows of each partition, if it is known: answers have a known shape then.
    keep : bool, optional
        Whether rows stay in the memory of the workers once they are there, as blocks of 64-bit floats, or are made
        anew for every pass. None: if they fill at most half of it.
    places : sequence of str, optional
        Where the rows of each partition come from, for messages.

    Examples
    --------
    >>> import dask
    >>> import numpy as np
    >>> from peculiar import Partitions, RobustMixture
    >>> from peculiar.catalogue import measure
    >>> @dask.delayed
    ... def night(seed):
    ...     sky = np.random.default_rng(seed)
    ...     return measure({"u": sky.normal(size=300), "u_err": sky.uniform(0.1, 1, 300)}, "u")
    >>> nights = Partitions([night(seed) for seed in range(5)], ["u"])
    >>> model = RobustMixture(1, random_state=0).fit(nights)
    >>> model.score_samples(nights).compute().shape
    (1500,)
    """

    what = "table"

    def __init__(
        self,
        parts: Sequence[Any],
        names: Sequence[str] | int,
        *,
        recipe: Recipe | None = None,
        lengths: Sequence[int] | None = None,
        keep: bool | None = None,
        places: Sequence[str] = (),
    ) -> None:
        if not len(parts):
            raise InputError(
                "the table has no partitions; there is nothing to fit, or to ask about"
            )
        self.names = None if isinstance(names, int) else tuple(names)
        self.n_features = names if isinstance(names, int) else len(names)
        if recipe is not None and recipe.names != self.names:
            raise InputError(
                f"the labels of the features are not those of the recipe, {', '.join(recipe.names)}"
            )
        self.recipe, self.lacks_errors = recipe, False
        self._keep, self._is_kept = keep, False
        self._lengths = None if lengths is None else tuple(lengths)
        starts = [None] * len(parts) if lengths is None else _starts(lengths)
        labels = Labels(self.names)
        self._places = [
            work.Place(number, first, labels, self.n_features, place)
            for number, (first, place) in enumerate(
                zip(starts, places or [""] * len(parts), strict=True)
            )
        ]
        # Tasks of the user have a graph each, which Dask would go through for every pass.
        self._rows = in_one_layer(mapped(work.check, "check", parts, self._places))

    @classmethod
    def of(
        cls, X: Any, X_std: Any = None, X_cov: Any = None, *, keep: bool | None = None
    ) -> Partitions:
        """Those of a Dask array or DataFrame and of its errors, or of a scan.

        Parameters
        ----------
        X : dask array of shape (n, d), dask DataFrame, or Scan
            Measured values; NaN where missing. A scan is cut into pieces, which the workers read: they must see its
            files under the same names.
        X_std : dask array of shape (n, d), or dask DataFrame, optional
            One-sigma errors, cut in the same way.
        X_cov : dask array of shape (n, d, d), optional
            Error covariances.
        keep : bool, optional
            As for the class.

        Returns
        -------
        Partitions
        """
        if isinstance(X, Scan):
            return cls._of_scan(X, keep)
        if X_std is not None and X_cov is not None:
            raise InputError(
                "both X_std and X_cov were given; give the errors once, X_cov if they are correlated"
            )
        blocks = blocks_of(X, X_std=X_std, X_cov=X_cov)
        nothing = [None] * len(blocks.X)
        given = blocks.X, blocks.X_std or nothing, blocks.X_cov or nothing
        names = blocks.n_features if blocks.names is None else blocks.names
        parts = mapped(work.Measured, "rows", *given)
        table = cls(parts, names, lengths=blocks.lengths, keep=keep)
        table.lacks_errors = X_std is None and X_cov is None
        return table

    @classmethod
    def _of_scan(cls, scan: Scan, keep: bool | None) -> Partitions:
        pieces, d = scan.pieces(), len(scan.names)
        parts = mapped(work.read_piece, "read", pieces, [d] * len(pieces))
        places = [str(piece.stretch) for piece in pieces]
        table = cls(parts, scan.names, recipe=scan.recipe, keep=keep, places=places)
        table.lacks_errors = not scan.is_noisy
        return table

    def __len__(self) -> int:
        """Number of partitions."""
        return len(self._rows)

    # ----------------------------------------------------------------------- what all rows tell

    @property
    def n_rows(self) -> int:
        """How many rows there are; they are counted if Dask does not know it."""
        return sum(self.lengths)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Number of rows of each partition."""
        if self._lengths is not None:
            return self._lengths
        return tuple(part.n_rows for part in self._profiles)

    @property
    def is_noisy(self) -> bool:
        """Whether any error is not 0."""
        return self.errors.is_noisy

    @property
    def errors(self) -> work.Errors:
        """Kind and size of the errors of all rows."""
        return functools.reduce(work.Errors.plus, (part.errors for part in self._profiles))

    @cached_property
    def _profiles(self) -> list[work.Profile]:
        """One pass: over rows that are kept from then on, if they fit."""
        if self._keep or (self._keep is None and self._lengths is not None and self._may_fit()):
            self._keep_rows()
        profiles = compute_all(mapped(work.profile, "profile", self._rows), self._rows)
        if self._keep is None and fits(sum(part.n_bytes for part in profiles)):
            self._keep_rows()
        return profiles

    def _may_fit(self) -> bool:
        """Whether rows fit into memory even if their errors are correlated."""
        numbers = self.n_features * (1 if self.lacks_errors else 1 + self.n_features) + 2
        return fits(8 * numbers * sum(self._lengths or ()))

    def _keep_rows(self) -> None:
        if not self._is_kept:
            self._rows, self._is_kept = persist(self._rows), True

    def whole(self) -> CheckedRows:
        """All rows, in memory: for those that are few."""
        errors, parts = self.errors, compute_all(self._rows, self._rows)
        values = np.concatenate([part.values for part in parts])
        noises = [errors.as_of_all(part.noise, self.n_features) for part in parts]
        first = noises[0]
        if isinstance(first, NoNoise):
            return CheckedRows(values, NoNoise(len(values)))
        return CheckedRows(values, type(first)(np.concatenate([noise[0] for noise in noises])))

    def parts(self) -> Iterator[CheckedRows]:
        """All rows, in the order of the table, a partition at a time in this process."""
        errors = self.errors
        for number, task in enumerate(self._rows):
            (part,) = compute_all([task], [task], [number])
            yield CheckedRows(part.values, errors.as_of_all(part.noise, self.n_features))

    def summary(self) -> Summary:
        """Of the rows that observe anything. Two passes: where a row stands decides whether it is in the sample."""
        counts = [part.n_observed for part in self._profiles]
        some = [number for number, count in enumerate(counts) if count]
        if not some:
            raise InputError("no row has an observed value; there is nothing to fit")
        firsts, errors = _starts(counts), once(self.errors, "errors")
        parts = mapped(
            work.summarise,
            "sample",
            [self._rows[number] for number in some],
            [firsts[number] for number in some],
            [errors] * len(some),
        )
        total: Summary = compute(in_tree(parts, Summary.plus), self._rows)
        return total

    # ------------------------------------------------------------------------------- for a fit

    def backend(self, scaling: Scaling, summary: Summary, n_threads: int) -> DaskBackend:
        """The rows that observe anything, in these units, to fit a mixture to."""
        some = [number for number, part in enumerate(self._profiles) if part.n_observed]
        parts = mapped(
            work.rows_to_fit,
            "units",
            [self._rows[number] for number in some],
            [self._places[number] for number in some],
            [once(scaling, "scaling")] * len(some),
            [once(self.errors, "errors")] * len(some),
        )
        if self._is_kept:
            parts = persist(parts)
        stand_for_all = sample_in_units(summary, scaling, self.errors.largest)
        return DaskBackend(
            dict(zip(some, parts, strict=True)), stand_for_all, summary.extent.n, n_threads
        )

    # ------------------------------------------------------------------- questions about rows

    def ask(self, population: Population, question: Question[Answer]) -> Answer:
        """The answer of a population about each row: Dask arrays, not computed yet."""
        asked = work.Asked(population, question)
        example, lengths = asked.example(), self._known_lengths
        answers = self._each(work.answer, asked)
        answer: Answer
        if isinstance(example, tuple):
            arrays = [rows_of(answers, i, array, lengths) for i, array in enumerate(example)]
            answer = like(example, arrays)
        else:
            answer = rows_of(answers, None, example, lengths)
        return answer

    def add_up(self, population: Population, question: Question[Floats]) -> Floats:
        """The sum of the answers about all partitions, computed."""
        shares = self._each(work.share, work.Asked(population, question))
        total: Floats = compute(in_tree(shares), self._rows)
        return total

    def _each(self, what: Callable[..., Any], asked: work.Asked) -> list[Any]:
        known = once(asked, "question"), self._errors_later()
        columns = ([thing] * len(self) for thing in known)
        return mapped(what, what.__name__, self._rows, self._places, *columns)

    def _errors_later(self) -> Any:
        """What all errors are: known, or a task.

        The task has copies of the partitions of its own. They could not be let go otherwise before each was asked
        about, as that waits for all errors: a table larger than the memory of the workers would fill it.
        """
        if "_profiles" in vars(self):
            return once(self.errors, "errors")
        if self.lacks_errors:
            return once(work.Errors(0, False, np.zeros(self.n_features)), "errors")
        rows = self._rows if self._is_kept else copies(self._rows)
        return in_tree(mapped(work.Errors.of, "errors", rows), work.Errors.plus)

    @property
    def _known_lengths(self) -> tuple[int, ...] | None:
        return self.lengths if self._lengths is not None or "_profiles" in vars(self) else None


def _starts(lengths: Sequence[int]) -> list[int]:
    """Number of the first row of each part."""
    return [0, *np.cumsum(lengths)[:-1].tolist()]
