"""The page in a notebook: from a detector and rows, without a file."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from peculiar.backends.dask.arrays import is_collection
from peculiar.catalogue import Measurements, as_table
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.plain_names import plain_names
from peculiar.catalogue.recipe import Recipe
from peculiar.estimators import OutlierDetector
from peculiar.explore.page import make_page
from peculiar.explore.report import as_html
from peculiar.files import write_whole
from peculiar.report import describe_run, feature_names, model_in_words, rank, ranked_table
from peculiar.report.scene import read_scene
from peculiar.validation import check_values
from peculiar.validation.tables import refuse_other_columns

HEIGHT = 900
"""Pixels of the frame."""


@dataclass(frozen=True)
class Report:
    """The page about a ranked list. A notebook shows it in a frame.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all.

        Parameters
        ----------
        path : path-like
        """
        write_whole(path, self.html)

    def __repr__(self) -> str:
        return f"Report of {len(self.html) / 1e6:.1f} MB; save(path) writes it, a notebook shows it"

    def _repr_html_(self) -> str:
        # A page of its own, that cannot reach into the notebook; what its links open is a page like any other.
        rights = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
        style = f"width: 100%; height: {HEIGHT}px; border: 0"
        return f'<iframe sandbox="{rights}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'


def report_of(
    detector: OutlierDetector,
    X: Any,
    X_std: Any = None,
    X_cov: Any = None,
    *,
    names: Sequence[Any] | None = None,
    top: int | None = None,
    title: str = "objects",
) -> Report:
    """The page about some rows, judged by a detector.

    Parameters
    ----------
    detector : OutlierDetector
        Fitted.
    X, X_std, X_cov
        As for :meth:`OutlierDetector.fit`.
    names : sequence, optional
        Of the objects.
    top : int, optional
        How many objects are listed one by one.
    title : str, default="objects"

    Returns
    -------
    Report
    """
    _check_names(detector, X, X_std)
    labels = feature_names(detector)
    features = plain_names(labels)
    table = _table(features, labels, X, X_std, X_cov)
    has_errors = X_std is not None or X_cov is not None
    recipe = Recipe(
        ", ".join(f"`{name}`" for name in features),
        errors={name: f"{name}_err" for name in features} if has_errors else {},
        no_error=() if has_errors else features,
        zero_errors="exact",
    )
    if names is not None:
        table["name"] = [str(name) for name in names]
    candidates = rank(_without_names(detector), recipe.measure(table), fdr=detector.fdr)
    which = f"of this session ({model_in_words(detector.mixture_)})"
    by: dict[str, Any] = {"fdr": detector.fdr, "method": "bh"}
    about = describe_run("detector.report(X, ...)", title, which, candidates, recipe, **by)
    ranked = ranked_table(table, candidates, about)
    return Report(as_html(make_page(read_scene(ranked, detector, top=top, title=title))))


def _check_names(detector: OutlierDetector, X: Any, X_std: Any) -> None:
    """An error for a frame whose columns are not those of the fit, in their order: below, nobody sees names."""
    if hasattr(detector, "feature_names_in_") and hasattr(X, "columns") and not is_collection(X):
        check_values(detector, X, reset=False)
        refuse_other_columns(detector, X_std)


def _without_names(detector: OutlierDetector) -> OutlierDetector:
    """The same for plain arrays: scikit-learn warns of rows without names if a detector knows names."""
    plain = copy.copy(detector)
    plain.__dict__.pop("feature_names_in_", None)
    return plain


def _table(
    features: tuple[str, ...], labels: tuple[str, ...], X: Any, X_std: Any, X_cov: Any
) -> Any:
    """The rows as a catalogue, in which errors and their correlations are found by their names."""
    values, std, cov = (None if x is None else np.asarray(x, float) for x in (X, X_std, X_cov))
    assert values is not None
    units = ("",) * len(features)
    return as_table(
        Measurements(features, values, std, cov, units, Pairing(()), (), labels).to_table()
    )
