"""Longer steps than EM's: a quasi-Newton method that takes EM for its metric.

An EM step solves the problem in which the hidden quantities are known. To first order it is the gradient of the bound,
divided by the information that complete data would carry,

    step = information^-1 gradient.

Where much is hidden (overlapping components, large errors, a dof near infinity) the curvature of the bound is only a
small part of that information, and EM crawls. The change of the gradient along the steps taken shows how small, and
limited-memory BFGS turns that into longer steps. The gradient comes with the sums of the E-step, so that an
extrapolated step costs what a plain one costs.

:class:`Coordinates` has the parameters as a flat vector, :class:`Extrapolation` the steps. Whether a step is kept is
decided in :mod:`peculiar.fit`, which makes the plain one where the bound would fall.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import polygamma

from peculiar.kernels.structs import Floats
from peculiar.model.dofs import GREATEST_DOF, LEAST_DOF
from peculiar.model.params import MixtureParams
from peculiar.model.prior import Scale, ScalePrior
from peculiar.model.prior.wild import LEAST_FRACTION
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

MIDDLE_DOF = 10.0
"""Below this dof its coordinate is like its logarithm, above like its inverse."""


@dataclass(frozen=True)
class Coordinates:
    """Parameters as a flat vector in which every number is allowed.

    Log-weights; locations in units of the component; square roots of the scatters, in the same units;
    -log(1 + 10 / dof) for the dofs that are estimated; and arcsin(sqrt(eps)) for the fraction of wild objects, if it
    is. A scatter may have to shrink to nothing in some direction, a dof to grow to infinity, a fraction to vanish. In
    these coordinates that is a finite way along which the bound is smooth; in logarithms it would be endless.

    The units of a component are its ``frame``, a matrix with ``frame frame' = scatter`` when the coordinates
    were made. A linear map of the data rotates them, and no step depends on rotations.

    Attributes
    ----------
    origin : ndarray of shape (K, d)
        Locations whose coordinates are 0.
    frame : ndarray of shape (K, d, d)
    dofs : ndarray of shape (K,)
        The dofs, where none is estimated.
    n_dofs : int
        How many are estimated: 0, 1 (shared) or K.
    wild_fraction : float
        The fraction of wild objects, where it is not estimated.
    n_wild : int
        How many of these are estimated: 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.model.prior import FixedDofs
    >>> params = MixtureParams(
    ...     np.zeros(1), np.zeros((1, 2)), np.array([[[4.0, 0.0], [0.0, 1.0]]]), np.ones(1)
    ... )
    >>> coordinates = Coordinates.about(params, FixedDofs((1.0,)))
    >>> coordinates.of(params)  # log-weight; location; square root of the scatter
    array([0., 0., 0., 1., 0., 0., 1.])
    >>> coordinates.params(np.array([0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 3.0])).scatters
    array([[[4., 0.],
            [0., 9.]]])
    """

    origin: Floats
    frame: Floats
    dofs: Floats
    n_dofs: int
    wild_fraction: float = 0.0
    n_wild: int = 0

    @classmethod
    def about(cls, params: MixtureParams, prior: ScalePrior) -> Coordinates:
        """Coordinates in which these components have size 1."""
        n_dofs = prior.n_dofs(params.n_components)
        n_wild = prior.n_parameters(params.n_components) - n_dofs
        frame: Floats = np.linalg.cholesky(params.scatters).astype(np.float64, copy=False)
        return cls(params.locations, frame, params.dofs, n_dofs, params.wild_fraction, n_wild)

    def of(self, params: MixtureParams) -> Floats:
        """The vector of some parameters."""
        shifts = np.linalg.solve(self.frame, (params.locations - self.origin)[:, :, None])
        roots = _compose(*self.sizes(params))
        bent = _bend(params.dofs[: self.n_dofs])
        angle = np.full(self.n_wild, math.asin(math.sqrt(params.wild_fraction)))
        return np.concatenate([params.log_weights, shifts.ravel(), roots.ravel(), bent, angle])

    def params(self, vector: Floats, least: ArrayLike = 0.0) -> MixtureParams:
        """The parameters of a vector, weights normalised, and no component flatter than ``least``, (K,) or a number."""
        log_weights, shifts, roots, bent, angle = self.split(vector)
        values, vectors = np.linalg.eigh(roots)
        turned = self.frame @ _compose(
            np.maximum(np.abs(values), np.reshape(least, (-1, 1))), vectors
        )
        dofs = np.broadcast_to(_unbend(bent), self.dofs.shape).copy() if self.n_dofs else self.dofs
        return MixtureParams(
            log_weights - np.logaddexp.reduce(log_weights),
            self.origin + (self.frame @ shifts[:, :, None])[:, :, 0],
            turned @ np.swapaxes(turned, 1, 2),
            dofs,
            wild_fraction=self._fraction(angle),
        )

    def _fraction(self, angle: Floats) -> float:
        """Of wild objects; where it is estimated it never vanishes altogether."""
        if not self.n_wild:
            return self.wild_fraction
        return max(math.sin(float(angle[0])) ** 2, LEAST_FRACTION)

    def split(self, vector: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Parts of a vector, in the shapes of the parameters."""
        n, d = self.origin.shape
        first, second = n * (1 + d), n * (1 + d + d * d)
        third = second + self.n_dofs
        return (
            vector[:n],
            vector[n:first].reshape(n, d),
            vector[first:second].reshape(n, d, d),
            vector[second:third],
            vector[third:],
        )

    def sizes(self, params: MixtureParams) -> tuple[Floats, Floats]:
        """Eigenvalues (rising) and eigenvectors of the square roots of the scatters."""
        half = np.linalg.solve(self.frame, params.scatters)
        whole = np.linalg.solve(self.frame, np.swapaxes(half, 1, 2))
        values, vectors = np.linalg.eigh(0.5 * (whole + np.swapaxes(whole, 1, 2)))
        least = np.finfo(float).eps * values[:, -1:]
        return np.sqrt(np.maximum(values, least)), vectors


