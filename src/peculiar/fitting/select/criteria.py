"""What a mixture costs: its number of parameters, its message length, BIC and ICL; and the table of these costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.engines.model import Model
from peculiar.errors import SettingError

TABLE = np.dtype(
    [
        ("n_components", np.int64),
        ("message_length", np.float64),
        ("log_likelihood", np.float64),
        ("bic", np.float64),
        ("icl", np.float64),
    ]
)
"""Columns of ``selection_``."""


class Row(NamedTuple):
    """A line of the table: what one number of components costs. Lengths are in nats; the lower the better."""

    n_components: int
    message_length: float
    log_likelihood: float
    bic: float
    icl: float


@dataclass(frozen=True)
class ParameterCount:
    """Number of free parameters besides the weights: those of each component, and those that all share."""

    own: int
    common: int

    @classmethod
    def of(cls, model: Model, n_features: int) -> ParameterCount:
        """Count what is estimated.

        Parameters
        ----------
        model : Model
        n_features : int

        Returns
        -------
        ParameterCount

        Examples
        --------
        Two features: a location (2), a full scatter (3), and a dof for each component or for all:

        >>> from peculiar.settings import choose_model
        >>> ParameterCount.of(choose_model("exact", "full", "estimate", 1), 2)
        ParameterCount(own=6, common=0)
        >>> ParameterCount.of(choose_model("exact", "diag", "shared", 1), 2)
        ParameterCount(own=4, common=1)
        """
        one, two = model.prior.n_parameters(1), model.prior.n_parameters(2)
        return cls(n_features + model.scatter.n_parameters(n_features) + two - one, 2 * one - two)

    def total(self, n_components: int) -> int:
        """Number of parameters of a whole mixture, including its weights (they have sum 1)."""
        return n_components - 1 + n_components * self.own + self.common


@dataclass(frozen=True)
class MessageLength:
    r"""Choose the number of components by message length: ``n_components="mml"``.

    The message states the parameters and then the rows. For k components with :math:`\hat n` parameters each, its
    length is, by Figueiredo and Jain (2002) and by Sun, Kabán and Raychaudhury (2007) (we have added c, the number of
    parameters that all components share):

    .. math::

        -\log p(X) + \frac{\hat n}{2} \sum_{j=1}^k \log \frac{N \pi_j}{12} + \frac{k + c}{2} \log \frac{N}{12}
        + \frac{k (\hat n + 1) + c}{2} .

    This treats every parameter as known beforehand, to the precision that a single row gives (the parameters of a
    component of fewer than 12 rows even have a negative length), and chance clumps are cheap. We let each parameter lie
    anywhere in R such units; stating where takes :math:`\log R` more:

    .. math::

        {} + (k - 1) \hat n \log R .

    (It is left out for the first component: there is always one.)

    Parameters
    ----------
    prior_range : float, default=6.0
        R. With 1, this is the criterion of the paper, but the parameters are counted as this model has them.

    Examples
    --------
    The criterion of the paper:

    >>> from peculiar import RobustMixture
    >>> RobustMixture(MessageLength(prior_range=1.0))
    RobustMixture(n_components=MessageLength(prior_range=1.0))

    The length for one and for two components of six parameters each, if 120 rows are described equally well by both:

    >>> import numpy as np
    >>> count, halves = ParameterCount(own=6, common=0), np.array([0.5, 0.5])
    >>> for criterion in (MessageLength(), MessageLength(prior_range=1.0)):
    ...     one, two = (criterion.of(count, 120.0, w, -300.0) for w in (np.ones(1), halves))
    ...     print(f"{one:.2f} {two:.2f}")
    311.56 329.71
    311.56 318.96
    """

    prior_range: float = 6.0

    name: ClassVar[str] = "mml"
    column: ClassVar[str] = "message_length"

    def __post_init__(self) -> None:
        given: Any = self.prior_range
        is_number = isinstance(given, Real) and not isinstance(given, bool)
        if not is_number or not 1.0 <= float(given) < math.inf:
            raise SettingError(f"prior_range must be a finite number, 1 or more, not {given!r}")

    def of(
        self, count: ParameterCount, n_rows: float, weights: Floats, log_likelihood: float
    ) -> float:
        """Message length, in nats.

        Parameters
        ----------
        count : ParameterCount
        n_rows : float
            Sum of the weights of the rows.
        weights : ndarray of shape (K,)
            Weights of the components; components of weight 0 are not counted.
        log_likelihood : float
            Sum over the rows.

        Returns
        -------
        float
        """
        alive = weights[weights > 0]
        of_components = 0.5 * count.own * float(np.log(n_rows * alive / 12.0).sum())
        of_all = 0.5 * (len(alive) + count.common) * math.log(n_rows / 12.0)
        constant = 0.5 * (len(alive) * (count.own + 1) + count.common)
        ranges = (len(alive) - 1) * count.own * math.log(self.prior_range)
        return of_components + of_all + constant + ranges - log_likelihood

    def of_others(self, own: int, n_rows: float, weights: Floats) -> float:
        """What further components, of ``own`` parameters each, add to the length of a mixture.

        Parameters
        ----------
        own : int
        n_rows : float
            Sum of the weights of the rows.
        weights : ndarray of shape (m,)
            Weights of these components.

        Returns
        -------
        float
        """
        of_components = 0.5 * own * float(np.log(n_rows * weights / 12.0).sum())
        each = 0.5 * math.log(n_rows / 12.0) + 0.5 * (own + 1) + own * math.log(self.prior_range)
        return of_components + len(weights) * each


@dataclass(frozen=True)
class Bic:
    """Choose by the Bayesian information criterion: ``n_components="bic"``."""

    name: ClassVar[str] = "bic"
    column: ClassVar[str] = "bic"


Criterion = MessageLength | Bic

CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion for criterion in (MessageLength(), Bic())
}
"""Ways to choose, with their default settings, by name."""


def describe_mixture(
    count: ParameterCount,
    n_rows: float,
    weights: Floats,
    log_likelihood: float,
    entropy: float,
    message: MessageLength,
) -> Row:
    """All criteria of one mixture; ``entropy`` is that of the responsibilities, summed over the rows."""
    n_components = int(np.count_nonzero(weights))
    bic = count.total(n_components) * math.log(n_rows) - 2.0 * log_likelihood
    length = message.of(count, n_rows, weights, log_likelihood)
    return Row(n_components, length, log_likelihood, bic, bic + 2.0 * entropy)


def make_table(rows: list[Row], column: str) -> NDArray[np.void]:
    """One line for each number of components, in rising order; if a number occurs several times, its best line."""
    best: dict[int, Row] = {}
    for row in rows:
        other = best.get(row.n_components)
        if other is None or getattr(row, column) < getattr(other, column):
            best[row.n_components] = row
    return np.array([best[k] for k in sorted(best)], dtype=TABLE)
