"""The paper's engine: tree-structured variational EM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from peculiar.engines.base import Objective
from peculiar.engines.constants import no_nodes, structured_constants
from peculiar.engines.lanewise import LaneEngine
from peculiar.kernels.structs import LaneRule, PeakRule
from peculiar.model.prior import Scale


@dataclass(frozen=True)
class Structured(LaneEngine):
    """The best q(z) q(w|z) q(u|z): the paper's own variational EM.

    It is described in section 3 of Sun, Kabán and Raychaudhury (2007). The inner iteration can have several fixed
    points; the one with the highest free energy is taken.

    Examples
    --------
    >>> import numpy as np
    >>> row = np.array([30.0]), np.array([300.0])
    >>> bound = Structured().scale_moments(*row, dof=5.0).log_prob
    >>> from peculiar.engines import Exact
    >>> bound < Exact().scale_moments(*row, dof=5.0).log_prob
    True
    """

    name: ClassVar[str] = "structured"
    formula: ClassVar[str] = "peak"
    exact_when: ClassVar[frozenset[str]] = frozenset({"noise_free", "gaussian"})
    objective: ClassVar[Objective] = "bound"
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def rule(self, scale: Scale, n_features: int) -> PeakRule:
        """The dofs, and that q(u) is more than a point."""
        return PeakRule(np.ascontiguousarray(scale.dofs), is_point=False)

    def lane_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """Numbers that follow from the dofs."""
        constants = structured_constants(tuple(scale.dofs.tolist()), n_features)
        return LaneRule(np.ascontiguousarray(scale.dofs), constants, no_nodes(len(scale.dofs)))
