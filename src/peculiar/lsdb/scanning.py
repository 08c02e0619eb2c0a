"""A catalogue of LSDB, and how features are made of it: partition by partition, the same as if all were in memory."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from peculiar.backends.dask.cluster import compute_all
from peculiar.backends.dask.tasks import mapped, once
from peculiar.catalogue.columns.limits import Content, confirm_flags
from peculiar.catalogue.columns.names import listed
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.expressions.elements import bases_of
from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.catalogue.recipe import Recipe
from peculiar.catalogue.survey import Survey, conclude
from peculiar.errors import CatalogueError, InputError, RowError
from peculiar.estimators.partitions import Partitions
from peculiar.lsdb import work


@dataclass(frozen=True)
class CatalogScan:
    """A catalogue of LSDB, and how features are made of it. Make one with :func:`scan`.

    :func:`fit` and :func:`score` take it in the place of a catalogue, and make its survey only once.

    Attributes
    ----------
    catalog : lsdb.Catalog
    recipe : Recipe
    """

    catalog: Any
    recipe: Recipe

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the features."""
        return self.recipe.names

    @property
    def pairing(self) -> Pairing:
        """Which column was taken as the error of which."""
        return self.survey.pairing

    @property
    def notes(self) -> tuple[str, ...]:
        """How many values became missing, and why."""
        return self.survey.notes

    @property
    def n_rows(self) -> int:
        """How many rows the catalogue has."""
        return self.survey.tally.n_rows

    @property
    def partitions(self) -> Partitions:
        """The features of all rows, in partitions: what estimators take in the place of ``X``."""
        known = once(self.measure, "recipe")
        frames, places = self._frames, self._places
        parts = mapped(work.features, "features", frames, places, [known] * len(frames))
        return Partitions(parts, self.names, recipe=self.recipe)

    @property
    def measure(self) -> work.Measure:
        """How any partition becomes features, as it would among all others."""
        survey = self.survey
        return replace(self._assumed, pairing=survey.pairing, whole=survey.whole, is_surveyed=True)

    @cached_property
    def survey(self) -> Survey:
        """What only all rows can tell. One pass; partitions that were misled about the whole are looked at again."""
        numbers = range(len(self._frames))
        looks = dict(zip(numbers, self._look(numbers, self._assumed), strict=True))
        contents: dict[str, Content] = {}
        for look in looks.values():
            for name, content in look.contents.items():
                contents[name] = contents[name].plus(content) if name in contents else content
        if not any(look.tally.n_rows for look in looks.values()):
            raise CatalogueError("the catalogue has no rows; there is nothing to measure")
        pairing = confirm_flags(self._assumed.pairing, None, contents)
        known = replace(self._assumed, pairing=pairing, is_surveyed=True)
        others = [i for i, look in looks.items() if look.is_misled(pairing, known.whole.positive)]
        looks.update(zip(others, self._look(others, known), strict=True))
        tally = _added(looks.values())
        others = [i for i, look in looks.items() if look.is_misled(pairing, tally.positive)]
        known = replace(known, whole=Whole(tally.positive))
        looks.update(zip(others, self._look(others, known), strict=True))
        try:
            return conclude(parse_features(self.recipe.features), pairing, _added(looks.values()))
        except RowError as error:
            lengths = [look.tally.n_rows for look in looks.values()]
            raise self._placed(error, lengths) from None

    def _look(self, numbers: Sequence[int], measure: work.Measure) -> list[work.Look]:
        """Look at some partitions."""
        if not numbers:
            return []
        frames, places = ([all_[i] for i in numbers] for all_ in (self._frames, self._places))
        known = once(measure, "recipe")
        return compute_all(mapped(work.look, "survey", frames, places, [known] * len(frames)))

    def _placed(self, error: RowError, lengths: Sequence[int]) -> RowError:
        """The same error, with the partition of the row."""
        ends = np.cumsum(lengths)
        number = int(np.searchsorted(ends, error.row, side="right"))
        inside = error.row - int(ends[number] - lengths[number])
        return RowError(error.row, f" (row {inside} of {self._places[number]}){error.text}")

    @cached_property
    def _assumed(self) -> work.Measure:
        """How partitions are measured at first: by the names of the columns alone."""
        available = plain_columns(self.catalog)
        try:
            pairing = self.recipe.pair(dict.fromkeys(available, ""))
        except CatalogueError as error:
            raise CatalogueError(f"{error}{_not_opened(self.catalog)}") from None
        columns = tuple(bases_of(pairing.needed(), available))
        return work.Measure(
            self.recipe, columns, pairing, Whole(frozenset(pair.column for pair in pairing.columns))
        )

    @cached_property
    def _frames(self) -> list[Any]:
        """The columns that are needed: a delayed frame for each partition, in the order of their pixels."""
        some = self.catalog[list(self._assumed.columns)]
        return list(some.to_dask_dataframe(divisions=False).to_delayed())

    @cached_property
    def _places(self) -> list[str]:
        """The partitions in words."""
        pixels = self.catalog.get_ordered_healpix_pixels()
        return [f"partition {i} ({work.name_of(pixel)})" for i, pixel in enumerate(pixels)]


