"""What only all rows of a catalogue can tell, when all were seen: once, for whoever reads them in parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from peculiar.catalogue.columns.notes import in_words
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.uncertainties import refuse_no_values
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.columns.zeros import ZeroErrors
from peculiar.catalogue.expressions.grammar import Feature
from peculiar.catalogue.measurements import refuse_empty, warn_of


class Survey(NamedTuple):
    """What all rows tell together.

    Attributes
    ----------
    pairing : Pairing
        With the flags that are flags.
    whole : Whole
    tally : Tally
        Of all rows, without what is noted.
    notes : tuple of str
        What is noted, in words: a survey may travel to other processes.
    """

    pairing: Pairing
    whole: Whole
    tally: Tally
    notes: tuple[str, ...]


def conclude(parsed: Sequence[Feature], pairing: Pairing, tally: Tally) -> Survey:
    """The survey of a table of which all rows were seen; an error if it cannot be used, a warning if it is doubtful.

    Parameters
    ----------
    parsed : sequence of Feature
    pairing : Pairing
        With the flags that are flags.
    tally : Tally
        Of all rows, measured with this pairing; errors of 0 were taken for what they are among all others.

    Returns
    -------
    Survey
    """
    for note in tally.notes:
        if isinstance(note, ZeroErrors):
            note.refuse()
    for pair in pairing.columns:
        refuse_no_values(tally, pair.column)
    refuse_empty(parsed, tally)
    warn_of(tally.doubts)
    whole = Whole(tally.positive, tally.noise, is_final=True)
    silent = dataclasses.replace(tally, notes=[], doubts=[])
    return Survey(pairing, whole, silent, in_words(tally.notes))
