"""EM for rows that come once, some at a time: running averages of the same sums (Cappé and Moulines, 2009)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

import numpy as np

from peculiar.arrays import Floats
from peculiar.engines.model import Model
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats

PACE = 0.6
"""A step counts as much as ``(t + 2) ** -PACE``, t being the number of those before."""

RECENT = 3.0
"""Of the parameters that are averaged, how much more the recent ones count: the first t in proportion to t ** RECENT."""


@dataclass(frozen=True)
class Online:
    """What is known from the rows so far.

    Attributes
    ----------
    params : MixtureParams
        After the last step.
    sums : SufficientStats
        Running averages per row, about the locations of ``params``.
    average : MixtureParams
        Of all parameters, the recent ones above all: these are the result.
    time : float
        Number of steps; one of fewer rows than others is a part of one.
    """

    params: MixtureParams
    sums: SufficientStats
    average: MixtureParams
    time: float = 0.0

    @classmethod
    def begin(cls, params: MixtureParams, stats: SufficientStats) -> Online:
        """Parameters to start from, and the sums of some rows there."""
        return cls(params, per_row(stats), params)

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
        pace = 1.0 - (1.0 - (self.time + 2.0) ** -PACE) ** share
        sums = mixed(self.sums, per_row(stats), pace)
        params = maximise(sums, self.params, model.scatter, model.prior)
        time = self.time + share
        weight = 1.0 - (self.time / time) ** (RECENT + 1.0)
        return Online(
            params,
            about(sums, params.locations - self.params.locations),
            between(self.average, params, weight),
            time,
        )


def per_row(stats: SufficientStats) -> SufficientStats:
    """Sums of rows as averages over them."""
    total = float(stats.n.sum())
    parts = {field.name: getattr(stats, field.name) / total for field in dataclasses.fields(stats)}
    return SufficientStats(**parts)


def mixed(one: SufficientStats, other: SufficientStats, share: float) -> SufficientStats:
    """So much of the other, and of the one the rest; both about the same locations."""
    names = [field.name for field in dataclasses.fields(one)]
    parts = {
        name: (1.0 - share) * getattr(one, name) + share * getattr(other, name) for name in names
    }
    return SufficientStats(**parts)


def about(stats: SufficientStats, shift: Floats) -> SufficientStats:
    """The same sums about locations that are so much further, (K, d).

    Locations move little from one step to the next, so that no digits are lost, as they would be if sums were kept about
    0 (design note 2).
    """
    cross = shift[:, :, None] * stats.sum_ud[:, None, :]
    squares = stats.sum_u[:, None, None] * shift[:, :, None] * shift[:, None, :]
    return replace(
        stats,
        sum_ud=stats.sum_ud - stats.sum_u[:, None] * shift,
        sum_udd=stats.sum_udd - cross - np.swapaxes(cross, 1, 2) + squares,
    )


def between(one: MixtureParams, other: MixtureParams, share: float) -> MixtureParams:
    """Parameters on the way from one to the other; dofs by their inverse, which may be 0."""

    def way(start: Floats, end: Floats) -> Floats:
        return (1.0 - share) * start + share * end

    with np.errstate(divide="ignore"):  # a component may have died: log 0
        log_weights = np.log(way(np.exp(one.log_weights), np.exp(other.log_weights)))
        dofs = 1.0 / way(1.0 / one.dofs, 1.0 / other.dofs)
    return MixtureParams(
        log_weights,
        way(one.locations, other.locations),
        way(one.scatters, other.scatters),
        dofs,
        other.aligned,
        (1.0 - share) * one.wild_fraction + share * other.wild_fraction,
    )
