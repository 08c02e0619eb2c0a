"""Small catalogues, and what it means that two models are the same."""

import numpy as np
from numpy.testing import assert_allclose

from peculiar import RobustMixture

PARAMETERS = ("weights_", "locations_", "scatters_", "dofs_")


def two_clusters(n=200, *, seed=0, distance=6.0):
    """Half the rows around the origin, half around (distance, distance); in this order."""
    X = np.random.default_rng(seed).standard_normal((n, 2))
    X[n // 2 :] += distance
    return X


def measured(n=200, *, seed=0):
    """The same with errors of different sizes, and those errors."""
    rng = np.random.default_rng(seed + 1000)
    X_std = rng.uniform(0.1, 1.5, (n, 2))
    return two_clusters(n, seed=seed) + X_std * rng.standard_normal((n, 2)), X_std


def as_cov(X_std):
    """Uncorrelated errors as covariances."""
    return X_std[:, :, None] ** 2 * np.eye(X_std.shape[1])


def quick(n_components=2, **settings):
    """A mixture that does not care about the last digits."""
    return RobustMixture(n_components, **{"tol": 1e-4, "random_state": 0, **settings})


def plain(n_components=2, **settings):
    """The same by plain EM, which amplifies no rounding: for comparisons to the last digits."""
    return quick(n_components, **{"accelerate": False, "tol": 1e-3, **settings})


def assert_same_model(one, other, *, rtol=1e-12, atol=0.0):
    for name in PARAMETERS:
        assert_allclose(
            getattr(one, name), getattr(other, name), rtol=rtol, atol=atol, err_msg=name
        )


def published(dofs=(4.0, np.inf), **settings):
    """Two correlated components that nobody fitted."""
    scatters = [[[2.0, 0.6], [0.6, 1.0]], [[0.5, -0.2], [-0.2, 0.8]]]
    return RobustMixture.from_parameters(
        [0.3, 0.7], [[0.0, 1.0], [4.0, -2.0]], scatters, dofs, **settings
    )
