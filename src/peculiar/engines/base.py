"""What an engine has to compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from peculiar.arrays import Floats
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats
from peculiar.observations import Observations

Objective = Literal["likelihood", "bound", "joint"]
"""What an engine's ``log_prob`` is: log p(x); a lower bound of it; or the log of the joint density of x and the best u,
which can only be compared with other values of its own kind."""


@dataclass(frozen=True)
class RowMoments:
    """What an engine says about each row.

    Attributes
    ----------
    log_prob : ndarray of shape (n,)
        Log-density, or what the engine computes instead (:data:`Objective`).
    log_resp : ndarray of shape (n, K)
        Log of the responsibilities.
    u : ndarray of shape (n, K)
        E[u | x, k].
    wild : ndarray of shape (n,)
        Probability of the wild part of the law of u; 0 if there is no wild part.
    latent_mean, latent_cov : ndarray of shape (n, d) and (n, d, d)
        Posterior of the clean value in the scaled units of the observations; of length 0 when not asked for.
    """

    log_prob: Floats
    log_resp: Floats
    u: Floats
    wild: Floats
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
            np.zeros(n),
            np.zeros((n_latent, d)),
            np.zeros((n_latent, d, d)),
        )


class Engine(Protocol):
    """How the expectation over the latent scale u is taken.

    Attributes
    ----------
    name : str
    exact_when : frozenset of str
        When the engine is exact: some of ``{"always", "noise_free", "gaussian"}``. Tests check this.
    objective : {"likelihood", "bound", "joint"}
        What its ``log_prob`` is.
    takes_wild : bool
        Whether it can integrate over a law of u with a wild part.
    is_random : bool
        Whether it draws random numbers, so that its sums have an error.
    cite : tuple of str
        What to cite when it was used.
    """

    name: ClassVar[str]
    exact_when: ClassVar[frozenset[str]]
    objective: ClassVar[Objective]
    takes_wild: ClassVar[bool]
    is_random: ClassVar[bool]
    cite: ClassVar[tuple[str, ...]]

    def summarise(self, obs: Observations, params: MixtureParams, seed: int = 0) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step.

        Random numbers follow from the seed and from where in the table a block of rows stands, and from nothing else.
        """
        ...

    def describe(
        self,
        obs: Observations,
        params: MixtureParams,
        out: RowMoments,
        seed: int = 0,
    ) -> None:
        """Write the results for the rows of a batch into their places in ``out``."""
        ...
