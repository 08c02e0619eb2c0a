"""Random catalogues from the model."""

from __future__ import annotations

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
from peculiar.observations import DiagonalNoise, FullNoise, Noise, NoNoise

LEAST_SCALE = 1e-100
"""A smaller u, drawn only for dofs below 0.1 or so, would make a value that cannot be scored."""


def draw_clean(
    rng: np.random.Generator, params: MixtureParams, prior: ScalePrior, n_rows: int
) -> tuple[Floats, Ints]:
    """Clean values, and the component of each."""
    labels = rng.choice(params.n_components, size=n_rows, p=np.exp(params.log_weights))
    u = np.maximum(prior.draw(rng, params.scale, labels), LEAST_SCALE)
    normal = rng.standard_normal((n_rows, params.n_features))
    values = np.empty_like(normal)
    for k in range(params.n_components):
        factor = np.linalg.cholesky(params.scatters[k])
        values[labels == k] = normal[labels == k] @ factor.T
    return params.locations[labels] + values / np.sqrt(u)[:, None], labels


def add_noise(rng: np.random.Generator, clean: Floats, noise: Noise) -> Floats:
    """Measure clean values with this noise; NaN where an error is infinite."""
    match noise:
        case NoNoise():
            return clean
        case DiagonalNoise(std):
            noisy = clean + np.where(np.isfinite(std), std, 0.0) * rng.standard_normal(clean.shape)
            return np.where(np.isinf(std), np.nan, noisy)
        case FullNoise(cov):
            values, axes = np.linalg.eigh(np.where(np.isfinite(cov), cov, 0.0))
            root = axes * np.sqrt(np.maximum(values, 0.0))[:, None, :]
            noisy = clean + np.einsum("nij,nj->ni", root, rng.standard_normal(clean.shape))
            return np.where(np.isinf(np.diagonal(cov, axis1=1, axis2=2)), np.nan, noisy)
