"""One iteration of extreme deconvolution in batched NumPy: the yardstick.

A Gaussian mixture with per-object noise, the usual thirty lines around ``np.linalg``. In its
infinite-dof limit `peculiar` must give the same numbers, and the benchmark checks that it does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class GaussianMixture(NamedTuple):
    """Parameters of K Gaussians in d dimensions."""

    weights: Floats  # (K,)
    means: Floats  # (K, d)
    covs: Floats  # (K, d, d)


def xd_iteration(
    x: Floats, noise_cov: Floats, old: GaussianMixture, chunk: int = 2048
) -> tuple[GaussianMixture, float]:
    """The next parameters, and the mean log-likelihood of the old ones.

    Rows are taken in chunks that stay in the cache: for n = 200,000 at once it would be slower.
    """
    n_components, d = old.means.shape
    n, total = np.zeros(n_components), 0.0
    first, second = np.zeros_like(old.means), np.zeros_like(old.covs)
    for start in range(0, len(x), chunk):
        rows = slice(start, start + chunk)
        delta = x[rows, None, :] - old.means  # (m, K, d)
        inverse = np.linalg.inv(old.covs + noise_cov[rows, None])  # (m, K, d, d)
        solved = (inverse @ delta[..., None])[..., 0]
        log_det = -np.linalg.slogdet(inverse)[1]
        sq_dist = np.sum(delta * solved, axis=-1)
        log_joint = np.log(old.weights) - 0.5 * (d * np.log(2.0 * np.pi) + log_det + sq_dist)
        largest = log_joint.max(axis=1, keepdims=True)
        log_prob = largest + np.log(np.exp(log_joint - largest).sum(axis=1, keepdims=True))
        resp = np.exp(log_joint - log_prob)
        total += log_prob.sum()
        for k, cov in enumerate(old.covs):
            clean = solved[:, k] @ cov  # E[w] - mean
            n[k] += resp[:, k].sum()
            first[k] += resp[:, k] @ clean
            # The posterior covariance cov - cov T^-1 cov is summed before it is multiplied out.
            summed = np.tensordot(resp[:, k], inverse[:, k], axes=1)
            second[k] += (resp[:, k, None] * clean).T @ clean - cov @ summed @ cov
    shift = first / n[:, None]
    covs = old.covs + second / n[:, None, None] - shift[:, :, None] * shift[:, None, :]
    return GaussianMixture(n / len(x), old.means + shift, covs), float(total / len(x))
