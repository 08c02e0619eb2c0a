"""Steps of a quasi-Newton method that takes EM for its metric."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.fitting.accelerate.coordinates import Coordinates
from peculiar.fitting.accelerate.information import Information
from peculiar.model.dofs import GREATEST_DOF, LEAST_DOF
from peculiar.model.params import MixtureParams
from peculiar.model.prior import Scale, ScalePrior
from peculiar.model.scatter import Scatter
from peculiar.model.stats import SufficientStats

SLOW = 1e-4
"""Steps are extrapolated once a plain one has gained less than this per row. Before, EM is quick by itself; and it
decides which of several maxima is climbed, so it is left alone."""

MEMORY = 20
"""Number of steps remembered."""

LONGEST = 0.7
"""Longest step: in log-weights, in locations (in units of the component), in its relative size."""

LARGEST_FACTOR = 3.0
"""By which a dof may change in one step."""

SHORTEST = 1e-3
"""Where even steps this short are worse than plain ones, what was learnt is wrong, and forgotten."""

SMALLEST = 1e-3
"""Least size that an extrapolated step may give to a component in some direction, unless it is smaller already. Below,
rounding spoils the gradient."""

STIFF_SIZE, STIFF_DOF = 0.3, 20.0
"""A direction in which a component has shrunk further, and a dof above, move as if they were these. EM moves them
hardly at all, and what was shrunk or raised too far would stay so."""

STRETCH = 3.0
"""Units are chosen anew when a component has become so many times larger or smaller."""


@dataclass(frozen=True)
class Point:
    """Where EM was, and which way was up."""

    vector: Floats
    gradient: Floats
    bound: float


@dataclass(frozen=True)
class Memory:
    """What was learnt from the steps so far.

    Attributes
    ----------
    coordinates : Coordinates or None
        The units in which it was learnt.
    last : Point or None
    pairs : tuple of pairs of ndarray
        Steps, and by how much the gradient fell along each.
    reach : float
        How long the next step may be.
    stride : float
        How long the last step proposed was.
    is_slow : bool
        Whether steps are extrapolated yet.
    expected_gain : float
        What the last step proposed would gain if it were not shortened and the bound a quadratic: half of step times
        gradient. 0 while nothing is known.
    """

    coordinates: Coordinates | None = None
    last: Point | None = None
    pairs: tuple[tuple[Floats, Floats], ...] = ()
    reach: float = LONGEST
    stride: float = LONGEST
    is_slow: bool = False
    expected_gain: float = 0.0

    def emptied(self) -> Memory:
        """To begin again, with new units."""
        return replace(self, coordinates=None, last=None, pairs=(), reach=LONGEST)

    def after(self, *, is_kept: bool) -> Memory:
        """What is learnt from the fate of a step: after one that was worse than the plain one the next is shorter."""
        reach = min(2.0 * self.reach, LONGEST) if is_kept else 0.25 * self.stride
        return self.emptied() if reach < SHORTEST else replace(self, reach=reach)

    def with_point(self, coordinates: Coordinates, here: Point) -> Memory:
        """The same after a step to here; where the gradient rose there is no maximum to aim at."""
        arrived = replace(self, coordinates=coordinates, last=here)
        if self.last is None:
            return arrived
        is_slow = self.is_slow or here.bound - self.last.bound < SLOW
        step, fall = here.vector - self.last.vector, self.last.gradient - here.gradient
        product, pairs = float(step @ fall), self.pairs
        if math.isfinite(product) and product > 1e-8 * math.sqrt((step @ step) * (fall @ fall)):
            pairs = (*pairs, (step, fall))[-MEMORY:]
        return replace(arrived, is_slow=is_slow, pairs=pairs)


@dataclass(frozen=True)
class Extrapolation:
    """Proposes steps from what was learnt of earlier ones.

    Attributes
    ----------
    scatter : Scatter
    prior : ScalePrior
    """

    scatter: Scatter
    prior: ScalePrior

    def propose(
        self, memory: Memory, params: MixtureParams, stats: SufficientStats, plain: MixtureParams
    ) -> tuple[MixtureParams, Memory]:
        """Parameters to try next; ``plain`` itself while nothing better is known.

        Parameters
        ----------
        memory : Memory
        params : MixtureParams
            Where EM is.
        stats : SufficientStats
            The sums there.
        plain : MixtureParams
            Where the M-step would go.

        Returns
        -------
        params : MixtureParams
        memory : Memory
            With what the step that led here has taught.
        """
        memory, seen = self._see(memory, params)
        coordinates = seen.coordinates
        vector = coordinates.of(params)
        with np.errstate(invalid="ignore"):  # log-weights of components that died
            gradient = self._information(seen, stats, params.scale).times(
                coordinates.of(plain) - vector
            )
        here = Point(vector, gradient, stats.mean_bound)
        memory = replace(memory.with_point(coordinates, here), expected_gain=0.0)
        if not (memory.is_slow and memory.pairs and np.isfinite(gradient).all()):
            return plain, memory
        softer = params.scale._replace(dofs=np.minimum(params.dofs, STIFF_DOF))
        step = _newton(memory, gradient, self._information(seen.softened(), stats, softer))
        length, rise = _length(coordinates, step), float(step @ gradient)
        if not (math.isfinite(length) and rise > 0.0):
            return plain, memory.emptied()
        stride = min(length, memory.reach)
        reached = vector + stride / length * step
        raw = coordinates.params(reached, least=np.minimum(SMALLEST, seen.sizes[:, 0]))
        proposed = restrain(raw, params, self.scatter, self.prior.least_dof)
        return proposed, replace(memory, stride=stride, expected_gain=0.5 * rise)

    def _see(self, memory: Memory, params: MixtureParams) -> tuple[Memory, _Seen]:
        """The components in the coordinates that are in use; in new ones where those no longer suit."""
        if memory.coordinates is not None:
            seen = _Seen(memory.coordinates, *memory.coordinates.sizes(params))
            # Once coordinates are in use, a component may be flat, but not small.
            counting = seen.sizes[:, -1] if memory.is_slow else seen.sizes
            if not (counting.max() > STRETCH or counting.min() < 1.0 / STRETCH):
                return memory, seen
        coordinates = Coordinates.about(params, self.prior)
        return memory.emptied(), _Seen(coordinates, *coordinates.sizes(params))

    def _information(self, seen: _Seen, stats: SufficientStats, scale: Scale) -> Information:
        coordinates, sizes, axes = seen
        return Information(coordinates, stats, sizes, axes, scale, self.scatter.prior_rows)


class _Seen(NamedTuple):
    """Components in some coordinates: eigenvalues and eigenvectors of the roots of their scatters."""

    coordinates: Coordinates
    sizes: Floats
    axes: Floats

    def softened(self) -> _Seen:
        """The same without stiff directions."""
        return self._replace(sizes=np.maximum(self.sizes, STIFF_SIZE))


def _newton(memory: Memory, gradient: Floats, information: Information) -> Floats:
    """The step of limited-memory BFGS: two sweeps over what is remembered."""
    gradient, shares = gradient.copy(), list[float]()
    for step, fall in reversed(memory.pairs):
        shares.append(float(step @ gradient) / float(step @ fall))
        gradient -= shares[-1] * fall
    result = information.divide(gradient)
    for step, fall in memory.pairs:
        result += (shares.pop() - float(fall @ result) / float(step @ fall)) * step
    return result


def restrain(
    new: MixtureParams, old: MixtureParams, scatter: Scatter, least_dof: float = LEAST_DOF
) -> MixtureParams:
    """Extrapolated parameters, brought back to what is allowed.

    Scatters are of their structure and above their floor; dofs are in their range, and not more than a factor
    ``LARGEST_FACTOR`` from where they were; an infinite dof stays.
    """
    least = np.maximum(old.dofs / LARGEST_FACTOR, np.minimum(old.dofs, least_dof))
    greatest = np.minimum(old.dofs * LARGEST_FACTOR, np.maximum(old.dofs, GREATEST_DOF))
    dofs = np.where(np.isinf(old.dofs), old.dofs, np.clip(new.dofs, least, greatest))
    scatters = scatter.nearest(new.scatters)
    aligned = scatter.is_aligned(scatters)
    return replace(new, scatters=scatters, dofs=dofs, aligned=aligned)


def _length(coordinates: Coordinates, step: Floats) -> float:
    """Largest part of a step, whichever way the axes are turned; dofs have a limit of their own."""
    log_weights, shifts, roots, _, angle = coordinates.split(step)
    moved, changed = np.linalg.norm(shifts, axis=1), np.linalg.norm(roots, axis=(1, 2))
    turned = np.abs(angle).max(initial=1e-300)
    return float(max(np.abs(log_weights).max(), moved.max(), changed.max(), turned))
