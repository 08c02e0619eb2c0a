"""What an engine has to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from peculiar.kernels.structs import Floats
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations


@dataclass(frozen=True)
class RowMoments:
    """What an engine says of each row.

    Attributes
    ----------
    log_prob : ndarray of shape (n,)
        Log-density, or the engine's lower bound of it.
    log_resp : ndarray of shape (n, K)
        Log of the responsibilities.
    u : ndarray of shape (n, K)
        E[u | x, k].
    latent_mean, latent_cov : ndarray of shape (n, d) and (n, d, d)
        Posterior of the clean value in the scaled units of the observations; of length 0 when not asked for.
    """

    log_prob: Floats
    log_resp: Floats
    u: Floats
    latent_mean: Floats
    latent_cov: Floats

    @classmethod
    def empty(cls, obs: Observations, n_components: int, *, latent: bool) -> RowMoments:
        """Room for all rows of the table that ``obs`` is (a part of)."""
        n, d = obs.values.shape
        n_latent = n if latent else 0
        return cls(
            np.zeros(n),
            np.zeros((n, n_components)),
            np.zeros((n, n_components)),
            np.zeros((n_latent, d)),
            np.zeros((n_latent, d, d)),
        )


class Engine(Protocol):
    """How the expectation over the latent scale u is taken.

    Attributes
    ----------
    name : str
    exact_when : frozenset of str
        Of ``{"always", "noise_free", "gaussian"}``: tests hold the engine to this.
    cite : tuple of str
        What to cite when it was used.
    """

    name: ClassVar[str]
    exact_when: ClassVar[frozenset[str]]
    cite: ClassVar[tuple[str, ...]]

    def summarise(
        self, obs: Observations, params: MixtureParams, rng: Generator | None = None
    ) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step."""
        ...

    def describe(
        self,
        obs: Observations,
        params: MixtureParams,
        out: RowMoments,
        rng: Generator | None = None,
    ) -> None:
        """Write what is known of the rows of a batch into their places in ``out``."""
        ...
