"""The experiments of the paper (Sun, Kabán and Raychaudhury, ICML 2007), and what becomes of its claims.

=================  ==============================  ===================================================================
experiment         in the paper                    the question
=================  ==============================  ===================================================================
``illustration``   figure 2                        what do errors hide, and what is found all the same?
``convergence``    figure 3                        how near is each engine to the true log-likelihood?
``noise-levels``   figure 4                        does it pay to know the errors, small ones and large ones?
``lymphography``   section 5.3, figure 5           the same, for a table that was not simulated
``quasars``        section 5.4, figure 6           are quasars of high redshift outliers, for any number of components?
=================  ==============================  ===================================================================

Each is one file: a dataclass with its settings, that runs and leaves numbers. From nothing but these a file of the same
name in :mod:`peculiar.reproduce.claims` says what became of the claims, and one in :mod:`peculiar.reproduce.figures`
draws the figure.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.reproduce.base import Comparison, Experiment, Numbers

NAMES = ("illustration", "convergence", "noise-levels", "lymphography", "quasars")
"""In the order of the paper."""


def find(name: str) -> type[Experiment]:
    """The experiment of that name."""
    experiment: type[Experiment] = _module("", name).EXPERIMENT
    return experiment


def find_claims(name: str) -> Callable[[Numbers], tuple[Comparison, ...]]:
    """What says, from its numbers, what became of the claims."""
    compare: Callable[[Numbers], tuple[Comparison, ...]] = _module("claims.", name).compare
    return compare


def find_figure(name: str) -> Callable[[Numbers], Any]:
    """What draws its figure, a ``matplotlib.figure.Figure``, from its numbers."""
    draw: Callable[[Numbers], Any] = _module("figures.", name).draw
    return draw


def _module(part: str, name: str) -> ModuleType:
    """Loaded when it is asked for: names are known at once."""
    return import_module(f"peculiar.reproduce.{part}{name.replace('-', '_')}")
