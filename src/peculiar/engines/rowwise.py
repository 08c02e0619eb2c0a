"""The work that all engines share: batches of rows, in whole blocks as far as possible, the rest one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import numpy as np

from peculiar.engines.base import RowMoments
from peculiar.engines.one_by_one import one_by_one
from peculiar.kernels.careful.loops import CLEAN, DENSITIES, SUMS
from peculiar.kernels.lanes.loops import Left
from peculiar.kernels.structs import LANES, LatentResults, RowResults, Sums
from peculiar.model.params import MixtureParams
from peculiar.model.prior import Scale
from peculiar.model.stats import SufficientStats, empty_sums
from peculiar.observations import Observations


class RowEngine(ABC):
    """An engine with a rule for a row (``kernels.careful.expect``), and perhaps a faster way for whole blocks."""

    is_random: ClassVar[bool] = False
    takes_wild: ClassVar[bool] = False

    @abstractmethod
    def rule(self, scale: Scale, n_features: int) -> Any:
        """The named tuple whose type picks the kernel for a row, and whose fields it reads."""

    def parts(
        self, obs: Observations, params: MixtureParams, seed: int
    ) -> Iterator[tuple[Observations, Callable[[], Any]]]:
        """Rows, and what makes the rule for them. One part, unless they must have rules of their own."""
        yield obs, partial(self.rule, params.scale, params.n_features)

    def sum_blocks(self, obs: Observations, params: MixtureParams, sums: Sums) -> Left:
        """Add what can be done in whole blocks; marks of the rows that are left: all that observe anything."""
        layout = obs.layout
        return np.repeat((layout.size[layout.pattern] > 0)[:, None], LANES, axis=1)

    def describe_blocks(
        self,
        obs: Observations,
        params: MixtureParams,
        results: RowResults,
        latent: LatentResults,
    ) -> Left:
        """Describe what can be done in whole blocks; marks of the rows that are left: all."""
        return np.ones((obs.n_blocks, LANES), dtype=np.bool_)

    def summarise(self, obs: Observations, params: MixtureParams, seed: int = 0) -> SufficientStats:
        """Expected sums over the rows of a batch, for the M-step."""
        sums = empty_sums(params.n_components, params.n_features)
        for part, rule in self.parts(obs, params, seed):
            left = self.sum_blocks(part, params, sums)
            for rows, found in one_by_one(rule, part, params, left, SUMS):
                found.add_to(sums, part.weights[rows])
        return SufficientStats.of(sums)

    def describe(
        self,
        obs: Observations,
        params: MixtureParams,
        out: RowMoments,
        seed: int = 0,
    ) -> None:
        """Write what is known of the rows of a batch into their places in ``out``."""
        results = RowResults(out.log_prob, out.log_resp, out.u, out.wild)
        latent = LatentResults(out.latent_mean, out.latent_cov)
        wanted = CLEAN if len(latent.mean) > 0 else DENSITIES
        for part, rule in self.parts(obs, params, seed):
            left = self.describe_blocks(part, params, results, latent)
            for rows, found in one_by_one(rule, part, params, left, wanted):
                found.describe(rows, results)
                if wanted == CLEAN:
                    latent.mean[rows], latent.cov[rows] = found.clean(params.locations)
