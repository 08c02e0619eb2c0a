"""What a mixture costs: its parameters counted, its message length, BIC and ICL; and the table of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.errors import SettingError
from peculiar.fit import Model
from peculiar.kernels.structs import Floats

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
    """Free parameters besides the weights: of each component, and of all together."""

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
        """Of a whole mixture, its weights included (they have sum 1)."""
        return n_components - 1 + n_components * self.own + self.common


@dataclass(frozen=True)
class MessageLength:
    r"""Choose by the length of the message that tells the parameters and then the rows: ``n_components="mml"``.

    With :math:`\hat n` parameters of each of k components Figueiredo and Jain (2002), and with them Sun, Kabán and
    Raychaudhury (2007), have the following, to which we have added c parameters that all components share:

    .. math::

        -\log p(X) + \frac{\hat n}{2} \sum_{j=1}^k \log \frac{N \pi_j}{12} + \frac{k + c}{2} \log \frac{N}{12}
        + \frac{k (\hat n + 1) + c}{2} .

    That takes every parameter as known beforehand to within what a single row would tell (those of a component of fewer
    than 12 rows even have a negative length), and chance clumps come cheap. We let a parameter lie anywhere in
    R such units, and telling where takes :math:`\log R` more:

    .. math::

        {} + (k - 1) \hat n \log R .

    (For the first component it is left out: one there is in any case.)

    Parameters
    ----------
    prior_range : float, default=6.0
        R. With 1 the criterion is that of the paper, with the parameters counted as the model has them.

    Examples
    --------
    The criterion of the paper:

    >>> from peculiar import RobustMixture
    >>> RobustMixture(MessageLength(prior_range=1.0))
    RobustMixture(n_components=MessageLength(prior_range=1.0))

    Six parameters each, 120 rows: what is told of a second component, with the rows not told any better:

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
        """The length, in nats.

        Parameters
        ----------
        count : ParameterCount
        n_rows : float
            Sum of the weights of the rows.
        weights : ndarray of shape (K,)
            Of the components; those that are 0 count for nothing.
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
    """One line for each number of components, rising; of several with the same number the best."""
    best: dict[int, Row] = {}
    for row in rows:
        other = best.get(row.n_components)
        if other is None or getattr(row, column) < getattr(other, column):
            best[row.n_components] = row
    return np.array([best[k] for k in sorted(best)], dtype=TABLE)
