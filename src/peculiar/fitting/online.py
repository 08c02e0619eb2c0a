"""EM for rows that come once, some at a time: running averages of the same sums (Cappé and Moulines, 2009)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

import numpy as np

from peculiar.arrays import Floats
from peculiar.engines.model import Model
from peculiar.fitting.recent import Block, Means, Recent, about, mixed
from peculiar.model.dofs import GREATEST_DOF, log_minus_digamma
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams
from peculiar.model.prior import ScalePrior
from peculiar.model.stats import SufficientStats

PACE, FACTOR, GREATEST = 0.6, 1.25, 0.3
"""A step counts as much as ``FACTOR * (t + 2) ** -PACE``, t being the number of those before, and never more than the
last of them: a few rows tell little about a scatter."""

TOLD = 0.5
"""What rows tell about a dof, as a share of what they would tell without errors."""

LEAST_ROWS = np.finfo(float).tiny


@dataclass(frozen=True)
class Online:
    """What is known from the rows so far.

    Attributes
    ----------
    params : MixtureParams
        After the last step.
    sums : SufficientStats
        Running averages per row, about the locations of ``params``.
    tails : ndarray of shape (K,)
        Inverse dofs after the last step. They may be below 0, where they count as 0: if they were held there, their
        average would be too large.
    recent : Recent
        What the result follows from.
    time : float
        Number of steps; one of fewer rows than others is a part of one.
    """

    params: MixtureParams
    sums: SufficientStats
    tails: Floats
    recent: Recent
    time: float

    @classmethod
    def begin(cls, params: MixtureParams, stats: SufficientStats, time: float = 0.0) -> Online:
        """Parameters to start from, the sums of some rows there, and how many steps these stand for."""
        tails, sums = 1.0 / params.dofs, _per_row(stats)
        first = Block(0.0, time, Means.of(params, tails, sums, params.locations))
        return cls(params, sums, tails, Recent((first,)), time)

    def after(self, stats: SufficientStats, model: Model, share: float = 1.0) -> Online:
        """After a step.

        Parameters
        ----------
        stats : SufficientStats
            Sums of some new rows at ``params``.
        model : Model
        share : float, default=1.0
            How many of the rows of a whole step these are.

        Returns
        -------
        Online
        """
        whole = min(FACTOR * (self.time + 2.0) ** -PACE, GREATEST)
        pace = 1.0 - (1.0 - whole) ** share
        new, old, time = _per_row(stats), self.params, self.time + share
        sums = mixed(self.sums, new, pace)
        plain = maximise(sums, old, model.scatter, model.prior)
        tails = _tails_after(self.tails, old, new, sums, model.prior, pace)
        params = _with_tails(plain, tails, old, model.prior)
        # The covariance is what the rows show: where the tails become lighter, the scatter of the same rows is larger.
        wider = (_heaviness(params.dofs) / _heaviness(old.dofs))[:, None, None]
        params = replace(params, scatters=wider * params.scatters)
        sums = about(sums, params.locations - old.locations)
        recent = self.recent.plus(share, Means.of(params, tails, new, old.locations))
        return Online(params, replace(sums, sum_udd=wider * sums.sum_udd), tails, recent, time)

    def result(self, model: Model) -> MixtureParams:
        """The parameters that the recent half of the steps lead to.

        Their average has the noise of each step no more. An M-step from it, with sums over the same steps, brings it
        half of the way that is left; but not the dofs, which it would hardly move.
        """
        means = self.recent.means
        average = _with_tails(means.params(self.params), means.tails, self.params, model.prior)
        sums = means.sums_about(average.locations)
        found = maximise(sums, average, model.scatter, model.prior)
        return replace(found, dofs=average.dofs)


def _per_row(stats: SufficientStats) -> SufficientStats:
    """Sums of rows as averages over them."""
    total = float(stats.n.sum())
    parts = {field.name: getattr(stats, field.name) / total for field in dataclasses.fields(stats)}
    return SufficientStats(**parts)


def _tails_after(
    tails: Floats,
    old: MixtureParams,
    new: SufficientStats,
    sums: SufficientStats,
    prior: ScalePrior,
    pace: float,
) -> Floats:
    """Inverse dofs after a step up the gradient, in the metric of what rows tell about them.

    The metric of an M-step is what they would tell if u were known: for a dof of 15 and four features, 20 times as
    much. It moves a large dof hardly at all, and there is no time for that here.
    """
    n_dofs, dofs, d = prior.n_dofs(old.n_components), old.dofs, old.n_features
    if n_dofs == 0:
        return tails
    excess, rows, known = new.sum_excess, new.n_ordinary, sums.n_ordinary
    if n_dofs == 1:
        excess, rows, known = (np.full_like(dofs, part.sum()) for part in (excess, rows, known))
    # Per row, about 1 / dof: dof^2 / 2 if u is known, d (d + 2) / 4 from exact values of d features if dofs are large.
    stiff = np.maximum(2.0 * np.square(dofs) / (TOLD * d * (d + 2.0)), 1.0)
    gap = (excess - rows * log_minus_digamma(0.5 * dofs)) / np.maximum(known, LEAST_ROWS)
    greatest = 1.0 / prior.least_dof
    return np.clip(tails + pace * stiff * gap, -greatest, greatest)


def _with_tails(
    params: MixtureParams, tails: Floats, old: MixtureParams, prior: ScalePrior
) -> MixtureParams:
    """The same with these inverse dofs, if dofs are estimated; else with the old ones."""
    if prior.n_dofs(params.n_components) == 0:
        return replace(params, dofs=old.dofs)
    return replace(params, dofs=1.0 / np.clip(tails, 1.0 / GREATEST_DOF, 1.0 / prior.least_dof))


def _heaviness(dofs: Floats) -> Floats:
    """Scatter of a component in units of its covariance, (K,); below a dof of 4 covariances tell little."""
    return 1.0 - 2.0 / np.maximum(dofs, 4.0)
