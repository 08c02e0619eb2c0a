"""Mixtures whose number of components is known, and the parts of a selection ready to use."""

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.fitting.start import broad_start, robust_scaling
from peculiar.observations import DiagonalNoise, Observations
from peculiar.settings import choose_model


def separated(
    n_components,
    seed,
    *,
    n_features=2,
    dof=np.inf,
    distance=8.0,
    sizes=(100, 200),
    aligned=False,
):
    """Groups whose centres are at least 8 scatter units apart, measured with errors up to half their scatter."""
    rng = np.random.default_rng([n_components, seed, n_features])
    half_width = 1.3 * distance * n_components ** (1 / n_features)
    centres = []
    while len(centres) < n_components:
        centre = rng.uniform(-half_width, half_width, n_features)
        if all(np.linalg.norm(centre - other) >= distance for other in centres):
            centres.append(centre)
    X, X_std = zip(*(_group(rng, centre, dof, sizes, aligned) for centre in centres), strict=True)
    return np.concatenate(X), np.concatenate(X_std)


def _group(rng, centre, dof, sizes, aligned):
    n, d = int(rng.integers(*sizes, endpoint=True)), len(centre)
    axes, _ = np.linalg.qr(rng.standard_normal((d, d)))
    axes = np.eye(d) if aligned else axes
    factor = axes * np.sqrt(rng.uniform(0.4, 1.0, d))  # no direction is wider than 1
    u = np.ones(n) if np.isinf(dof) else rng.gamma(0.5 * dof, 2.0 / dof, n)
    clean = centre + rng.standard_normal((n, d)) @ factor.T / np.sqrt(u)[:, None]
    scatter_std = np.sqrt(np.square(factor).sum(axis=1))
    X_std = rng.uniform(0.0, 0.5, (n, d)) * scatter_std
    return clean + X_std * rng.standard_normal((n, d)), X_std


def rows(X, X_std, weights=None):
    """A backend, in the units a fit would choose."""
    noise = DiagonalNoise(X_std)
    return MemoryBackend(Observations.of(X, noise, robust_scaling(X, noise), weights))


def a_model(engine="exact", scatter="full", dof="estimate"):
    return choose_model(engine, scatter, dof, 1)


def a_start(backend, model, n_components, seed=0):
    rng = np.random.default_rng(seed)
    return broad_start(backend.obs, n_components, model.scatter, model.prior, rng)
