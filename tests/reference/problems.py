"""Random rows and mixtures on which twins are tried, and rows that have several explanations."""

import numpy as np

from tests.reference.rows import Params

RNG_SEED = 20070620

# Rows (e, b, dof): an outlier, or a bad measurement of an ordinary object?
SEVERAL_MAXIMA = {
    "p=1": ((30.0,), (75.0,), 1.0),
    "p=1, far": ((9e3,), (1e6,), 5.0),
    "p=3": ((20.0, 2e3, 2e5), (10.0, 1e5, 1e9), 3.0),
}


def random_covariance(rng, d, rank=None):
    A = rng.normal(size=(d, d if rank is None else rank))
    return A @ A.T


def random_row(rng, d, rank=None):
    """A measured vector, its noise, and a component."""
    return (
        rng.normal(size=d) * 3,
        random_covariance(rng, d, rank),
        rng.normal(size=d),
        (random_covariance(rng, d) + 0.1 * np.eye(d)),
    )


def frame(x, S, mu, scatter):
    L = np.linalg.cholesky(scatter)
    L_inv = np.linalg.inv(L)
    b, Q = np.linalg.eigh(L_inv @ S @ L_inv.T)
    return L @ Q, Q.T @ L_inv @ (x - mu), b.clip(0)


def noisy_mixture(rng, n=12, d=3, n_components=2):
    params = Params(
        weights=rng.dirichlet(np.full(n_components, 5.0)),
        locations=rng.normal(size=(n_components, d)) * 2,
        scatters=np.array(
            [random_covariance(rng, d) + 0.3 * np.eye(d) for _ in range(n_components)]
        ),
        dofs=rng.uniform(2, 12, n_components),
    )
    X = rng.normal(size=(n, d)) * 2
    S = np.array([random_covariance(rng, d) * 0.5 for _ in range(n)])
    return params, X, S


def random_mixture_row(rng, n_components, d, *, missing=False):
    """A row and a mixture in which all kinds of size occur."""
    scatters = [random_covariance(rng, d) + 0.1 * np.eye(d) for _ in range(n_components)]
    params = Params(
        weights=rng.dirichlet(np.full(n_components, 2.0)),
        locations=rng.normal(size=(n_components, d)) * rng.choice([0.5, 2.0, 8.0]),
        scatters=np.array(scatters),
        dofs=np.exp(rng.uniform(np.log(0.7), np.log(50.0), n_components)),
    )
    x = rng.normal(size=d) * rng.choice([1.0, 4.0, 15.0])
    S = random_covariance(rng, d) * 10 ** rng.uniform(-3, 3)
    if missing:
        x[rng.integers(d)] = np.nan
    return x, S, params


def two_in_one_dimension():
    return Params(
        np.array([0.4, 0.6]),
        np.array([[-1.0], [2.0]]),
        np.array([[[1.0]], [[0.5]]]),
        np.array([3.0, 8.0]),
    )
