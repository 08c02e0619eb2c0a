"""The scene: everything that is on the page."""

from __future__ import annotations

from dataclasses import dataclass

from peculiar.arrays import Floats
from peculiar.report.scene.bulk import Bulk
from peculiar.report.scene.card import Card
from peculiar.report.scene.components import Components
from peculiar.report.scene.features import Features
from peculiar.report.scene.groups import GroupCard
from peculiar.report.scene.objects import Objects
from peculiar.report.scene.trust import Trust


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that the page about a ranked list shows.

    Attributes
    ----------
    title : str
        Name of the list.
    fingerprint : str
        Digest of the objects of the whole list, as files of marks have it (:class:`peculiar.triage.Marks`).
    n_rows : int
        Objects of the whole list.
    keys : tuple of str
        Of all objects, as files of marks have them.
    values : ndarray of shape (n_rows, d)
        Features of all objects, as measured; NaN where missing.
    features : Features
    bulk : Bulk
        All objects, binned.
    objects : Objects
        The strangest ones, by rank: those that are drawn and listed one by one.
    components : Components or None
        None without a model.
    groups : tuple of GroupCard
        Strange groups, the largest first.
    trust : Trust
    card : Card
        What made the list.
    absent : tuple of str
        What cannot be shown, and how to get it: a sentence each.
    """

    title: str
    fingerprint: str
    n_rows: int
    keys: tuple[str, ...]
    values: Floats
    features: Features
    bulk: Bulk
    objects: Objects
    components: Components | None
    groups: tuple[GroupCard, ...]
    trust: Trust
    card: Card
    absent: tuple[str, ...] = ()
