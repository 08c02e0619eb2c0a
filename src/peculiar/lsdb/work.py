"""What is done with one partition of a catalogue, where it is: columns are looked at, and become features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from peculiar.catalogue.columns.limits import Content, confirm_flags, look_at_flags
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.columns.zeros import ZeroErrors
from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.catalogue.features import measure_rows
from peculiar.catalogue.measurements import Measurements
from peculiar.catalogue.recipe import Recipe
from peculiar.catalogue.tables import light_table
from peculiar.errors import CatalogueError, RowError


@dataclass(frozen=True)
class Measure:
    """How features are made of any partition.

    Attributes
    ----------
    recipe : Recipe
    columns : tuple of str
        Those that are needed.
    pairing : Pairing
        By the names of the columns alone, until all rows were looked at.
    whole : Whole
        What is assumed, or known, of all rows.
    is_surveyed : bool
        Whether the pairing is that of the whole; if not, each partition tells flags by what it has in them.
    """

    recipe: Recipe
    columns: tuple[str, ...]
    pairing: Pairing
    whole: Whole
    is_surveyed: bool = False

    def rows(self, frame: Any, place: str, pairing: Pairing) -> tuple[Measurements, Tally]:
        """The features of a partition that has rows, and what these show of the whole."""
        table = light_table(frame, self.columns)
        recipe = self.recipe
        parsed = parse_features(recipe.features)
        try:
            return measure_rows(
                table, parsed, pairing, recipe.missing, recipe.meaning(), self.whole
            )
        except RowError as error:
            raise CatalogueError(f"{place}, row {error.row} of it{error.text}") from None
        except CatalogueError as error:
            raise CatalogueError(f"{place}: {error}") from None


class Look(NamedTuple):
    """What a partition shows of the whole.

    Attributes
    ----------
    contents : dict of Content
        What is in the columns that may be flags.
    pairing : Pairing or None
        With those that were taken for flags; None if there are no rows.
    tally : Tally
    """

    contents: Mapping[str, Content]
    pairing: Pairing | None
    tally: Tally

    def is_misled(self, pairing: Pairing, positive: frozenset[str]) -> bool:
        """Whether other columns are flags, or errors of 0 have no positive ones beside them after all."""
        if self.pairing is None:
            return False
        zeros = (note for note in self.tally.notes if isinstance(note, ZeroErrors))
        return self.pairing != pairing or any(n.n and n.key not in positive for n in zeros)


def look(frame: Any, place: str, measure: Measure) -> Look:
    """Look at a partition: what it has is a share of what the survey adds up."""
    if not len(frame):
        return Look({}, None, Tally())
    table = light_table(frame, measure.columns)
    contents = look_at_flags(measure.pairing, table)
    pairing = measure.pairing
    if not measure.is_surveyed:
        pairing = confirm_flags(pairing, None, contents)
    return Look(contents, pairing, measure.rows(frame, place, pairing)[1])


def features(frame: Any, place: str, measure: Measure) -> Measurements:
    """The features of a partition as they are among all others; it may be empty."""
    if len(frame):
        return measure.rows(frame, place, measure.pairing)[0]
    names = measure.recipe.names
    nothing = np.empty((0, len(names)))
    return Measurements(names, nothing, None, None, ("",) * len(names), measure.pairing, ())


def name_of(pixel: Any) -> str:
    """A HEALPix pixel as the folders of its partition are called."""
    return f"Norder={pixel.order}, Npix={pixel.pixel}"
