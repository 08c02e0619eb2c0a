"""Catalogues with planted outliers, and what one who knows everything would find in them."""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from peculiar import OutlierDetector, RobustMixture

CENTRES = np.array([[0.0, 0.0], [12.0, 0.0], [6.0, 10.0]])
COVARIANCES = np.array([[[2.0, 0.8], [0.8, 1.0]], [[1.0, -0.5], [-0.5, 2.0]], np.diag([1.5, 0.8])])
LOW, HIGH = -12.0, 24.0


class Catalogue(NamedTuple):
    """Measured values, their errors, and which objects were planted."""

    X: np.ndarray
    std: np.ndarray
    planted: np.ndarray

    @property
    def given(self):
        return {"X": self.X, "X_std": self.std}


def clusters(seed, n_planted, *, variance=1.0, n=900):
    """Three Gaussian clusters and uniform outliers, with error variances up to ``variance``."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    root = np.linalg.cholesky(COVARIANCES)[labels]
    clean = CENTRES[labels] + np.einsum("nij,nj->ni", root, rng.standard_normal((n, 2)))
    clean = np.concatenate([clean, rng.uniform(LOW, HIGH, (n_planted, 2))])
    std = np.sqrt(rng.uniform(0, variance, clean.shape))
    planted = np.arange(len(clean)) >= n
    return Catalogue(clean + std * rng.standard_normal(clean.shape), std, planted)


def oracle(catalogue):
    """Posterior probability of being planted, for one who knows all laws."""
    X, std, planted = catalogue
    density = np.zeros(len(X))
    for centre, cov in zip(CENTRES, COVARIANCES):
        total = cov + np.square(std)[:, :, None] * np.eye(2)
        r = X - centre
        square = np.einsum("ni,nij,nj->n", r, np.linalg.inv(total), r)
        density += np.exp(-0.5 * square) / np.sqrt(np.linalg.det(2 * np.pi * total)) / 3
    inside = (norm.cdf((HIGH - X) / std) - norm.cdf((LOW - X) / std)) / (HIGH - LOW)
    share = planted.mean()
    strange = share * inside.prod(axis=1)
    return strange / (strange + (1 - share) * density)


def detector(catalogue, **settings):
    mixture = RobustMixture(3, wild_fraction="estimate", random_state=0)
    return OutlierDetector(mixture, **settings).fit(**catalogue.given)
