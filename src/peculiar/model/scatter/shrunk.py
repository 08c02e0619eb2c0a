"""A full scatter, drawn towards a diagonal one as if some more rows had been seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import SettingError
from peculiar.model.scatter.full import FullScatter


@dataclass(frozen=True)
class AutoScatter(FullScatter):
    """Full scatters, shrunk towards a diagonal as far as the data ask for it: ``scatter="auto"``.

    With few rows for each parameter a full scatter describes chance correlations of the rows it was fitted to. So some
    pseudo-rows, uncorrelated and of typical size, are added to each component. How many is found by the likelihood of
    rows that were left out of the fit; where there are enough rows, or correlations are strong, it is none.

    Parameters
    ----------
    pseudo_rows : float, optional
        How many, if that is not to be found.

    Examples
    --------
    Thirty rows of eight features that are independent; new rows are likelier by more than a nat each:

    >>> import numpy as np
    >>> from peculiar import RobustMixture
    >>> rng = np.random.default_rng(0)
    >>> X, new = rng.multivariate_normal(np.zeros(8), np.eye(8), size=(2, 30))
    >>> shrunk = RobustMixture(scatter="auto", dof=np.inf, random_state=0).fit(X)
    >>> (
    ...     shrunk.pseudo_rows_ > 0,
    ...     bool(shrunk.score(new) > RobustMixture(dof=np.inf).fit(X).score(new) + 1),
    ... )
    (True, True)
    """

    pseudo_rows: float | None = None

    name: ClassVar[str] = "auto"

    def __post_init__(self) -> None:
        given: Any = self.pseudo_rows
        is_number = isinstance(given, Real) and not isinstance(given, bool)
        if given is not None and not (is_number and 0.0 <= float(given) < math.inf):
            raise SettingError(f"pseudo_rows must be a finite number, 0 or more, not {given!r}")


@dataclass(frozen=True)
class ShrunkScatter(FullScatter):
    r"""Full scatters with a preference: that they are like a given diagonal one, as if seen in some more rows.

    .. math::

        -\frac{\kappa}{2} \sum_k \left[ \log \frac{|\Sigma_k|}{|T|} + \operatorname{tr}(\Sigma_k^{-1} T) - d \right]

    It is 0 at :math:`\Sigma_k = T`, and lower elsewhere. The target T does not change during a fit: estimated with the
    rest, it would follow a component that collapses instead of stopping it.

    Parameters
    ----------
    pseudo_rows : float
        :math:`\kappa`, their number for each component.
    target : tuple of float
        Diagonal of T, in scaled units.
    """

    pseudo_rows: float
    target: tuple[float, ...]

    name: ClassVar[str] = "shrunk"

    @property
    def prior_rows(self) -> float:
        """How many rows of each component the preference counts for."""
        return self.pseudo_rows

    def estimate(self, moments: Floats, n: Floats) -> Floats:
        """Second moments of rows and pseudo-rows together."""
        n, kappa = n[:, None, None], self.pseudo_rows
        return self.nearest((n * moments + kappa * np.diag(self.target)) / (n + kappa))

    def log_prior(self, scatters: Floats) -> float:
        """Minus half the pseudo-rows times Stein's loss of each scatter against the target."""
        target = np.array(self.target)
        sizes = np.linalg.slogdet(scatters)[1] - np.log(target).sum()
        traces = np.diagonal(np.linalg.inv(scatters), axis1=1, axis2=2) @ target
        return -0.5 * self.pseudo_rows * float((sizes + traces - len(target)).sum())
