"""The most probable scale in place of its distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from peculiar.engines.base import Objective
from peculiar.engines.constants import map_constants, map_student_constants, no_nodes
from peculiar.engines.lanewise import LaneEngine
from peculiar.kernels.structs import LaneRule, PeakRule
from peculiar.model.prior import Scale


@dataclass(frozen=True)
class Map(LaneEngine):
    """The maximum a posteriori estimate of u, for each object and component.

    Sun, Kabán and Raychaudhury (2007) mention it in a footnote of sec. 5.2. The most probable *log u* is taken: it
    exists for any dof, while the posterior density per unit of u has no maximum where dof + p <= 2. Without noise it
    is E[u]. It is the same u that the structured engine finds, but without its spread. Estimated dofs therefore become
    too large, mostly the largest allowed, and there is a warning: fix ``dof``, or use ``structured``.

    The objective is the joint density of the data and the best log u. It never falls in a fit, but it is neither a
    likelihood nor a bound of one.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.engines import Structured
    >>> row = np.array([30.0]), np.array([300.0])
    >>> point, law = (engine.scale_moments(*row, dof=5.0) for engine in (Map(), Structured()))
    >>> point.u == law.u, point.log_u > law.log_u
    (True, True)
    """

    name: ClassVar[str] = "map"
    formula: ClassVar[str] = "peak"
    exact_when: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    objective: ClassVar[Objective] = "joint"
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def rule(self, scale: Scale, n_features: int) -> PeakRule:
        """The dofs, and that the peak is all that is wanted."""
        return PeakRule(np.ascontiguousarray(scale.dofs), is_point=True)

    def lane_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """Numbers that follow from the dofs."""
        constants = map_constants(tuple(scale.dofs.tolist()), n_features)
        return LaneRule(np.ascontiguousarray(scale.dofs), constants, no_nodes(len(scale.dofs)))

    def noise_free_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """The same, for rows without noise."""
        constants = map_student_constants(tuple(scale.dofs.tolist()), n_features)
        return LaneRule(np.ascontiguousarray(scale.dofs), constants, no_nodes(len(scale.dofs)))
