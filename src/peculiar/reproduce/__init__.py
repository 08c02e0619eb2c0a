"""The experiments of the paper (Sun, Kabán and Raychaudhury, ICML 2007), and whether its claims hold.

=================  ==============================  ===================================================================
experiment         in the paper                    the question
=================  ==============================  ===================================================================
``illustration``   figure 2                        what do errors hide, and what is found all the same?
``convergence``    figure 3                        how near is each engine to the true log-likelihood?
``noise-levels``   figure 4                        does it pay to know the errors, small ones and large ones?
``lymphography``   section 5.3, figure 5           the same, for a table that was not simulated
``quasars``        section 5.4, figure 6           are quasars of high redshift outliers, for any number of components?
=================  ==============================  ===================================================================

Each experiment is one file: a dataclass with its settings, which runs and returns numbers. From these numbers alone, a
file of the same name in :mod:`peculiar.reproduce.claims` says whether the claims hold, and one in
:mod:`peculiar.reproduce.figures` draws the figure.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.reproduce.base import Comparison, Experiment, Numbers

NAMES = ("illustration", "convergence", "noise-levels", "lymphography", "quasars")
"""Names of the experiments, in the order of the paper."""


def find(name: str) -> type[Experiment]:
    """The experiment of that name."""
    experiment: type[Experiment] = _module("", name).EXPERIMENT
    return experiment


def find_claims(name: str) -> Callable[[Numbers], tuple[Comparison, ...]]:
    """The function that says, from the numbers of an experiment, whether the claims hold."""
    compare: Callable[[Numbers], tuple[Comparison, ...]] = _module("claims.", name).compare
    return compare


def find_figure(name: str) -> Callable[[Numbers], Any]:
    """The function that draws a ``matplotlib.figure.Figure`` from the numbers of an experiment."""
    draw: Callable[[Numbers], Any] = _module("figures.", name).draw
    return draw


def _module(part: str, name: str) -> ModuleType:
    """The module, imported only when it is asked for; the names are known without it."""
    return import_module(f"peculiar.reproduce.{part}{name.replace('-', '_')}")
