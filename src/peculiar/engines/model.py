"""What a mixture is, apart from its parameters."""

from __future__ import annotations

from dataclasses import dataclass

from peculiar.engines.base import Engine
from peculiar.model.prior import ScalePrior
from peculiar.model.scatter import Scatter


@dataclass(frozen=True)
class Model:
    """One choice on each axis: how u is dealt with, the structure of the scatters, and the law of u.

    Attributes
    ----------
    engine : Engine
    scatter : Scatter
    prior : ScalePrior
    """

    engine: Engine
    scatter: Scatter
    prior: ScalePrior
