"""Structures a scatter matrix can have: ``"full"``; ``"diag"``; and ``"auto"``, between the two as the data ask for."""

from peculiar.model.scatter.base import Scatter
from peculiar.model.scatter.diag import DiagScatter
from peculiar.model.scatter.full import FullScatter
from peculiar.model.scatter.multiples import WithMultiples
from peculiar.model.scatter.shrunk import AutoScatter, ShrunkScatter

SCATTERS: dict[str, Scatter] = {s.name: s for s in (FullScatter(), DiagScatter(), AutoScatter())}
"""Scatter structures by name."""

__all__ = [
    "SCATTERS",
    "AutoScatter",
    "DiagScatter",
    "FullScatter",
    "Scatter",
    "ShrunkScatter",
    "WithMultiples",
]