class Information:
    """What complete data would tell about the coordinates, per row.

    Diagonal in the axes of each scatter. With b the eigenvalues of its root and pi the share of the rows,
    pi E[u] / b_i^2 for the location and (pi / 2) (1 / b_i + 1 / b_j)^2 for the root.

    Parameters
    ----------
    coordinates : Coordinates
    stats : SufficientStats
    sizes, axes : ndarray of shape (K, d) and (K, d, d)
        Eigenvalues and eigenvectors of the roots.
    scale : Scale
    """

    def __init__(
        self,
        coordinates: Coordinates,
        stats: SufficientStats,
        sizes: Floats,
        axes: Floats,
        scale: Scale,
    ) -> None:
        total = float(stats.n.sum())
        shares, inverse = stats.n / total, 1.0 / sizes
        sums = inverse[:, :, None] + inverse[:, None, :]
        self._split, self._axes = coordinates.split, axes
        self._weights = shares
        self._shifts = (stats.sum_u / total)[:, None] * np.square(inverse)
        self._roots = 0.5 * shares[:, None, None] * np.square(sums)
        ordinary = stats.n_ordinary / total
        self._dofs = _dof_information(scale.dofs, ordinary, coordinates.n_dofs)
        self._wild = np.full(coordinates.n_wild, 4.0)

    def times(self, step: Floats) -> Floats:
        """From a step of EM to the gradient."""
        return self._scale(step, np.multiply)

    def divide(self, gradient: Floats) -> Floats:
        """From a gradient to the step; 0 for a component without rows."""
        return self._scale(gradient, _divide)

    def _scale(self, vector: Floats, scale: Callable[[Floats, Floats], Floats]) -> Floats:
        weights, shifts, roots, dofs, angle = self._split(vector)
        axes, across = self._axes, np.swapaxes(self._axes, 1, 2)
        turned = scale((across @ shifts[:, :, None])[:, :, 0], self._shifts)
        parts = (
            scale(weights, self._weights),
            (axes @ turned[:, :, None]).ravel(),
            (axes @ scale(across @ roots @ axes, self._roots) @ across).ravel(),
            scale(dofs, self._dofs),
            scale(angle, self._wild),
        )
        return np.concatenate(parts)


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
            gradient = Information(coordinates, stats, sizes, axes, params.scale).times(step)
        soft = Information(
            coordinates,
            stats,
            np.maximum(sizes, STIFF_SIZE),
            axes,
            params.scale._replace(dofs=np.minimum(params.dofs, STIFF_DOF)),
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


def _compose(values: Floats, vectors: Floats) -> Floats:
    """Symmetric matrices from their eigenvalues and eigenvectors."""
    result: Floats = (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    return result


def _dof_information(dofs: Floats, shares: Floats, n_dofs: int) -> Floats:
    """That of the Gamma law of u about the coordinate of its dof."""
    half = 0.5 * np.where(np.isinf(dofs), 1.0, dofs)
    about_log = shares * half * (half * polygamma(1, half) - 1.0)
    each: Floats = about_log * np.square(1.0 + 2.0 * half / MIDDLE_DOF)
    return each.sum(keepdims=True) if n_dofs == 1 else each[:n_dofs]


def _bend(dofs: Floats) -> Floats:
    """From (0, inf] to (-inf, 0]."""
    bent: Floats = -np.log1p(MIDDLE_DOF / dofs)
    return bent


def _unbend(bent: Floats) -> Floats:
    """The other way round; infinite from 0 on."""
    with np.errstate(divide="ignore", over="ignore"):
        dofs: Floats = MIDDLE_DOF / np.expm1(np.maximum(-bent, 0.0))
    return dofs


def _divide(numerator: Floats, denominator: Floats) -> Floats:
    """0 where the denominator is."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0.0)
