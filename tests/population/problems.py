"""Mixtures, noise and objects on which tail probabilities are tried."""

import numpy as np

from peculiar.model.params import MixtureParams
from peculiar.observations import FullNoise, NoNoise, Observations, Scaling
from peculiar.population.tail import log_tail_probabilities
from tests.reference.rows import Params

GAUSSIAN = [np.inf] * 3


def tail(X, S, params, **how):
    """Log-probabilities and errors of rows that share one noise covariance (or none, if S is None)."""
    X = np.atleast_2d(np.asarray(X, dtype=float))
    n, d = X.shape
    noise = (
        NoNoise(n) if S is None else FullNoise(np.ascontiguousarray(np.broadcast_to(S, (n, d, d))))
    )
    obs = Observations.of(X, noise, Scaling(np.zeros(d), np.ones(d)))
    return log_tail_probabilities(obs, to_params(params), **how)


def to_params(params):
    return MixtureParams(np.log(params.weights), params.locations, params.scatters, params.dofs)


def one(d, dof, scatter=None):
    scatter = np.eye(d) if scatter is None else scatter
    return Params(np.ones(1), np.zeros((1, d)), scatter[None], np.array([float(dof)]))


def random_scatter(rng, d):
    A = rng.normal(size=(d, d))
    return A @ A.T / d + 0.1 * np.eye(d)


def mixture(rng, d, dofs, separation=3.0):
    """Components of different size and shape that overlap."""
    n = len(dofs)
    scatters = [random_scatter(rng, d) * rng.choice([0.3, 1.0, 3.0]) for _ in range(n)]
    locations = rng.normal(size=(n, d)) * separation / np.sqrt(d)
    return Params(
        rng.dirichlet(np.full(n, 2.0)), locations, np.array(scatters), np.array(dofs, float)
    )


def noise(kind, rng, d):
    match kind:
        case "none":
            return np.zeros((d, d))
        case "isotropic":
            return np.eye(d)
        case "anisotropic":
            return np.diag(10.0 ** np.linspace(-2, 2, d))
        case "rank one":
            v = 3.0 * rng.normal(size=d)
            return np.outer(v, v)
        case "one bad feature":
            return np.diag(np.append(10.0, np.full(d - 1, 0.1)) ** 2)
    raise ValueError(kind)


KINDS = ("none", "isotropic", "anisotropic", "rank one", "one bad feature")


def objects(rng, params, S, radii):
    """One at each of these distances from some location, in units of scatter and noise."""
    n, d = params.locations.shape
    directions = rng.normal(size=(len(radii), d))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    steps = np.asarray(radii)[:, None] * directions * np.sqrt(np.diag(S + params.scatters[0]))
    return params.locations[rng.integers(n, size=len(radii))] + steps
