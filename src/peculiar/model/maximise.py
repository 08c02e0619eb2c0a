"""The M-step: the only place where parameters change."""

from __future__ import annotations

import numpy as np

from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
from peculiar.model.scatter import Scatter
from peculiar.model.stats import SufficientStats


def maximise(
    stats: SufficientStats, old: MixtureParams, scatter: Scatter, prior: ScalePrior
) -> MixtureParams:
    """The parameters that best explain the expected sums.

    Which engine produced the sums, and where they were added, is not visible here. Sums are taken about
    the old locations, so nearby large numbers never cancel. A component that has lost all its rows stays where it is,
    with weight zero.
    """
    alive = stats.n > 0
    n = np.where(alive, stats.n, 1.0)
    sum_u = np.where(alive, stats.sum_u, 1.0)
    shift = stats.sum_ud / sum_u[:, None]
    outer = shift[:, :, None] * shift[:, None, :]
    moments = (stats.sum_udd - sum_u[:, None, None] * outer) / n[:, None, None]
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        log_weights = np.log(stats.n) - np.log(stats.n.sum())
    scatters = np.where(alive[:, None, None], scatter.estimate(moments, n), old.scatters)
    scale = prior.update(stats, old.scale)
    return MixtureParams(
        log_weights=log_weights,
        locations=old.locations + np.where(alive[:, None], shift, 0.0),
        scatters=scatters,
        dofs=scale.dofs,
        aligned=scatter.is_aligned(scatters),
        wild_fraction=scale.wild_fraction,
    )
