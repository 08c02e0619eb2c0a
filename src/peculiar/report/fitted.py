"""A fitted mixture in words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.estimators.rows import feature_names

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

_SETTINGS = (
    "n_components",
    "max_components",
    "engine",
    "scatter",
    "dof",
    "wild_fraction",
    "tol",
    "max_iter",
    "n_init",
    "random_state",
)


def describe_components(model: PlainMixture) -> dict[str, Any]:
    """A table with a line for each component: share, dof, strange group, and for each feature centre and spread.

    Parameters
    ----------
    model : PlainMixture
        Fitted.

    Returns
    -------
    dict of columns
        The spread is the root of the scatter matrix's diagonal: the standard deviation without the tails.
    """
    table: dict[str, Any] = {
        "component": np.arange(model.n_components_),
        "share": model.weights_,
        "dof": model.dofs_,
    }
    if hasattr(model, "groups_"):
        table["group"] = [letter or "ordinary" for letter in model.groups_["group"]]
    spreads = np.sqrt(np.diagonal(model.scatters_, axis1=1, axis2=2))
    for j, name in enumerate(feature_names(model)):
        table[name] = model.locations_[:, j]
        table[f"{name} spread"] = spreads[:, j]
    return table


def describe_model(model: PlainMixture) -> dict[str, Any]:
    """Settings, parameters and the course of the fit, in plain types.

    Parameters
    ----------
    model : PlainMixture
        Fitted.

    Returns
    -------
    dict
    """
    settings = model.get_params(deep=False)
    about: dict[str, Any] = {
        "n_components": model.n_components_,
        "features": list(feature_names(model)),
        "settings": {name: _word(settings[name]) for name in _SETTINGS},
        "weights": model.weights_,
        "dofs": model.dofs_,
        "locations": model.locations_,
        "scatters": model.scatters_,
        "wild_fraction": model.wild_fraction_,
    }
    for name in ("lower_bound_", "n_iter_", "converged_"):
        if hasattr(model, name):
            about[_FACTS[name]] = getattr(model, name)
    for name in ("selection_", "groups_"):
        if hasattr(model, name):
            table = getattr(model, name)
            about[name.rstrip("_")] = {field: table[field] for field in table.dtype.names}
    return about


_FACTS = {
    "lower_bound_": "mean_log_likelihood",
    "n_iter_": "n_iterations",
    "converged_": "has_converged",
}


def _word(setting: Any) -> Any:
    """An engine, or another alternative that is an object, by its name."""
    if setting is None or isinstance(setting, str | int | float):
        return setting
    return getattr(setting, "name", None) or np.asarray(setting).tolist()
