"""Starting points, and the units in which everything is computed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.fitting.clusters import Clusters, kmeans
from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
from peculiar.model.scatter import Scatter
from peculiar.observations import (
    Noise,
    Observations,
    Scaling,
    errors_of_feature,
    noise_covariances,
)

REACH = 4.0
"""Scaled values beyond this count as lying there: one wild object must not get a component of its own."""

FEW = 10
"""A spread is not judged from fewer values than this."""

LEAST_SHARE = 0.05
"""A starting scatter keeps at least this share of the variance when the mean noise is subtracted."""


def robust_scaling(values: Floats, noise: Noise) -> Scaling:
    """Middle and spread of each feature, moved neither by a few wild values nor by many badly measured ones."""
    columns = []
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(values.shape[1]):
            seen = ~np.isnan(values[:, j])
            columns.append(_middle_and_spread(values[:, j], errors_of_feature(noise, j), seen))
    return Scaling(
        np.array([middle for middle, _ in columns]), np.array([spread for _, spread in columns])
    )


def _middle_and_spread(
    values: Floats, errors: Floats, among: NDArray[np.bool_]
) -> tuple[float, float]:
    """Median and interquartile range (as a standard deviation) of some values of a feature, from those that can tell.

    Where leaving out values whose errors make up the spread changes it by orders of magnitude, they are left out. If
    most values are equal, the spread is the median distance of the others; if all are, their typical error.
    """
    low, middle, high = (float(q) for q in np.percentile(values[among], [25, 50, 75]))
    spread = (high - low) / 1.349
    good = among & (errors < 0.5 * spread)
    if FEW <= np.count_nonzero(good) < np.count_nonzero(among):
        inner = _middle_and_spread(values, errors, good)
        if inner[1] < 0.1 * spread:
            return inner
    rounding = 4.0 * np.finfo(float).eps * max(abs(low), abs(high))
    if spread > rounding:
        return middle, spread
    distances = np.abs(values[among] - middle)
    for widths in (distances[distances > rounding], errors[among & (errors > 0)]):
        if len(widths):
            return middle, float(np.median(widths))
    return middle, 1.0


@dataclass(frozen=True)
class _Sample:
    """Some rows in scaled units; what is missing, or too badly measured to tell, is at the middle, 0."""

    values: Floats
    observed: Floats  # 1 or 0
    noise: Floats  # (n, d, d)
    weights: Floats


def _sample(obs: Observations) -> _Sample:
    """The rows, without the values whose errors are larger than ``REACH``."""
    scale = obs.scaling.scale
    scaled = (obs.values - obs.scaling.shift) / scale
    observed = ~np.isnan(scaled)
    cov = noise_covariances(obs.noise, obs.n_features) / scale[:, None] / scale
    cov = np.where(observed[:, :, None] & observed[:, None, :], cov, 0.0)
    std = np.sqrt(np.diagonal(cov, axis1=1, axis2=2))
    tells = observed & (std <= REACH)
    # Errors that are all too large tell nothing.
    observed = np.where(tells.any(axis=0), tells, observed)
    cov = np.where(observed[:, :, None] & observed[:, None, :], cov, 0.0)
    excess = np.maximum(std / REACH, 1.0)
    return _Sample(
        np.where(observed, scaled, 0.0),
        observed.astype(float),
        cov / excess[:, :, None] / excess[:, None, :],
        obs.weights,
    )


def kmeans_start(
    obs: Observations,
    n_components: int,
    scatter: Scatter,
    prior: ScalePrior,
    rng: np.random.Generator,
) -> MixtureParams:
    """Locations and scatters of k-means clusters, less the mean noise; scaled units."""
    sample = _sample(obs)
    labels = _cluster(sample, n_components, rng).labels
    return _from_labels(sample, labels, n_components, scatter, prior)


def broad_start(
    obs: Observations,
    n_components: int,
    scatter: Scatter,
    prior: ScalePrior,
    rng: np.random.Generator,
) -> MixtureParams:
    """Equal components at the centres of k-means clusters, each with a tenth of the variance of all; scaled units.

    For many components that are to compete (Figueiredo and Jain, 2002). Those that begin as the cells of k-means
    have a place of their own each, and keep it.
    """
    sample = _sample(obs)
    centres = _cluster(sample, n_components, rng).centres
    near = np.clip(sample.values, -REACH, REACH)
    middle = np.average(near, axis=0, weights=sample.weights)
    variances = np.average(np.square(near - middle), axis=0, weights=sample.weights)
    each = scatter.nearest(np.diag(0.1 * variances)[None])
    scatters = np.repeat(each, n_components, axis=0)
    log_weights = np.full(n_components, -np.log(n_components))
    aligned = scatter.is_aligned(scatters)
    scale = prior.start(n_components)
    return MixtureParams(log_weights, centres, scatters, scale.dofs, aligned, scale.wild_fraction)


def most_components(obs: Observations, enough: int) -> int:
    """How many components can start at different places: as many as there are distinct rows, or ``enough``."""
    for n_rows in (10 * enough, obs.n_rows):
        scaled = (obs.values[:n_rows] - obs.scaling.shift) / obs.scaling.scale
        near = np.clip(np.where(np.isnan(scaled), 0.0, scaled), -REACH, REACH)
        distinct = len(np.unique(near, axis=0))
        if distinct >= enough:
            return enough
    return distinct


def _cluster(sample: _Sample, n_components: int, rng: np.random.Generator) -> Clusters:
    """By k-means."""
    near = np.clip(sample.values, -REACH, REACH)
    return kmeans(near, sample.weights, n_components, seed=int(rng.integers(2**31)))


def start_at(
    obs: Observations,
    locations: Floats,
    scatter: Scatter,
    prior: ScalePrior,
) -> MixtureParams:
    """Given locations (scaled units), with weights and scatters of the rows nearest to each."""
    sample = _sample(obs)
    delta = (sample.values[:, None, :] - locations) * sample.observed[:, None, :]
    labels = np.argmin(np.square(delta).sum(axis=2), axis=1)
    start = _from_labels(sample, labels, len(locations), scatter, prior)
    return dataclasses.replace(start, locations=locations)


def _from_labels(
    sample: _Sample, labels: Ints, n_components: int, scatter: Scatter, prior: ScalePrior
) -> MixtureParams:
    """Weights, medians and noise-corrected scatters of labelled rows."""
    d = sample.values.shape[1]
    weights = np.array([sample.weights[labels == k].sum() for k in range(n_components)])
    centres = np.zeros((n_components, d))
    for k in range(n_components):
        if weights[k] > 0:
            inside = labels == k
            known = np.where(sample.observed[inside] > 0, sample.values[inside], np.nan)
            seen = ~np.isnan(known).all(axis=0)
            centres[k, seen] = np.nanmedian(known[:, seen], axis=0)
    delta = np.clip(sample.values - centres[labels], -REACH, REACH) * sample.observed
    everyone = _spread(delta, sample, np.ones(len(delta), dtype=bool)) + 1e-6 * np.eye(d)
    mean_noise = np.average(sample.noise, axis=0, weights=sample.weights)
    scatters = np.empty((n_components, d, d))
    for k in range(n_components):
        inside = labels == k
        rows = _effective_rows(sample.weights[inside])
        share = rows / (rows + d + 2)  # a small cluster borrows from all
        own_noise = mean_noise
        spread = everyone
        if share > 0:
            spread = share * _spread(delta, sample, inside) + (1 - share) * everyone
            own_noise = np.average(sample.noise[inside], axis=0, weights=sample.weights[inside])
        scatters[k] = _less_noise(spread, own_noise)
    scale = prior.start(n_components)
    heavy = np.where(scale.dofs > 4, 1.0 - 2.0 / scale.dofs, 0.5)
    shares = weights / weights.sum() + 1e-3 / n_components  # no component starts with nothing
    return MixtureParams(
        np.log(shares / shares.sum()),
        centres,
        scatter.nearest(scatters * heavy[:, None, None]),
        scale.dofs,
        wild_fraction=scale.wild_fraction,
    )


def _effective_rows(weights: Floats) -> float:
    """How many rows of equal weight tell as much."""
    squares = float(np.square(weights).sum())
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def _spread(delta: Floats, sample: _Sample, inside: np.ndarray) -> Floats:
    """Second moments of the deviations of some rows; a missing value counts as a typical one."""
    weights = sample.weights[inside]
    share = np.average(sample.observed[inside], axis=0, weights=weights)
    scaled = delta[inside] / np.sqrt(np.maximum(share, 1e-3))
    result: Floats = (scaled * weights[:, None]).T @ scaled / weights.sum()
    return result


def _less_noise(spread: Floats, noise: Floats) -> Floats:
    """Spread minus noise, in no direction below ``LEAST_SHARE`` of the spread."""
    factor = np.linalg.cholesky(spread)
    white = np.linalg.solve(factor, np.linalg.solve(factor, noise).T)
    values, vectors = np.linalg.eigh(0.5 * (white + white.T))
    turned = factor @ vectors
    result: Floats = (turned * np.maximum(1.0 - values, LEAST_SHARE)) @ turned.T
    return result
