"""What an engine has to answer, and the work all engines with a row kernel share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.random import Generator

from peculiar.kernels.moments import (
    INVERSE_U,
    LOG_PROB,
    LOG_U,
    UT,
    U,
    n_moments,
    t_start,
    tt_start,
    utt_start,
)
from peculiar.kernels.rows import (
    describe_blocks,
    describe_clean,
    new_workspace,
    scale_moments,
    sum_blocks,
)
from peculiar.kernels.structs import Floats, LatentResults, RowResults
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats, empty_sums
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


class ScaleMoments(NamedTuple):
    """Posterior of u for one row and component in the frame; t_j = 1 / (1 + u b_j)."""

    log_prob: float
    u: float
    log_u: float
    inverse_u: float
    ut: Floats
    utt: Floats
    t: Floats
    tt: Floats


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


class KernelEngine:
    """An engine whose compiled part is a rule for :mod:`peculiar.kernels.row`."""

    def rule(self, dofs: Floats, n_features: int) -> Any:
        """The named tuple whose type picks the kernel, and whose fields it reads."""
        raise NotImplementedError

    def summarise(
        self, obs: Observations, params: MixtureParams, rng: Generator | None = None
    ) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step."""
        sums = empty_sums(params.n_components, params.n_features)
        rule = self.rule(params.dofs, params.n_features)
        space = new_workspace(params.n_components, params.n_features)
        sum_blocks(rule, obs.noise, params.components(), obs.rows, space, sums)
        return SufficientStats.of(sums)

    def describe(
        self,
        obs: Observations,
        params: MixtureParams,
        out: RowMoments,
        rng: Generator | None = None,
    ) -> None:
        """Write what is known of the rows of a batch into their places in ``out``."""
        rule, components = self.rule(params.dofs, params.n_features), params.components()
        results = RowResults(out.log_prob, out.log_resp, out.u)
        space = new_workspace(params.n_components, params.n_features)
        describe_blocks(rule, obs.noise, components, obs.rows, space, results)
        if len(out.latent_mean):
            latent = LatentResults(out.latent_mean, out.latent_cov)
            describe_clean(rule, obs.noise, components, obs.rows, space.block, space.work, latent)

    def scale_moments(self, e: Floats, b: Floats, dof: float) -> ScaleMoments:
        """Posterior of u for one row and component, given in its frame.

        Parameters
        ----------
        e : ndarray of shape (p,)
            Residual, in units of the scatter.
        b : ndarray of shape (p,)
            Noise variance, in units of the scatter.
        dof : float
            Degrees of freedom, possibly infinite.

        Returns
        -------
        ScaleMoments
            ``log_prob`` is the log-density of ``e``.
        """
        p = len(e)
        out = np.zeros(n_moments(p))
        rule = self.rule(np.array([float(dof)]), p)
        scale_moments(rule, np.asarray(e, dtype=float), np.asarray(b, dtype=float), out)
        ut, utt, t, tt = UT, utt_start(p), t_start(p), tt_start(p)
        return ScaleMoments(
            float(out[LOG_PROB]),
            float(out[U]),
            float(out[LOG_U]),
            float(out[INVERSE_U]),
            out[ut:utt],
            _symmetric(out[utt:t], p),
            out[t:tt],
            _symmetric(out[tt:], p),
        )


def _symmetric(packed: Floats, p: int) -> Floats:
    """A matrix from its lower triangle, row by row."""
    full = np.empty((p, p))
    rows, columns = np.tril_indices(p)
    full[rows, columns] = full[columns, rows] = packed
    return full
