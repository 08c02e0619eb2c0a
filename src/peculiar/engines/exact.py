"""The true likelihood: u integrated out by the trapezoidal rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import digamma, loggamma

from peculiar.arrays import Floats
from peculiar.engines.base import Objective
from peculiar.engines.constants import table
from peculiar.engines.lanewise import LaneEngine
from peculiar.engines.wild import wild_lane_rule, wild_rule
from peculiar.errors import SettingError
from peculiar.kernels.lanes.exact import MAX_NODES, ExactConstants, Node
from peculiar.kernels.shared.special import LOG_2PI, stirling_gap
from peculiar.kernels.structs import ExactRule, LaneRule, WildRule
from peculiar.model.prior import Scale

# What is left out lies this much deeper (in log) than rtol: it may be spread over hundreds of nodes.
_MARGIN = 8.0
_LANE_MARGIN = 1.0

# Shapes for which blocks of rows are integrated over crowded nodes. Below, a row that is far away and badly measured
# loses accuracy (5e-9 was seen); above, the left tail is so short that nothing is gained.
_CROWDED_SHAPES = (3.5, 12.0)

# Beyond, the law of log u is normal for the purpose of choosing a step, and log Gamma would lose its digits.
_NORMAL_SHAPE = 1e6


@dataclass(frozen=True)
class Exact(LaneEngine):
    """The integral over u by quadrature, to a given relative error.

    Parameters
    ----------
    rtol : float, default=1e-10
        Bound on the relative error of the density and of the moments of u.

    Examples
    --------
    A point 30 scatter units away, with an error of 30 units, is not strange at all:

    >>> import numpy as np
    >>> Exact().scale_moments(np.array([30.0]), np.array([900.0]), dof=5.0).u > 0.9
    True
    """

    rtol: float = 1e-10

    name: ClassVar[str] = "exact"
    formula: ClassVar[str] = "exact"
    has_clean: ClassVar[bool] = True
    exact_when: ClassVar[frozenset[str]] = frozenset({"always", "noise_free", "gaussian"})
    objective: ClassVar[Objective] = "likelihood"
    takes_wild: ClassVar[bool] = True
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def __post_init__(self) -> None:
        given: Any = self.rtol
        if not (isinstance(given, Real) and 1e-15 <= float(given) <= 1e-3):
            raise SettingError(f"rtol must be between 1e-15 and 1e-3, not {given!r}")

    def rule(self, scale: Scale, n_features: int) -> ExactRule | WildRule:
        """Steps for every component and number of observed features, and the scales of a wild part."""
        ordinary = self.ordinary_rule(scale.dofs, n_features)
        return wild_rule(ordinary, scale, n_features) if scale.wild_fraction else ordinary

    def ordinary_rule(self, dofs: Floats, n_features: int) -> ExactRule:
        """Steps for every component and number of observed features."""
        steps, _, _ = _nodes(tuple(dofs.tolist()), n_features, self.rtol)
        return ExactRule(np.ascontiguousarray(dofs), steps, math.log(1.0 / self.rtol) + _MARGIN)

    def lane_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """Nodes for every component and number of observed features, and those of a wild part."""
        _, nodes, constants = _nodes(tuple(scale.dofs.tolist()), n_features, self.rtol)
        rule = LaneRule(np.ascontiguousarray(scale.dofs), constants, nodes)
        return wild_lane_rule(rule, scale, n_features) if scale.wild_fraction else rule

    def noise_free_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """Numbers of the closed form, and the nodes of a wild part."""
        rule = super().noise_free_rule(scale, n_features)
        return wild_lane_rule(rule, scale, n_features) if scale.wild_fraction else rule


@lru_cache(maxsize=64)
def _nodes(dofs: tuple[float, ...], n_features: int, rtol: float) -> tuple[Floats, Floats, Floats]:
    """Steps, and the nodes and constants of the lanes. Those of infinite dof are never read."""
    depth = math.log(1.0 / rtol) + _LANE_MARGIN
    finite: Floats = np.where(np.isinf(dofs), 1.0, np.array(dofs))
    shapes = 0.5 * (finite[:, None] + np.arange(n_features + 1))
    steps = trapezoid_step(shapes, rtol)
    crowded = _is_crowded(shapes)
    # A small dof and few features: the posterior may have a long left side. Elsewhere 1.0 is worse: up to 3e-9.
    kappas = np.where((finite[:, None] < 4.0) & (shapes < 6.0), 1.0, 1.4)
    first = np.where(crowded, _first_crowded(shapes, kappas, depth), 0.0)
    t = first[..., None] + steps[..., None] * np.arange(MAX_NODES)
    squeeze = np.where(crowded[..., None], np.exp(-kappas[..., None] * t), 0.0)
    offsets = t - squeeze
    weights = steps[..., None] * (1.0 + kappas[..., None] * squeeze)
    columns = Node(offsets, np.exp(offsets), weights, shapes[..., None] * offsets)

    nodes = np.ascontiguousarray(np.stack(columns, axis=-1))
    constants = table(dofs, n_features, partial(_constants, depth), len(ExactConstants._fields))
    constants[:, :, ExactConstants._fields.index("step")] = steps
    return steps, nodes, constants


def _is_crowded(shape: Any) -> Any:
    low, high = _CROWDED_SHAPES
    return (low <= shape) & (shape < high)


def _constants(depth: float, dof: float, p: int) -> ExactConstants:
    h, shape = 0.5 * dof, 0.5 * (dof + p)
    return ExactConstants(
        dof,
        dof + p,
        shape,
        0.5 * math.log(h) - stirling_gap.py_func(h) - 0.5 * (p + 1) * LOG_2PI,
        math.log1p((p + 2.0) / dof),
        depth,
        0.0 if _is_crowded(shape) else depth / shape,
        0.5 * p,
        0.0,  # filled in for all at once
    )


def _first_crowded(shapes: Floats, kappas: Floats, depth: float) -> Floats:
    """The t at which  shape (t - e^(-kappa t)) = -depth."""
    target = -depth / shapes
    t: Floats = -np.log1p(-target) / kappas
    for _ in range(
        6
    ):  # Newton; the left side is concave and rising. The last step is below rounding
        squeeze = np.exp(-kappas * t)
        t = t - (t - squeeze - target) / (1.0 + kappas * squeeze)
    return t


def trapezoid_step(shape: Floats, rtol: float) -> Floats:
    """Step in log u for a posterior that is a mixture of Gammas of this shape.

    The largest h with  2 |Gamma(c + 2 pi i / h)| / Gamma(c) <= rtol  for c = shape + 1 (the shape under
    moments weighted by u, which is the harder one).

    Parameters
    ----------
    shape : ndarray
        (dof + p) / 2.
    rtol : float
        Relative error of sums over the nodes.

    Returns
    -------
    ndarray
        Steps, in the shape of ``shape``.
    """
    target = math.log(0.5 * rtol)
    c = np.minimum(shape + 1.0, _NORMAL_SHAPE)
    tau = np.sqrt(-2.0 * target * c) - target
    log_gamma_c = loggamma(c)
    for _ in range(
        5
    ):  # Newton; the left side is concave in tau, so it comes from the right. Four would do
        gap = np.real(loggamma(c + 1j * tau)) - log_gamma_c - target
        tau = tau + gap / np.imag(digamma(c + 1j * tau))
    tau = tau * np.sqrt((shape + 1.0) / c)
    return np.ascontiguousarray(2.0 * np.pi / tau)
