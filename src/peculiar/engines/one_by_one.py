"""Rows that no formula for whole blocks is good for: their moments by the careful kernels, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.kernels.careful.loops import BlockMoments, expect_rows, new_block_moments
from peculiar.kernels.careful.moments import INVERSE_U, LOG_U, WILD, WILD_U, U
from peculiar.kernels.careful.row import new_row_work
from peculiar.kernels.lanes.loops import Left
from peculiar.kernels.shared.block import new_block_work
from peculiar.kernels.structs import RowResults, Sums
from peculiar.model.params import MixtureParams
from peculiar.observations import Observations


@dataclass(frozen=True)
class CarefulMoments:
    """What the careful kernels say of some rows.

    Attributes
    ----------
    rows : BlockMoments
        Of these rows only.
    rest : ndarray of shape (K, d, d)
        Scatter of the missing features given the others, for u = 1.
    """

    rows: BlockMoments
    rest: Floats

    def add_to(self, sums: Sums, weights: Floats) -> None:
        """Add the rows to the sums of the M-step."""
        share = weights[:, None] * np.exp(self.rows.log_resp)
        sums.bound[0] += weights @ self.rows.log_prob
        sums.n[:] += share.sum(axis=0)
        for total, place in (
            (sums.sum_u, U),
            (sums.sum_log_u, LOG_U),
            (sums.n_wild, WILD),
            (sums.sum_u_wild, WILD_U),
        ):
            total[:] += np.einsum("nk,nk->k", share, self.rows.scale[:, :, place])
        sums.sum_ud[:] += np.einsum("nk,nki->ki", share, self.rows.first)
        sums.sum_udd[:] += np.einsum("nk,nkij->kij", share, self.rows.second)
        sums.sum_udd[:] += share.sum(axis=0)[:, None, None] * self.rest

    def describe(self, rows: Ints, results: RowResults) -> None:
        """Write densities, memberships and scales into their places."""
        results.log_prob[rows] = self.rows.log_prob
        results.log_resp[rows] = self.rows.log_resp
        results.u[rows] = self.rows.scale[:, :, U]
        results.wild[rows] = np.einsum(
            "nk,nk->n", np.exp(self.rows.log_resp), self.rows.scale[:, :, WILD]
        )

    def clean(self, locations: Floats) -> tuple[Floats, Floats]:
        """Mean and covariance of the clean values, all components together."""
        resp = np.exp(self.rows.log_resp)
        means = locations + self.rows.first
        mean = np.einsum("nk,nki->ni", resp, means)
        apart = means - mean[:, None, :]
        cov = np.einsum("nk,nkij->nij", resp, self.rows.second)
        cov += np.einsum("nk,nki,nkj->nij", resp, apart, apart)
        inverse_u = self.rows.scale[:, :, INVERSE_U]
        for k in np.flatnonzero(self.rest.any(axis=(1, 2))):
            share = np.zeros(len(resp))  # where it is 0, E[1 / u] may be infinite
            np.multiply(resp[:, k], inverse_u[:, k], out=share, where=resp[:, k] > 0.0)
            missing = self.rest[k] != 0.0
            with np.errstate(invalid="ignore"):  # opposite infinities: no value
                cov[:, missing] += share[:, None] * self.rest[k][missing]
        return mean, cov


def one_by_one(
    make_rule: Callable[[], Any],
    obs: Observations,
    params: MixtureParams,
    left: Left,
    wanted: int,
) -> Iterator[tuple[Ints, CarefulMoments]]:
    """Rows that are left, block by block, and their moments."""
    # Nearly always nothing is; what follows would cost each batch a few percent, and hold the GIL.
    if not left.any():
        return
    rule, components, layout = make_rule(), params.components, obs.layout
    size = params.n_components, params.n_features
    work = new_block_work(*size), new_row_work(*size)
    out = new_block_moments(*size)
    for index in np.flatnonzero(left.any(axis=1)):
        marks = left[index]
        expect_rows(rule, components, obs.rows, index, marks, wanted, *work, out)
        places = np.flatnonzero(marks[: layout.last[index] - layout.first[index]])
        rows = layout.order[layout.first[index] + places]
        found = BlockMoments(*(a[places] for a in out))
        yield rows, CarefulMoments(found, work[0].rest)
