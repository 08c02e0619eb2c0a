"""How the features of a list were made: as its metadata say, or its model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.errors import CatalogueError
from peculiar.estimators.rows import feature_names

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture


def recipe_of(meta: Mapping[str, Any], model: PlainMixture | None) -> Recipe | None:
    """The recipe that a list was made by; None if nobody knows it.

    Parameters
    ----------
    meta : dict
        Of the list: what was run on this catalogue counts more than what the model was fitted with.
    model : PlainMixture or None
    """
    from peculiar.catalogue.recipe import Recipe

    said = meta.get("RECIPE")
    if said:
        try:
            return Recipe.from_plain(json.loads(str(said)))
        except (CatalogueError, ValueError, RecursionError):
            pass  # edited by hand, or of a later version
    return getattr(model, "recipe_", None)


def labels_of(
    meta: Mapping[str, Any], recipe: Recipe | None, model: PlainMixture | None
) -> tuple[str, ...]:
    """Labels of the features; empty if nobody knows them."""
    if recipe is not None:
        return recipe.names
    if model is not None and hasattr(model, "feature_names_in_"):
        return feature_names(model)
    try:
        return tuple(feature.label for feature in parse_features(str(meta.get("FEATURES", ""))))
    except CatalogueError:
        return ()


def expressions_of(recipe: Recipe | None) -> dict[str, str]:
    """What each feature is made of, by its label; empty if nobody knows it.

    Examples
    --------
    >>> from peculiar.catalogue.recipe import Recipe
    >>> expressions_of(Recipe("ur = u - r, mass"))
    {'ur': 'u - r', 'mass': 'mass'}
    """
    if recipe is None:
        return {}
    return {feature.label: str(feature.tree) for feature in parse_features(recipe.features)}
