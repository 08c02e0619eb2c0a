"""A mixture that can be written to a file and read again."""

from __future__ import annotations

import os
from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from peculiar.catalogue.recipe import Recipe
from peculiar.engines import ENGINES
from peculiar.errors import ModelFileError
from peculiar.mixture.judging import JudgingMixture
from peculiar.model.scatter import SCATTERS
from peculiar.persist import load_content, restore_alternative, restore_numbers, save_content
from peculiar.select.criteria import CRITERIA, TABLE
from peculiar.settings import ESTIMATE, check_fraction

_PARAMETERS = ("weights_", "locations_", "scatters_", "dofs_", "wild_fraction_")
_FACTS: dict[str, Callable[[Any], Any]] = {
    "lower_bound_": float,
    "lower_bounds_": lambda stored: np.array(stored, dtype=float),
    "n_iter_": int,
    "converged_": bool,
    "selection_": lambda stored: np.array([tuple(row) for row in stored], dtype=TABLE),
    "_has_noise": bool,
    "_seed": int,
}
"""What a fit leaves besides parameters, and how to read it from a file."""


class StoredMixture(JudgingMixture):
    """Saving and loading."""

    recipe_: Recipe

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file: JSON, versioned, with a checksum; whole or not at all.

        Parameters
        ----------
        path : path-like
            Name of the file, by custom ``*.peculiar``.
        """
        check_is_fitted(self)
        settings = self.get_params(deep=False)
        if not isinstance(settings["random_state"], Integral | None):
            settings["random_state"] = None  # the state of a generator is no setting
        save_content(
            path,
            {
                "estimator": type(self).__name__,
                "settings": settings,
                "parameters": {name: getattr(self, name) for name in _PARAMETERS},
                "fit": {name: getattr(self, name) for name in _FACTS if hasattr(self, name)},
                "feature_names": getattr(self, "feature_names_in_", None),
                "recipe": self.recipe_.plain() if hasattr(self, "recipe_") else None,
            },
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model written by :meth:`save`.

        Parameters
        ----------
        path : path-like

        Returns
        -------
        RobustMixture
        """
        content = load_content(path)
        try:
            if content["estimator"] != cls.__name__:
                raise ModelFileError(f"it holds a {content['estimator']}")
            settings = restore_numbers(content["settings"])
            settings["n_components"] = restore_alternative(settings["n_components"], CRITERIA)
            settings["engine"] = restore_alternative(settings["engine"], ENGINES)
            settings["scatter"] = restore_alternative(settings["scatter"], SCATTERS)
            wild_fraction = settings.pop("wild_fraction", 0.0)
            stored = {"wild_fraction_": 0.0, **content["parameters"]}  # older files have none
            model = cls.from_parameters(
                *(restore_numbers(stored[name]) for name in _PARAMETERS), **settings
            )
            _check_wild(wild_fraction, model.wild_fraction_)
            model.wild_fraction = wild_fraction
            for name, kind in _FACTS.items():
                if name in content["fit"]:
                    setattr(model, name, kind(restore_numbers(content["fit"][name])))
            if content["feature_names"] is not None:
                model.feature_names_in_ = _as_names(content["feature_names"], model.n_features_in_)
            if content.get("recipe") is not None:  # older files have none
                model.recipe_ = _as_recipe(content["recipe"], model.n_features_in_)
        except KeyError as error:
            raise ModelFileError(
                f"{path} is no usable {cls.__name__}: {error} is missing"
            ) from None
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise ModelFileError(f"{path} is no usable {cls.__name__}: {error}") from None
        return model


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
