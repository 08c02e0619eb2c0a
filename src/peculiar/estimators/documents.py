"""A mixture as the content of a model file, and back."""

from __future__ import annotations

import os
from collections.abc import Callable
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.columns.names import QUOTED, cut
from peculiar.catalogue.recipe import Recipe
from peculiar.engines import ENGINES
from peculiar.errors import ModelFileError
from peculiar.fitting.select.criteria import CRITERIA, TABLE
from peculiar.fitting.shrink import TRIED
from peculiar.model.scatter import SCATTERS
from peculiar.population.groups import as_groups
from peculiar.population.stored import load_content, restore_alternative, restore_numbers
from peculiar.settings import ESTIMATE, check_fraction

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

Mixture = TypeVar("Mixture", bound="PlainMixture")

_KIND = "RobustMixture"  # whichever class of them wrote the file, or reads it

_PARAMETERS = ("weights_", "locations_", "scatters_", "dofs_", "wild_fraction_")
_FACTS: dict[str, Callable[[Any], Any]] = {
    "lower_bound_": float,
    "lower_bounds_": lambda stored: np.array(stored, dtype=float),
    "n_iter_": int,
    "converged_": bool,
    "selection_": lambda stored: np.array([tuple(row) for row in stored], dtype=TABLE),
    "pseudo_rows_": float,
    "shrinkage_": lambda stored: np.array([tuple(row) for row in stored], dtype=TRIED),
    "groups_": as_groups,
    "_has_noise": bool,
    "_unit": str,
    "_seed": int,
}
"""What a fit leaves besides parameters, and how to read it from a file."""


def as_content(mixture: PlainMixture) -> dict[str, Any]:
    """What a model file keeps of a fitted mixture."""
    settings = mixture.get_params(deep=False)
    if not isinstance(settings["random_state"], Integral | None):
        settings["random_state"] = None  # the state of a generator is no setting
    return {
        "estimator": _KIND,
        "settings": settings,
        "parameters": {name: getattr(mixture, name) for name in _PARAMETERS},
        "fit": {name: getattr(mixture, name) for name in _FACTS if hasattr(mixture, name)},
        "feature_names": getattr(mixture, "feature_names_in_", None),
        "recipe": mixture.recipe_.plain() if hasattr(mixture, "recipe_") else None,
    }


def load_mixture(kind: type[Mixture], path: str | os.PathLike[str]) -> Mixture:
    """A mixture, as an instance of this class, from its file; ModelFileError if the file holds anything else."""
    content = load_content(path)
    try:
        return _from_content(kind, content)
    except KeyError as error:
        raise ModelFileError(f"{path} is no usable {_KIND}: {cut(str(error))} is missing") from None
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        said = cut(str(error), QUOTED)
        raise ModelFileError(f"{path} is no usable {_KIND}: {said}") from None


def _from_content(kind: type[Mixture], content: dict[str, Any]) -> Mixture:
    if content["estimator"] != _KIND:
        raise ModelFileError(f"it holds a {content['estimator']}")
    settings = restore_numbers(content["settings"])
    settings["n_components"] = restore_alternative(settings["n_components"], CRITERIA)
    settings["engine"] = restore_alternative(settings["engine"], ENGINES)
    settings["scatter"] = restore_alternative(settings["scatter"], SCATTERS)
    wild_fraction = settings.pop("wild_fraction", 0.0)
    stored = {"wild_fraction_": 0.0, **content["parameters"]}  # older files have none
    numbers = (restore_numbers(stored[name]) for name in _PARAMETERS)
    mixture = kind.from_parameters(*numbers, **settings)
    _check_wild(wild_fraction, mixture.wild_fraction_)
    mixture.wild_fraction = wild_fraction
    for name, read in _FACTS.items():
        if name in content["fit"]:
            setattr(mixture, name, read(restore_numbers(content["fit"][name])))
    if len(getattr(mixture, "groups_", mixture.weights_)) != mixture.n_components_:
        raise ModelFileError(
            f"{len(mixture.groups_)} groups for {mixture.n_components_} components"
        )
    if content["feature_names"] is not None:
        mixture.feature_names_in_ = _as_names(content["feature_names"], mixture.n_features_in_)
    if content.get("recipe") is not None:  # older files have none
        mixture.recipe_ = _as_recipe(content["recipe"], mixture.n_features_in_)
    return mixture


def _check_wild(setting: Any, fraction: float) -> None:
    """The setting from which the fraction came: a number, which it must be, or that it was estimated."""
    if check_fraction(setting) not in (fraction, ESTIMATE if fraction else 0.0):
        raise ModelFileError(f"wild_fraction is set to {setting}, but the parameter is {fraction}")


def _as_names(stored: Any, n_features: int) -> NDArray[Any]:
    """Feature names from a file."""
    if not isinstance(stored, list) or not all(isinstance(name, str) for name in stored):
        raise ModelFileError(f"feature names must be a list of text, not {stored!r}")
    if len(stored) != n_features:
        raise ModelFileError(f"{len(stored)} feature names for {n_features} features")
    return np.array(stored, dtype=object)


def _as_recipe(stored: Any, n_features: int) -> Recipe:
    """How the features were made, from a file."""
    recipe = Recipe.from_plain(stored)
    if len(recipe.names) != n_features:
        raise ModelFileError(f"a recipe of {len(recipe.names)} features for {n_features}")
    return recipe
