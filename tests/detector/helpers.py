"""Catalogues with planted outliers, and a detector for them."""

from peculiar import OutlierDetector, RobustMixture
from peculiar.datasets import make_clusters


def clusters(seed, n_planted, *, variance=1.0, n=900):
    """Three Gaussian clusters and uniform outliers, with error variances up to ``variance``."""
    return make_clusters(n // 3, n_outliers=n_planted, noise_variance=variance, random_state=seed)


def detector(sky, **settings):
    mixture = RobustMixture(3, wild_fraction="estimate", random_state=0)
    return OutlierDetector(mixture=mixture, **settings).fit(**sky.measured)
