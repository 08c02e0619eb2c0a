"""Structures a scatter matrix can have: ``"full"`` and ``"diag"``."""

from peculiar.model.scatter.base import Scatter
from peculiar.model.scatter.diag import DiagScatter
from peculiar.model.scatter.full import FullScatter

SCATTERS: dict[str, Scatter] = {s.name: s for s in (FullScatter(), DiagScatter())}
"""Scatter structures by name."""

__all__ = ["SCATTERS", "DiagScatter", "FullScatter", "Scatter"]
