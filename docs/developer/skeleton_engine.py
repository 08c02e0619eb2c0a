"""An engine to copy: all that the protocol asks for, in plain NumPy. It is right, and a thousand times too slow.

It integrates over u by the trapezoidal rule on a fixed grid of log u, for one row and one component at a time, with
dense matrices. Use it like any other: ``RobustMixture(3, engine=Skeleton()).fit(X, X_std=errors)``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.engines import RowMoments
from peculiar.engines.base import Objective
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats, empty_sums
from peculiar.observations import Observations, noise_covariances, take_rows


class Pair(NamedTuple):
    """What is known about one row under one component; delta is the clean value less the location."""

    log_joint: float  # log of the weight times p(x | k)
    u: float
    log_u: float
    ud: Floats  # E[u delta], (d,)
    udd: Floats  # E[u delta delta'], (d, d)
    delta: Floats  # E[delta], (d,)
    delta_delta: Floats  # E[delta delta'], (d, d)


@dataclass(frozen=True)
class Skeleton:
    """The integral over u on a grid.

    Parameters
    ----------
    n_nodes : int, default=121
        Number of nodes in log u, from -12 to 4.
    """

    n_nodes: int = 121

    name: ClassVar[str] = "skeleton"
    exact_when: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    objective: ClassVar[Objective] = "likelihood"
    takes_wild: ClassVar[bool] = False
    is_random: ClassVar[bool] = False
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def summarise(self, obs: Observations, params: MixtureParams, seed: int = 0) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step."""
        sums = empty_sums(params.n_components, params.n_features)
        for row, x, noise in _rows(obs):
            if np.isnan(x).all():
                continue  # nothing observed: nothing to learn
            pairs = [self._expect(x, noise, params, k) for k in range(params.n_components)]
            log_prob, log_resp = _share(pairs, obs, x)
            sums.bound[0] += obs.weights[row] * log_prob
            for k, pair in enumerate(pairs):
                q = obs.weights[row] * math.exp(log_resp[k])
                sums.n[k] += q
                sums.sum_u[k] += q * pair.u
                sums.sum_log_u[k] += q * pair.log_u
                sums.sum_ud[k] += q * pair.ud
                sums.sum_udd[k] += q * pair.udd
        return SufficientStats.of(sums)

    def describe(
        self, obs: Observations, params: MixtureParams, out: RowMoments, seed: int = 0
    ) -> None:
        """Write what is known about the rows of a batch into their places in ``out``."""
        for row, x, noise in _rows(obs):
            pairs = [self._expect(x, noise, params, k) for k in range(params.n_components)]
            out.log_prob[row], out.log_resp[row] = _share(pairs, obs, x)
            out.u[row] = [pair.u for pair in pairs]
            if len(out.latent_mean):
                shares = np.exp(out.log_resp[row])
                means = [loc + p.delta for loc, p in zip(params.locations, pairs, strict=True)]
                seconds = [
                    p.delta_delta - np.outer(p.delta, p.delta) + np.outer(mean, mean)
                    for mean, p in zip(means, pairs, strict=True)
                ]
                mean = np.einsum("k,ki->i", shares, means)
                out.latent_mean[row] = mean
                out.latent_cov[row] = np.einsum("k,kij->ij", shares, seconds) - np.outer(mean, mean)

    def _expect(self, x: Floats, noise: Floats, params: MixtureParams, k: int) -> Pair:
        """Given u, the row is Gaussian with covariance T = Sigma / u + S; the rest is a sum over u."""
        seen = ~np.isnan(x)
        sigma, residual = params.scatters[k], (x - params.locations[k])[seen]
        u, log_prior = self._nodes(params.dofs[k])
        scatter = sigma / u[:, None, None]
        total = scatter[:, seen][:, :, seen] + noise[np.ix_(seen, seen)]
        gain = np.linalg.solve(total, scatter[:, seen]).transpose(0, 2, 1)  # Sigma / u T^-1
        delta = gain @ residual
        cov = scatter - gain @ scatter[:, seen]
        square = np.linalg.solve(total, residual[:, None])[:, :, 0] @ residual
        log_det = np.linalg.slogdet(total)[1] + seen.sum() * math.log(2.0 * math.pi)
        log_weights = log_prior - 0.5 * (log_det + square)
        log_prob = np.logaddexp.reduce(log_weights)
        weights = np.exp(log_weights - log_prob)
        second = cov + delta[:, :, None] * delta[:, None, :]
        return Pair(
            params.log_weights[k] + log_prob,
            float(weights @ u),
            float(weights @ np.log(u)),
            (weights * u) @ delta,
            np.einsum("q,qij->ij", weights * u, second),
            weights @ delta,
            np.einsum("q,qij->ij", weights, second),
        )

    def _nodes(self, dof: float) -> tuple[Floats, Floats]:
        """Values of u, and the logarithm of the prior probability of each."""
        if math.isinf(dof):
            return np.ones(1), np.zeros(1)
        s, a = np.linspace(-12.0, 4.0, self.n_nodes), 0.5 * dof
        log_density = a * math.log(a) - math.lgamma(a) + a * s - a * np.exp(s)
        return np.exp(s), log_density + math.log(s[1] - s[0])


def _rows(obs: Observations) -> Iterator[tuple[int, Floats, Floats]]:
    """The rows of a batch: number in the table, values (NaN where missing) and noise covariance, in scaled units."""
    layout, (shift, scale) = obs.layout, (obs.scaling.shift, obs.scaling.scale)
    for first, last in zip(layout.first, layout.last, strict=True):
        rows = layout.order[first:last]
        noise = noise_covariances(take_rows(obs.noise, rows), obs.n_features)
        for row, cov in zip(rows, noise, strict=True):
            yield int(row), (obs.values[row] - shift) / scale, cov / scale[:, None] / scale


def _share(pairs: list[Pair], obs: Observations, x: Floats) -> tuple[float, Floats]:
    """Log-density of a row in the units of the data, and the logarithms of its memberships."""
    log_joint = np.array([pair.log_joint for pair in pairs])
    log_prob = float(np.logaddexp.reduce(log_joint))
    return log_prob - float(np.log(obs.scaling.scale)[~np.isnan(x)].sum()), log_joint - log_prob