def scan(
    catalog: Any,
    features: str | Sequence[str] | Recipe,
    *,
    errors: Mapping[str, Any] | None = None,
    no_error: Collection[str] = (),
    covariances: Mapping[tuple[str, str], str | None] | None = None,
    limits: Mapping[str, str | None] | None = None,
    missing: Sequence[float | str] = (),
    zero_errors: str = "missing",
    sigma: float = 1.0,
    percent: bool = False,
    error_floor: float | Mapping[str, float] = 0.0,
) -> CatalogScan:
    """A catalogue of LSDB, and how features are made of it, for whoever uses both more than once.

    Nothing is computed yet. What only all rows can tell (which columns are flags of limits, what an error of 0 means,
    how large errors are) is found in one pass when it is first needed, and remembered.

    Parameters
    ----------
    catalog : lsdb.Catalog
        As ``lsdb.open_catalog`` or ``lsdb.from_dataframe`` gives it.
    features : str, sequence of str or Recipe
        Expressions of columns, separated by commas: ``"u - r, g - r"``.
    errors, no_error, covariances, limits, missing, zero_errors, sigma, percent, error_floor
        As for :func:`peculiar.catalogue.measure`.

    Returns
    -------
    CatalogScan
    """
    check_catalog(catalog)
    given: dict[str, Any] = {
        "errors": errors,
        "no_error": no_error,
        "covariances": covariances,
        "limits": limits,
        "missing": missing,
        "zero_errors": zero_errors,
        "sigma": sigma,
        "percent": percent,
        "error_floor": error_floor,
    }
    if isinstance(features, Recipe):
        refuse_options(given, "a recipe, which says")
        return CatalogScan(catalog, features)
    return CatalogScan(catalog, Recipe.of(features, **given))


def scan_of(catalog: Any, features: Any, options: dict[str, Any]) -> CatalogScan:
    """A catalogue with its features, from what a function was given."""
    if not isinstance(catalog, CatalogScan):
        if features is None:
            raise InputError("features are needed: expressions of columns, such as 'u - r, g - r'")
        return scan(catalog, features, **options)
    given = ["features"] * (features is not None) + list(options)
    if given:
        raise InputError(f"{given[0]} was given beside a scan, which knows its features")
    return catalog


def refuse_options(given: Mapping[str, Any], beside: str) -> None:
    """InputError if there are options about features beside something that knows all about them."""
    usual = Recipe("x")
    for name, value in given.items():
        if value and value != getattr(usual, name):
            raise InputError(f"{name}={value!r} was given beside {beside} how features are made")


def check_catalog(catalog: Any) -> None:
    """InputError if it is no catalogue of LSDB."""
    if not all(hasattr(catalog, name) for name in ("map_partitions", "hc_structure")):
        raise InputError(
            f"{type(catalog).__name__} is no catalogue of LSDB; open one with lsdb.open_catalog(path). For files there "
            "is peculiar.scan, for Dask arrays the estimators themselves"
        )


def plain_columns(catalog: Any) -> list[str]:
    """Names of the columns that have one value in a row."""
    nested = set(catalog.nested_columns)
    return [str(name) for name in catalog.columns if name not in nested]


def _not_opened(catalog: Any) -> str:
    """Which columns the catalogue has beside those that were opened, in words."""
    others = [str(name) for name in catalog.all_columns if name not in set(catalog.columns)]
    if not others:
        return ""
    return (
        f" (The catalogue has columns that were not opened: {listed(others, 8)}; "
        "lsdb.open_catalog(..., columns=[...]) or columns='all' opens them.)"
    )


def _added(looks: Collection[work.Look]) -> Tally:
    """The tally of all rows, with the numbers that these have in the catalogue."""
    tallies, first = [], 0
    for look in looks:
        n = look.tally.n_rows
        tallies.append(look.tally.at(np.arange(first, first + n)) if n else look.tally)
        first += n
    return functools.reduce(Tally.plus, tallies, Tally())
