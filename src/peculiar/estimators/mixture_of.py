"""The mixture that a detector fits: made from its settings, or a copy of the one it was given."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from peculiar.errors import SettingError
from peculiar.estimators.mixture import RobustMixture
from peculiar.settings import make_rng
from peculiar.warn import warn_caller

if TYPE_CHECKING:
    from peculiar.estimators.detector import OutlierDetector

_SHARED = ("n_components", "scatter", "wild_fraction", "engine", "n_init")
"""Settings that both have."""


def mixture_of(detector: OutlierDetector) -> RobustMixture:
    """A new mixture for a detector to fit, with a seed.

    Parameters
    ----------
    detector : OutlierDetector

    Returns
    -------
    RobustMixture
    """
    own = {name: getattr(detector, name) for name in _SHARED}
    given: Any = detector.mixture
    if isinstance(detector.n_components, RobustMixture):
        warn_caller(
            "a mixture as the first argument of OutlierDetector will be refused: give it as mixture=",
            FutureWarning,
        )
        if given is not None:
            raise SettingError("two mixtures are given, as the first argument and as mixture=")
        given = own.pop("n_components")
    mixture = RobustMixture(**own) if given is None else clone(_check_alone(given, detector, own))
    if mixture.random_state is None and detector.random_state is not None:
        mixture.random_state = int(make_rng(detector.random_state).integers(2**31))
    return mixture


def _check_alone(mixture: Any, detector: OutlierDetector, own: dict[str, Any]) -> RobustMixture:
    """The mixture, if it is one, and none of its settings is given to the detector too."""
    if not isinstance(mixture, RobustMixture):
        raise SettingError(f"mixture must be a RobustMixture, not {mixture!r}")
    defaults = inspect.signature(type(detector)).parameters
    for name, value in own.items():
        if value != defaults[name].default:
            raise SettingError(
                f"{name}={value!r} is given beside mixture=, which has settings of its own; give one of the two"
            )
    return mixture
