"""Catalogues with known truth."""

from peculiar.datasets.simulated import Colours, make_colours

__all__ = ["Colours", "make_colours"]
