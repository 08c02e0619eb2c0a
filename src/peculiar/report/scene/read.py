"""From a ranked list, and its model, to the scene."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.errors import CatalogueError, ModelFileError
from peculiar.estimators.rows import feature_names
from peculiar.report.scene.absent import what_is_absent
from peculiar.report.scene.bulk import Bulk
from peculiar.report.scene.card import Card
from peculiar.report.scene.components import Components
from peculiar.report.scene.features import Features
from peculiar.report.scene.groups import group_cards
from peculiar.report.scene.listed import list_objects
from peculiar.report.scene.objects import how_many
from peculiar.report.scene.scene import Scene
from peculiar.report.scene.table import RankedList, open_list
from peculiar.report.scene.trust import Trust, find_pulls, noise_classes, rate_of
from peculiar.triage.keys import fingerprint, object_keys

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture


def read_scene(
    ranked: Any,
    model: Any = None,
    *,
    top: int | None = None,
    show: Sequence[str] = (),
    title: str | None = None,
) -> Scene:
    """All that the page about a ranked list shows.

    Parameters
    ----------
    ranked : path-like or table
        What ``peculiar rank --out`` wrote, or :func:`peculiar.rank` returned.
    model : path-like, RobustMixture or OutlierDetector, optional
        The model that made the list. Without it there are no components, and no clean positions with their covariances.
    top : int, optional
        How many objects are listed one by one; otherwise all discoveries, but at least 1,000 and at most 4,000.
    show : sequence of str, optional
        Columns of the catalogue to list, too.
    title : str, optional
        Otherwise the name of the file.

    Returns
    -------
    Scene

    Raises
    ------
    CatalogueError
        It is no ranked list.
    ModelFileError
        The model cannot be read, or is of another list.
    """
    fitted = _load(model)
    found = open_list(ranked, fitted, show, title)
    _refuse_other(found, fitted)
    values = found.of_features("value")
    p = found.verdict("p_value")
    assert values is not None  # else it would not have been a ranked list
    assert p is not None
    if len(p) == 0:
        raise CatalogueError("the list has no objects")
    at = _strangest(found, top)
    names, units = found.columns.names, _units(found)
    features = Features.of(names, units, values, values[at[found.is_discovery()[at]]])
    components = None if fitted is None else Components.of(fitted)
    objects = list_objects(found, at, features, values[at], fitted, show)
    letters = found.texts("group")
    letters = np.full(len(p), "") if letters is None else letters
    keys = tuple(object_keys(found.table))
    card = Card.of(found.meta, len(p), fitted)
    return Scene(
        title=found.title,
        fingerprint=fingerprint(keys),
        n_rows=len(p),
        keys=keys,
        values=values,
        features=features,
        bulk=Bulk.of(values, features),
        objects=objects,
        components=components,
        groups=group_cards(letters, objects, names, features.spread, components),
        trust=_trust(found, p, values, features, fitted),
        card=card,
        absent=what_is_absent(found, objects, card, fitted),
    )


def _load(model: Any) -> PlainMixture | None:
    from peculiar.estimators.plain import PlainMixture

    if isinstance(model, str | os.PathLike):
        return PlainMixture.load(model)
    if hasattr(model, "mixture_"):  # a detector, which knows the groups
        mixture: PlainMixture = copy.copy(model.mixture_)
        if hasattr(model, "groups_"):
            mixture.groups_ = model.groups_
        return mixture
    fitted: PlainMixture | None = model
    return fitted


def _refuse_other(found: RankedList, model: PlainMixture | None) -> None:
    """ModelFileError if the model was fitted to other features."""
    if model is None:
        return
    names = found.columns.names
    other = feature_names(model) if hasattr(model, "recipe_") else names
    if model.n_features_in_ != len(names) or other != names:
        raise ModelFileError(
            f"the model was fitted to {', '.join(feature_names(model))}, but the list has {', '.join(names)}; is it "
            "the model of another list?"
        )


def _strangest(found: RankedList, top: int | None) -> Ints:
    """Rows of the list, by rank."""
    rank = found.verdict("rank")
    assert rank is not None
    n = how_many(len(rank), int(np.count_nonzero(found.is_discovery())), top)
    rows: Ints = np.argsort(rank, kind="stable")[:n]
    return rows


def _units(found: RankedList) -> list[str]:
    columns = [found.table[feature.value] for feature in found.columns.features]
    return ["" if column.unit is None else str(column.unit) for column in columns]


def _trust(
    found: RankedList, p: Floats, values: Floats, features: Features, model: PlainMixture | None
) -> Trust:
    errors, clean = found.of_features("error"), found.of_features("clean")
    left = found.of_features("clean_error")
    noise = None if errors is None else noise_classes(p, errors, features.spread)
    pulls = None
    if errors is not None and clean is not None and left is not None:
        pulls = find_pulls(values, errors, clean, left)
    return Trust.of(p, rate_of(found.meta), noise, pulls, model)
