"""What a population knows about each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.engines.base import RowMoments
from peculiar.observations import Scaling


@dataclass(frozen=True)
class Moments:
    """Answers about each row, in the units of the data.

    Attributes
    ----------
    log_density : ndarray of shape (n,)
        Log-density of x, given its noise; or the bound or joint density that the engine computes instead. 0 for a row
        with nothing observed.
    log_memberships : ndarray of shape (n, K)
        Log of the probability that the row belongs to each component.
    u : ndarray of shape (n, K)
        E[u | x, k].
    wild : ndarray of shape (n,)
        Probability that the row is wild: no component explains it, even allowing for its errors. 0 if the population
        has no wild tail.
    clean : ndarray of shape (n, d)
        Posterior mean of the clean value. Empty if not asked for.
    clean_cov : ndarray of shape (n, d, d)
        Posterior covariance of the clean value. The variance is inf where a feature is missing and the tails are too
        heavy for a variance; its covariances with other features, which then do not exist, are inf too. Empty if not
        asked for.
    """

    log_density: Floats
    log_memberships: Floats
    u: Floats
    wild: Floats
    clean: Floats
    clean_cov: Floats

    @classmethod
    def of(cls, rows: RowMoments, scaling: Scaling) -> Moments:
        """Convert the results of an engine from scaled units to the units of the data."""
        cov = rows.latent_cov * scaling.scale[:, None] * scaling.scale
        cov[np.isnan(cov)] = np.inf  # components may disagree on the sign of an infinity
        features = np.arange(cov.shape[1])
        # Where errors are 1e-8 of the scatter rounding could take a variance below 0.
        cov[:, features, features] = np.maximum(cov[:, features, features], 0.0)
        clean = rows.latent_mean * scaling.scale + scaling.shift
        return cls(rows.log_prob, rows.log_resp, rows.u, rows.wild, clean, cov)

    @property
    def memberships(self) -> Floats:
        """Probability that each row belongs to each component, (n, K)."""
        return np.exp(self.log_memberships)

    @property
    def component(self) -> Ints:
        """The most probable component of each row, (n,)."""
        labels: Ints = np.argmax(self.log_memberships, axis=1)
        return labels

    @property
    def robust_weight(self) -> Floats:
        """The paper's e: posterior mean of u, averaged over components, (n,)."""
        weights: Floats = (self.memberships * self.u).sum(axis=1)
        return weights

    @property
    def clean_error(self) -> Floats:
        """One-sigma errors of the clean values, (n, d)."""
        return np.sqrt(np.diagonal(self.clean_cov, axis1=1, axis2=2))
