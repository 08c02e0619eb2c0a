"""Engines: how the expectation over component, clean value and scale is taken.

Given the scale u of a row, everything is Gaussian; engines differ in how they treat u.

=================  ==================================  ==================  ===============================
engine             what it is                          exact for           choose it
=================  ==================================  ==================  ===============================
``"exact"``        the one-dimensional integral over   everything          always, unless speed decides
                   u, by quadrature
``"structured"``   the paper's q(z) q(w|z) q(u|z):     no noise; dof=inf   to reproduce the paper, or for
                   one best value of u                                     a third to half of the time
``"factorized"``   q(z) q(w) q(u), one for all         as structured,      to compare with, as the paper
                   components                          with one component  does
``"monte_carlo"``  Gibbs sampling of (z, u, w)         everything, up to   to check the others; it is
                                                       sampling noise      slow
``"map"``          the most probable u, as if known    dof=inf             with a fixed dof, where it
                                                                           equals structured
=================  ==================================  ==================  ===============================

A string stands for the engine with its default settings: ``engine="exact"`` is ``engine=Exact()``.
"""

from peculiar.engines.base import Engine, RowMoments
from peculiar.engines.exact import Exact
from peculiar.engines.factorized import Factorized
from peculiar.engines.lanewise import ScaleMoments
from peculiar.engines.map_scale import Map
from peculiar.engines.monte_carlo import MonteCarlo
from peculiar.engines.structured import Structured

ENGINES: dict[str, Engine] = {
    engine.name: engine for engine in (Exact(), Structured(), Factorized(), MonteCarlo(), Map())
}
"""Engines with their default settings, by name."""

__all__ = [
    "ENGINES",
    "Engine",
    "Exact",
    "Factorized",
    "Map",
    "MonteCarlo",
    "RowMoments",
    "ScaleMoments",
    "Structured",
]
