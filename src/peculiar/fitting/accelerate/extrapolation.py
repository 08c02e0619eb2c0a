"""Steps of a quasi-Newton method that takes EM for its metric."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from peculiar.arrays import Floats
from peculiar.fitting.accelerate.coordinates import Coordinates
from peculiar.fitting.accelerate.information import Information
from peculiar.model.dofs import GREATEST_DOF, LEAST_DOF
from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
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


class Extrapolation:
    """Proposes steps, and learns from what became of them.

    Parameters
    ----------
    scatter : Scatter
    prior : ScalePrior

    Attributes
    ----------
    expected_gain : float
        What the last step proposed would gain if it were not shortened and the bound a quadratic: half of step times
        gradient. 0 while nothing is known.
    """

    def __init__(self, scatter: Scatter, prior: ScalePrior) -> None:
        self.scatter = scatter
        self.prior = prior
        self.expected_gain = 0.0
        self._coordinates: Coordinates | None = None
        self._last: _Point | None = None
        self._pairs: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
        self._proposed: MixtureParams | None = None
        self._reach = LONGEST
        self._slow = False

    def propose(
        self, params: MixtureParams, stats: SufficientStats, plain: MixtureParams
    ) -> MixtureParams:
        """Parameters to try next; ``plain`` itself while nothing better is known.

        Parameters
        ----------
        params : MixtureParams
            Where EM is. If these are not the ones proposed last, those were worse, and the next step will be shorter.
        stats : SufficientStats
            The sums there.
        plain : MixtureParams
            Where the M-step would go.

        Returns
        -------
        MixtureParams
        """
        if self._proposed is not None:
            kept = self._proposed is params
            self._reach = min(2.0 * self._reach, LONGEST) if kept else 0.25 * self._reach
            if self._reach < SHORTEST:
                self._forget()
        coordinates, here = self._arrive(params, stats, plain)
        self._proposed, self.expected_gain = None, 0.0
        if not (self._slow and self._pairs and np.isfinite(here.gradient).all()):
            return plain
        step = self._newton(here)
        length, rise = _length(coordinates, step), float(step @ here.gradient)
        if not (math.isfinite(length) and rise > 0.0):
            self._forget()
            return plain
        self.expected_gain = 0.5 * rise
        vector = here.vector + min(1.0, self._reach / length) * step
        raw = coordinates.params(vector, least=np.minimum(SMALLEST, here.smallest))
        self._proposed = restrain(raw, params, self.scatter, self.prior.least_dof)
        return self._proposed

    def _arrive(
        self, params: MixtureParams, stats: SufficientStats, plain: MixtureParams
    ) -> tuple[Coordinates, _Point]:
        """Learn from the step that led here."""
        coordinates = self._coordinates or Coordinates.about(params, self.prior)
        sizes, axes = coordinates.sizes(params)
        if self._unsuited(sizes):
            self._forget()
            coordinates = Coordinates.about(params, self.prior)
            sizes, axes = coordinates.sizes(params)
        vector = coordinates.of(params)
        with np.errstate(invalid="ignore"):  # log-weights of components that died
            step = coordinates.of(plain) - vector
            gradient = Information(
                coordinates, stats, sizes, axes, params.scale, self.scatter.prior_rows
            ).times(step)
        soft = Information(
            coordinates,
            stats,
            np.maximum(sizes, STIFF_SIZE),
            axes,
            params.scale._replace(dofs=np.minimum(params.dofs, STIFF_DOF)),
            self.scatter.prior_rows,
        )
        here = _Point(vector, gradient, soft, sizes[:, 0], stats.mean_bound)
        last = self._last
        self._coordinates, self._last = coordinates, here
        if last is not None:
            self._slow |= here.bound - last.bound < SLOW
            self._remember(here.vector - last.vector, last.gradient - here.gradient)
        return coordinates, here

    def _unsuited(self, sizes: Floats) -> bool:
        """Whether the units are: once they are in use, a component may be flat, but not small."""
        counting = sizes[:, -1] if self._slow else sizes
        return bool(counting.max() > STRETCH or counting.min() < 1.0 / STRETCH)

    def _forget(self) -> None:
        """Begin again, with new units."""
        self._coordinates = self._last = None
        self._pairs.clear()
        self._reach = LONGEST

    def _remember(self, step: Floats, fall: Floats) -> None:
        """A step, and by how much the gradient fell; where it rose there is no maximum to aim at."""
        product = float(step @ fall)
        if math.isfinite(product) and product > 1e-8 * math.sqrt((step @ step) * (fall @ fall)):
            self._pairs.append((step, fall))

    def _newton(self, here: _Point) -> Floats:
        """The step of limited-memory BFGS: two sweeps over what is remembered."""
        gradient, shares = here.gradient.copy(), []
        for step, fall in reversed(self._pairs):
            shares.append(float(step @ gradient) / float(step @ fall))
            gradient -= shares[-1] * fall
        result = here.information.divide(gradient)
        for step, fall in self._pairs:
            result += (shares.pop() - float(fall @ result) / float(step @ fall)) * step
        return result


@dataclass(frozen=True)
class _Point:
    """Where EM was, and which way was up."""

    vector: Floats
    gradient: Floats
    information: Information
    smallest: Floats  # sizes
    bound: float


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
