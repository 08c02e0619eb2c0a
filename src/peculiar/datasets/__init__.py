"""Catalogues: simulated ones, with known truth, and real ones, which are fetched when first asked for."""

from peculiar.datasets.catalogues import Quasars, load_dr3_quasars
from peculiar.datasets.simulated import Colours, make_colours

__all__ = ["Colours", "Quasars", "load_dr3_quasars", "make_colours"]
