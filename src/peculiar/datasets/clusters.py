"""Three clusters and uniform outliers: the simulated data of the 2007 paper, and the best possible ranking of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from peculiar.arrays import Floats, Ints

CENTRES = np.array([[0.0, 0.0], [12.0, 0.0], [6.0, 10.0]])
COVARIANCES = np.array(
    [[[2.0, 0.8], [0.8, 1.0]], [[1.0, -0.5], [-0.5, 2.0]], [[1.5, 0.0], [0.0, 0.8]]]
)
LOW, HIGH = -12.0, 24.0
"""Sides of the square in which outliers are."""


@dataclass(frozen=True)
class Clusters:
    """Points in a plane, measured with errors, and the truth about them.

    Attributes
    ----------
    X, X_std : ndarray of shape (n, 2)
        Measured values and their errors.
    clean : ndarray of shape (n, 2)
        Values without errors.
    population : ndarray of shape (n,)
        0, 1 or 2; -1 for an outlier.
    """

    X: Floats
    X_std: Floats
    clean: Floats
    population: Ints

    @property
    def is_outlier(self) -> NDArray[np.bool_]:
        """Which points belong to no cluster."""
        return self.population < 0

    @property
    def measured(self) -> dict[str, Floats]:
        """What a real catalogue would give: values and errors, as arguments of ``fit``."""
        return {"X": self.X, "X_std": self.X_std}

    def oracle(self) -> Floats:
        """Probability that each point is an outlier, from the true distributions and the true share of outliers.

        No method can rank the points better, on average.

        Returns
        -------
        ndarray of shape (n,)
        """
        share = self.is_outlier.mean()
        ordinary = np.zeros(len(self.X))
        for centre, covariance in zip(CENTRES, COVARIANCES, strict=True):
            total = covariance + np.square(self.X_std)[:, :, None] * np.eye(2)
            r = self.X - centre
            sq_dist = np.einsum("ni,nij,nj->n", r, np.linalg.inv(total), r)
            ordinary += np.exp(-0.5 * sq_dist) / np.sqrt(np.linalg.det(2 * np.pi * total)) / 3
        with np.errstate(divide="ignore"):  # a value without error is inside or outside
            above, below = (HIGH - self.X) / self.X_std, (LOW - self.X) / self.X_std
        strange = ((ndtr(above) - ndtr(below)) / (HIGH - LOW)).prod(axis=1)
        strange, ordinary = share * strange, (1.0 - share) * ordinary
        sums = strange + ordinary
        # Beyond the square and far from all clusters both densities vanish: nobody is there but outliers.
        result: Floats = np.divide(strange, sums, out=np.ones_like(sums), where=sums > 0)
        return result


def make_clusters(
    n_per_cluster: int = 100,
    *,
    n_outliers: int = 30,
    noise_variance: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Clusters:
    """Draw three well separated Gaussian clusters and outliers, and measure them with errors.

    Parameters
    ----------
    n_per_cluster : int, default=100
    n_outliers : int, default=30
        Drawn uniformly from the square [-12, 24] x [-12, 24].
    noise_variance : float, default=1.0
        The variance of each error is uniform between 0 and this.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Clusters

    Examples
    --------
    >>> from peculiar.datasets import make_clusters
    >>> sky = make_clusters(random_state=0)
    >>> sky.X.shape, int(sky.is_outlier.sum())
    ((330, 2), 30)
    """
    if n_per_cluster < 0 or n_outliers < 0 or n_per_cluster + n_outliers < 1:
        raise ValueError(
            f"cannot draw {n_per_cluster} points per cluster and {n_outliers} outliers"
        )
    if not 0.0 <= noise_variance < np.inf:
        raise ValueError(f"noise_variance must be 0 or more, and finite, not {noise_variance}")
    rng = np.random.default_rng(random_state)
    population = np.repeat([0, 1, 2, -1], [n_per_cluster] * 3 + [n_outliers])
    roots = np.linalg.cholesky(COVARIANCES)[population]
    clean = CENTRES[population] + np.einsum(
        "nij,nj->ni", roots, rng.standard_normal((len(population), 2))
    )
    clean[population < 0] = rng.uniform(LOW, HIGH, (n_outliers, 2))
    errors = np.sqrt(rng.uniform(0.0, noise_variance, clean.shape))
    return Clusters(clean + errors * rng.standard_normal(clean.shape), errors, clean, population)
