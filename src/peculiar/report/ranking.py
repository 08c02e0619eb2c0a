"""The objects of a catalogue, strangest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from peculiar.kernels.structs import Floats, Ints
from peculiar.mixture import RobustMixture


@dataclass(frozen=True)
class Ranking:
    """Objects in order of their robust weight, the paper's e: the smallest first.

    Attributes
    ----------
    order : ndarray of shape (n,)
        Row numbers, strangest first.
    table : dict of columns
        rank, name, robust_weight, log_density, component, probability, then for each feature its value, error, clean
        value and the error of that; in the order of the ranking.
    """

    order: Ints
    table: dict[str, Any]


def rank(
    model: RobustMixture,
    X: Floats,
    *,
    X_cov: Floats,
    names: Sequence[str] | np.ndarray[Any, Any],
    features: Sequence[str],
) -> Ranking:
    """Rank the rows of a catalogue by how strange a fitted model finds them.

    Parameters
    ----------
    model : RobustMixture
        Fitted.
    X : ndarray of shape (n, d)
    X_cov : ndarray of shape (n, d, d)
    names : sequence of str
        Names of the objects.
    features : sequence of str
        Names of the features.

    Returns
    -------
    Ranking
    """
    weights = model.robust_weights(X, X_cov=X_cov)
    order = np.argsort(weights, kind="stable")
    probabilities = model.predict_proba(X, X_cov=X_cov)
    clean, clean_cov = model.predict_latent(X, X_cov=X_cov, return_cov=True)
    errors = np.sqrt(np.diagonal(X_cov, axis1=1, axis2=2))
    clean_errors = np.sqrt(np.diagonal(clean_cov, axis1=1, axis2=2))
    table: dict[str, Any] = {
        "rank": np.arange(1, len(X) + 1),
        "name": np.asarray(names)[order],
        "robust_weight": weights[order],
        "log_density": model.score_samples(X, X_cov=X_cov)[order],
        "component": probabilities.argmax(axis=1)[order],
        "probability": probabilities.max(axis=1)[order],
    }
    for j, feature in enumerate(features):
        seen = ~np.isnan(X[order, j])
        table[feature] = X[order, j]
        table[f"{feature}_error"] = np.where(seen, errors[order, j], np.nan)
        table[f"{feature}_clean"] = clean[order, j]
        table[f"{feature}_clean_error"] = clean_errors[order, j]
    return Ranking(order, table)
