"""The columns of a ranked list as arrays, as far as they are needed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.population.discoveries import adjusted
from peculiar.report.scene.columns import ListColumns, find_columns
from peculiar.report.scene.recipe import labels_of, recipe_of
from peculiar.report.scene.trust import rate_of

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture


@dataclass(frozen=True, eq=False)
class RankedList:
    """A ranked list, as far as it was read.

    Attributes
    ----------
    table : astropy.table.Table
    columns : ListColumns
    recipe : Recipe or None
        How the features were made, if the list or the model says so.
    title : str
    """

    table: Any
    columns: ListColumns
    recipe: Recipe | None
    title: str

    @property
    def meta(self) -> Mapping[str, Any]:
        """What the list says about itself."""
        meta: Mapping[str, Any] = self.table.meta
        return meta

    def numbers(self, column: str | None) -> Floats | None:
        """A column of numbers, NaN where missing; None if there is no such column."""
        return None if column is None else as_numbers(self.table[column])

    def verdict(self, name: str) -> Floats | None:
        """What was found about each object, as numbers."""
        return self.numbers(self.columns.verdict.get(name))

    def texts(self, name: str) -> NDArray[np.str_] | None:
        """What was found about each object, as text; empty where missing."""
        column = self.columns.verdict.get(name)
        return None if column is None else as_texts(self.table[column])

    def q_values(self) -> Floats:
        """The q-value of each object; Benjamini and Hochberg's if the list has none."""
        said, p = self.verdict("q_value"), self.verdict("p_value")
        assert p is not None  # else it would be no ranked list
        return adjusted(p) if said is None else said

    def is_discovery(self) -> NDArray[np.bool_]:
        """Whether each object is a discovery at the rate of the list."""
        said = self.verdict("is_discovery")
        if said is not None:
            return np.equal(said, 1.0)
        return np.less_equal(self.q_values(), rate_of(self.meta)[0])

    def of_features(self, what: str) -> Floats | None:
        """Values, errors, ... of all features, (n, d); None if one of them has no such column."""
        columns = [getattr(feature, what) for feature in self.columns.features]
        if any(column is None for column in columns):
            return None
        stacked = np.column_stack([as_numbers(self.table[column]) for column in columns])
        if what in ("value", "error") and (surprise := self.of_features("surprise")) is not None:
            # The column of the catalogue has values that were taken for missing, such as -9999.
            stacked[np.isnan(surprise)] = np.nan
        return stacked


def open_list(
    ranked: Any, model: PlainMixture | None, show: Sequence[str] = (), title: str | None = None
) -> RankedList:
    """A ranked list from a file or a table: of a file only the columns that are needed are read.

    Parameters
    ----------
    ranked : path-like or table
    model : PlainMixture or None
        It may know how the features were made.
    show : sequence of str
        Columns of the catalogue to be read, too.
    title : str, optional
        Otherwise the name of the file.
    """
    from peculiar.catalogue import as_table, list_columns, read
    from peculiar.catalogue.columns.names import refuse_unknown

    if not isinstance(ranked, str | os.PathLike):
        table = as_table(ranked)
        recipe = recipe_of(table.meta, model)
        columns = find_columns(table.colnames, labels_of(table.meta, recipe, model))
        refuse_unknown(show, table.colnames, "the list")
        return RankedList(table, columns, recipe, title or "ranked list")
    available = {info.name: info.ucd for info in list_columns(ranked)}
    refuse_unknown(show, list(available), os.fspath(ranked))
    # The metadata come with any column.
    meta = read(ranked, columns=list(available)[:1]).meta
    recipe = recipe_of(meta, model)
    columns = find_columns(list(available), labels_of(meta, recipe, model))
    wanted = [*columns.needed(), *for_errors(recipe, columns, available), *show]
    table = read(ranked, columns=list(dict.fromkeys(wanted)))
    return RankedList(table, columns, recipe, title or Path(ranked).name)


def for_errors(
    recipe: Recipe | None, columns: ListColumns, available: Mapping[str, str]
) -> list[str]:
    """Columns of the catalogue from which the covariances of the errors can be made again; none if some are lacking."""
    from peculiar.catalogue.expressions.elements import bases_of
    from peculiar.errors import CatalogueError

    if recipe is None:
        return []
    ucds = {name: available[name] for name in columns.catalogue}
    try:
        needed = bases_of(list(recipe.pair(ucds).needed()), ucds)
    except CatalogueError:
        return []
    return list(needed) if set(needed) <= set(ucds) else []


def as_numbers(column: Any) -> Floats:
    """A column as floats, NaN where missing; words for true and false, as CSV has them, are 1 and 0."""
    cells = np.ma.asarray(column)
    if cells.dtype.kind in "SU":
        return np.asarray(np.char.lower(as_texts(column)) == "true", dtype=np.float64)
    return np.asarray(np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan))


def as_texts(column: Any) -> NDArray[np.str_]:
    """A column as text, empty where missing."""
    cells = np.ma.asarray(column)
    plain = np.asarray(np.ma.getdata(cells))
    texts = np.char.decode(plain, "utf-8", "replace") if plain.dtype.kind == "S" else plain
    return np.where(np.ma.getmaskarray(cells), "", texts.astype(np.str_))
