"""Finds the objects in a catalogue that are really strange, not merely badly measured.

Every value in the table carries an error bar. :class:`RobustMixture` fits a mixture of Student t's to the clean,
unseen values behind the measurements, each with its own noise; :class:`OutlierDetector` says which objects do not
belong to it, how sure that is, and why.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from peculiar._version import __version__

if TYPE_CHECKING:
    from peculiar import catalogue, datasets, engines, errors, lsdb, outliers, plot, select, triage
    from peculiar.catalogue import read, scan
    from peculiar.estimators import (
        Checkpoint,
        OutlierDetector,
        Partitions,
        RobustMixture,
        Transformed,
    )
    from peculiar.ranking import rank

__all__ = [
    "Checkpoint",
    "OutlierDetector",
    "Partitions",
    "RobustMixture",
    "Transformed",
    "__version__",
    "catalogue",
    "datasets",
    "engines",
    "errors",
    "lsdb",
    "outliers",
    "plot",
    "rank",
    "read",
    "scan",
    "select",
    "triage",
]

_HOMES = {
    "Checkpoint": "peculiar.estimators",
    "OutlierDetector": "peculiar.estimators",
    "Partitions": "peculiar.estimators",
    "RobustMixture": "peculiar.estimators",
    "Transformed": "peculiar.estimators",
    "rank": "peculiar.ranking",
    "read": "peculiar.catalogue",
    "scan": "peculiar.catalogue",
}


def __getattr__(name: str) -> Any:
    # On first use, not on import: scikit-learn takes a second to load, and brings pandas where that is installed.
    if name not in __all__:
        raise AttributeError(f"module 'peculiar' has no attribute {name!r}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    return import_module(f"peculiar.{name}")


def __dir__() -> list[str]:
    return __all__
