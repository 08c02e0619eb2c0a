"""Finds the objects in a catalogue that are really strange, not merely badly measured.

Every value in the table carries an error bar. :class:`RobustMixture` fits a mixture of Student t's to the clean,
unseen values behind the measurements, each with its own noise; :meth:`RobustMixture.robust_weights` then says how
typical each object is, its errors taken into account.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from peculiar._version import __version__

if TYPE_CHECKING:
    from peculiar import catalogue, datasets, engines, errors, select
    from peculiar.catalogue import read
    from peculiar.mixture import RobustMixture

__all__ = [
    "RobustMixture",
    "__version__",
    "catalogue",
    "datasets",
    "engines",
    "errors",
    "read",
    "select",
]

_HOMES = {"RobustMixture": "peculiar.mixture", "read": "peculiar.catalogue"}


def __getattr__(name: str) -> Any:
    # On first use, not on import: scikit-learn takes a second to load, and brings pandas where that is installed.
    if name not in __all__:
        raise AttributeError(f"module 'peculiar' has no attribute {name!r}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    return import_module(f"peculiar.{name}")


def __dir__() -> list[str]:
    return __all__
