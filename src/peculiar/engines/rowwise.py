"""The work that engines share whose compiled part takes rows one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from peculiar.engines.base import RowMoments
from peculiar.kernels.block import new_block_work
from peculiar.kernels.blocks import Left
from peculiar.kernels.row import new_row_work
from peculiar.kernels.rows import describe_clean, describe_rows, sum_rows
from peculiar.kernels.structs import LANES, Floats, LatentResults, RowResults
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats, empty_sums
from peculiar.observations import Observations


class RowEngine:
    """An engine whose compiled part is a rule of :mod:`peculiar.kernels.expect`."""

    is_random: ClassVar[bool] = False

    def rule(self, dofs: Floats, n_features: int) -> Any:
        """The named tuple whose type picks the kernel, and whose fields it reads."""
        raise NotImplementedError

    def parts(
        self, obs: Observations, params: MixtureParams, seed: int
    ) -> Iterator[tuple[Observations, Any]]:
        """Rows, and the rule for them. One part, unless they must have rules of their own."""
        yield obs, self.rule(params.dofs, params.n_features)

    def summarise(self, obs: Observations, params: MixtureParams, seed: int = 0) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step."""
        sums = empty_sums(params.n_components, params.n_features)
        components = params.components()
        block = new_block_work(params.n_components, params.n_features)
        work = new_row_work(params.n_components, params.n_features)
        for part, rule in self.parts(obs, params, seed):
            seen = _with_something_observed(part)
            sum_rows(rule, part.noise, components, part.rows, seen, block, work, sums)
        return SufficientStats.of(sums)

    def describe(
        self,
        obs: Observations,
        params: MixtureParams,
        out: RowMoments,
        seed: int = 0,
    ) -> None:
        """Write what is known of the rows of a batch into their places in ``out``."""
        results = RowResults(out.log_prob, out.log_resp, out.u)
        latent = LatentResults(out.latent_mean, out.latent_cov)
        components = params.components()
        block = new_block_work(params.n_components, params.n_features)
        work = new_row_work(params.n_components, params.n_features)
        for part, rule in self.parts(obs, params, seed):
            everything = np.ones((part.n_blocks, LANES), dtype=np.bool_)
            describe_rows(rule, part.noise, components, part.rows, everything, block, work, results)
        if not len(out.latent_mean):
            return
        for part, rule in self.parts(obs, params, seed):
            describe_clean(rule, part.noise, components, part.rows, block, work, latent)


def _with_something_observed(obs: Observations) -> Left:
    """Marks of the rows there is something to learn from."""
    layout = obs.layout
    return np.repeat((layout.size[layout.pattern] > 0)[:, None], LANES, axis=1)
