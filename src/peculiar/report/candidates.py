"""The objects of a catalogue, strangest first, and why each is strange."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from peculiar.catalogue import Measurements
from peculiar.detector import OutlierDetector
from peculiar.detector.thresholds import check_probability
from peculiar.errors import SettingError
from peculiar.kernels.structs import Floats, Ints
from peculiar.outliers.discoveries import Discoveries, by_p_values, by_probabilities, check_method

BATCH = 1024
"""Rows that are judged at a time: between two batches somebody may be told how far it is."""

Advance = Callable[[int, int], None]
"""Called with the number of rows done, and of all."""

Column = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Candidates:
    """Objects in the order of their p-values, the smallest first (by outlier probabilities with "bayes").

    Attributes
    ----------
    order : ndarray of shape (n,)
        Row numbers, strangest first.
    verdict : dict of columns
        What was found about each object: rank, row, p_value, q_value, is_discovery, outlier_probability (if the model
        has a wild tail), log_density, robust_weight, component, component_probability, error_tolerance, main_feature,
        main_side.
    features : dict of columns
        For each feature its value, error, surprise, clean value and the error of that.
    units : dict
        Units of columns, where they are known.
    discoveries : Discoveries
        In the order of the table, not of the ranking.
    """

    order: Ints
    verdict: dict[str, Column]
    features: dict[str, Column]
    units: dict[str, str]
    discoveries: Discoveries

    @property
    def n_discoveries(self) -> int:
        """Number of objects that are believed to be outliers."""
        return int(np.count_nonzero(self.discoveries.mask))


def rank(
    detector: OutlierDetector,
    sky: Measurements,
    *,
    fdr: float = 0.05,
    method: str = "bh",
    advance: Advance | None = None,
) -> Candidates:
    """Rank the objects of a catalogue by how strange a fitted detector finds them.

    Every number is the one that the methods of the detector give for the whole table.

    Parameters
    ----------
    detector : OutlierDetector
        Fitted.
    sky : Measurements
    fdr, method
        Of the discoveries, as for :meth:`OutlierDetector.discoveries`.
    advance : callable, optional
        Told about the progress.

    Returns
    -------
    Candidates
    """
    check_discoveries(fdr, method, has_wild=detector.mixture_.wild_fraction_ > 0)
    about = _judge_all(detector, sky, advance)
    p = np.exp(about["log_p"])
    order: Ints = np.argsort(about["log_p"], kind="stable")
    if method == "bayes":
        found = by_probabilities(about["outlier_probability"], fdr)
        order = np.lexsort((about["log_p"], found.q_values))  # discoveries come first
    else:
        found = by_p_values(p, fdr, method)
    verdict = _verdict(about, p, found, sky.names)
    features, units = _features(about, sky)
    return Candidates(
        order,
        {"rank": np.arange(1, len(p) + 1)} | {name: verdict[name][order] for name in verdict},
        {name: column[order] for name, column in features.items()},
        units,
        found,
    )


def check_discoveries(fdr: float, method: str, *, has_wild: bool) -> None:
    """SettingError if a model with (or without) a wild tail cannot be asked for these discoveries.

    Parameters
    ----------
    fdr, method
        As for :meth:`OutlierDetector.discoveries`.
    has_wild : bool
    """
    check_probability("fdr", fdr)
    if check_method(method) == "bayes" and not has_wild:
        raise SettingError(
            "method 'bayes' needs a model with a wild tail, and this one has none; fit with wild_fraction='estimate' "
            "(--wild estimate), or choose 'bh' or 'storey'"
        )


def _judge_all(
    detector: OutlierDetector, sky: Measurements, advance: Advance | None
) -> dict[str, Column]:
    """What the detector says of every object, batch by batch."""
    n, arguments, parts = len(sky.X), sky.arguments(), []
    for start in range(0, n, BATCH):
        batch = {name: array[start : start + BATCH] for name, array in arguments.items()}
        parts.append(_judge(detector, batch))
        if advance is not None:
            advance(min(start + BATCH, n), n)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _judge(detector: OutlierDetector, rows: dict[str, Any]) -> dict[str, Column]:
    mixture = detector.mixture_
    shares = mixture.predict_proba(**rows)
    clean, clean_cov = mixture.predict_latent(**rows, return_cov=True)
    why = detector.explain(**rows)
    about = {
        "log_p": mixture.tail_probabilities(**rows).log_p,
        "log_density": mixture.score_samples(**rows),
        "robust_weight": mixture.robust_weights(**rows),
        "component": shares.argmax(axis=1),
        "component_probability": shares.max(axis=1),
        "error_tolerance": detector.error_tolerance(**rows),
        "surprise": why.surprise,
        "sign": why.sign,
        "main": why.main_feature,
        "clean": clean,
        "clean_error": np.sqrt(np.diagonal(clean_cov, axis1=1, axis2=2)),
    }
    if mixture.wild_fraction_:
        about["outlier_probability"] = mixture.outlier_probability(**rows)
    return about


def _verdict(
    about: dict[str, Column], p: Floats, found: Discoveries, names: tuple[str, ...]
) -> dict[str, Column]:
    everyone = np.arange(len(p))
    side = np.array(["low", "", "high"])[about["sign"][everyone, about["main"]] + 1]
    first = {"row": everyone, "p_value": p, "q_value": found.q_values, "is_discovery": found.mask}
    next_ = (
        "outlier_probability",
        "log_density",
        "robust_weight",
        "component",
        "component_probability",
        "error_tolerance",
    )
    # Nothing betrays an object of which nothing is known.
    feature = np.where(side == "", "", np.array(names)[about["main"]])
    return {
        **first,
        **{name: about[name] for name in next_ if name in about},
        "main_feature": feature,
        "main_side": side,
    }


def _features(
    about: dict[str, Column], sky: Measurements
) -> tuple[dict[str, Column], dict[str, str]]:
    """Columns of each feature, and their units."""
    errors = _errors(sky)
    columns: dict[str, Column] = {}
    units: dict[str, str] = {}
    for j, (name, unit) in enumerate(zip(sky.names, sky.units, strict=True)):
        seen = ~np.isnan(sky.X[:, j])
        own = {
            name: sky.X[:, j],
            f"{name}_error": np.where(seen, errors[:, j], np.nan),
            f"{name}_clean": about["clean"][:, j],
            f"{name}_clean_error": about["clean_error"][:, j],
        }
        units |= dict.fromkeys(own, unit) if unit else {}
        columns |= own | {f"{name}_surprise": np.where(seen, about["surprise"][:, j], np.nan)}
    return columns, units


def _errors(sky: Measurements) -> Floats:
    """One-sigma errors; 0 for features that are exact."""
    if sky.X_cov is not None:
        return np.sqrt(np.diagonal(sky.X_cov, axis1=1, axis2=2))
    return np.zeros_like(sky.X) if sky.X_std is None else sky.X_std
