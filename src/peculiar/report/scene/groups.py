"""The strange groups of a list: a card for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.report.scene.components import Components
from peculiar.report.scene.objects import Objects
from peculiar.report.words import side_in_words

MEMBERS = 3
"""Members that a card names: so many typical ones, and so many strange ones."""


@dataclass(frozen=True)
class GroupCard:
    """A strange group.

    Attributes
    ----------
    letter : str
    n_members : int
        Objects of the whole list whose most probable component it is.
    n_listed : int
        Those among them that are listed one by one.
    centre : tuple of float
        In each feature: of the component, or the median of the listed members if there is no model.
    betrayed_by : tuple of (str, str)
        Features in which it is not ordinary, the most telling first, and whether it is "high" or "low" there, or
        "high or low".
    typical, strangest : tuple of int
        Positions of such members in :class:`~peculiar.report.scene.Objects`: nearest to the centre, lowest in rank.
    """

    letter: str
    n_members: int
    n_listed: int
    centre: tuple[float, ...]
    betrayed_by: tuple[tuple[str, str], ...]
    typical: tuple[int, ...]
    strangest: tuple[int, ...]


def group_cards(
    letters: NDArray[np.str_],
    objects: Objects,
    names: tuple[str, ...],
    spread: Floats,
    components: Components | None = None,
) -> tuple[GroupCard, ...]:
    """A card for each strange group of a list, the largest first.

    Parameters
    ----------
    letters : ndarray of shape (n,)
        The group of every object of the whole list; empty where there is none.
    objects : Objects
    names : tuple of str
        Of the features.
    spread : ndarray of shape (d,)
        Of the features, in which distances from the centre are counted.
    components : Components, optional
    """
    found, counts = np.unique(letters[letters != ""], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return tuple(
        _card(str(found[at]), int(counts[at]), objects, names, spread, components) for at in order
    )


def _card(
    letter: str,
    n_members: int,
    objects: Objects,
    names: tuple[str, ...],
    spread: Floats,
    components: Components | None,
) -> GroupCard:
    members = np.flatnonzero(np.array(objects.group) == letter)
    place = objects.values if objects.clean is None else objects.clean
    centre = _centre(letter, place[members], components)
    nearest = np.argsort(_distance(place[members], centre, spread), kind="stable")
    return GroupCard(
        letter,
        n_members,
        len(members),
        tuple(float(value) for value in centre),
        _betrayed_by(objects, members, names),
        tuple(int(i) for i in members[nearest[:MEMBERS]]),
        tuple(int(i) for i in members[np.argsort(objects.rank[members])[:MEMBERS]]),
    )


def _centre(letter: str, place: Floats, components: Components | None) -> Floats:
    if components is not None and letter in components.group:
        return np.asarray(components.location[components.group.index(letter)])
    if len(place) == 0:
        return np.full(place.shape[1], np.nan)
    known = np.where(np.isnan(place).all(axis=0), 0.0, place)
    return np.where(np.isnan(place).all(axis=0), np.nan, np.nanmedian(known, axis=0))


def _distance(place: Floats, centre: Floats, spread: Floats) -> Floats:
    """Mean square distance from the centre in units of the spread; inf where nothing is known."""
    square = np.square((place - centre) / spread)
    known = np.count_nonzero(~np.isnan(square), axis=1)
    total = np.nansum(square, axis=1)
    return np.asarray(np.where(known > 0, total / np.maximum(known, 1), np.inf))


def _betrayed_by(
    objects: Objects, members: NDArray[np.int64], names: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The main features of its members, the most frequent first, two at most; and on which side they lie."""
    told = members[(objects.main[members] >= 0) & (objects.side[members] != 0)]
    places, counts = np.unique(objects.main[told], return_counts=True)
    found = []
    for j in places[np.argsort(-counts, kind="stable")[:2]]:
        sides = objects.side[told[objects.main[told] == j]]
        found.append((names[j], side_in_words("high" if side > 0 else "low" for side in sides)))
    return tuple(found)
