"""The true likelihood: u integrated out by the trapezoidal rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import digamma, loggamma

from peculiar.engines.base import KernelEngine
from peculiar.kernels.structs import ExactRule, Floats

# What is left out lies this much deeper (in log) than rtol: it may be spread over hundreds of nodes.
_MARGIN = 8.0


@dataclass(frozen=True)
class Exact(KernelEngine):
    """The integral over u by quadrature, to a given relative error.

    Parameters
    ----------
    rtol : float, default=1e-11
        Bound on the relative error of the density and of the moments of u.

    Examples
    --------
    A point 30 scatter units away, measured as badly as that, is not strange at all:

    >>> import numpy as np
    >>> Exact().scale_moments(np.array([30.0]), np.array([900.0]), dof=5.0).u > 0.9
    True
    """

    rtol: float = 1e-11

    name: ClassVar[str] = "exact"
    exact_when: ClassVar[frozenset[str]] = frozenset({"always", "noise_free", "gaussian"})
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def __post_init__(self) -> None:
        if not 1e-15 <= self.rtol <= 1e-3:
            raise ValueError(f"rtol must be between 1e-15 and 1e-3, not {self.rtol!r}")

    def rule(self, dofs: Floats, n_features: int) -> ExactRule:
        """Steps for every component and number of observed features."""
        steps = _steps(tuple(dofs.tolist()), n_features, self.rtol)
        return ExactRule(np.ascontiguousarray(dofs), steps, math.log(1.0 / self.rtol) + _MARGIN)


@lru_cache(maxsize=8)
def _steps(dofs: tuple[float, ...], n_features: int, rtol: float) -> Floats:
    """Trapezoid steps, (K, d + 1). Rows of infinite dof are never read."""
    finite: Floats = np.where(np.isinf(dofs), 1.0, np.array(dofs))
    return trapezoid_step(0.5 * (finite[:, None] + np.arange(n_features + 1)), rtol)


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
    c = shape + 1.0
    target = math.log(0.5 * rtol)
    tau = np.sqrt(-2.0 * target * c) - target
    log_gamma_c = loggamma(c)
    for _ in range(12):  # Newton; the left side is concave in tau, so it comes from the right
        gap = np.real(loggamma(c + 1j * tau)) - log_gamma_c - target
        tau = tau + gap / np.imag(digamma(c + 1j * tau))
    return np.ascontiguousarray(2.0 * np.pi / tau)
