"""From many components down to one, by message length."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from peculiar.arrays import Floats
from peculiar.backends import Backend, MemoryBackend
from peculiar.engines.base import Engine
from peculiar.engines.lanewise import LaneEngine
from peculiar.engines.model import Model
from peculiar.errors import PeculiarError
from peculiar.fitting.journal import FORGETFUL, Journal
from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams, take
from peculiar.model.stats import SufficientStats

LEAST_START = 20
"""A descent begins with at least so many components, whatever may be left in the end: with few, k-means has to find all
groups at once; with many, each of them gets its share."""

WAYS = 3
"""Ways down where rows are few. Most of the first components then go at once, for want of rows, and which ones is a
matter of luck: message lengths of two ways differ by hundreds of nats."""

WINDOW = 5
"""Passes whose gain tells whether to go on."""

ROUGH, FINE = 2.0, 0.1
"""Nats: passes end when a window of them gains less. From one number of components to the next it is ten or more, so
that on the way down a rough answer is enough."""

PER_ROW = 2e-4
"""Nats per row: they also end when a window of them gains less."""

PATIENCE = 1000
"""They may also end when so many more windows would not gain what is lacking to the best mixture met before: on the way
down that is many, for what is lost at one number of components is missing at the next, too."""

MAX_PASSES = 100
"""Largest number of passes with the same number of components."""

OnPass = Callable[[int, int, float], None]
"""Called after a pass, with the number of components, of passes with so many, and the message length."""


class Settled(NamedTuple):
    """A mixture of which little more can be had, its message length, and how many passes that took."""

    params: MixtureParams
    length: float
    n_passes: int


def ways_down(n_rows: float, count: ParameterCount) -> int:
    """How many ways down to try: several, unless three times as many components as a descent begins with could pay.

    Parameters
    ----------
    n_rows : float
    count : ParameterCount
        A component pays for itself if it explains more rows than half the number of its parameters.

    Examples
    --------
    >>> (
    ...     ways_down(1500, ParameterCount(own=6, common=0)),
    ...     ways_down(1000, ParameterCount(own=153, common=0)),
    ... )
    (1, 3)
    """
    return WAYS if n_rows < 0.5 * count.own * WAYS * LEAST_START else 1


def descend(
    backend: MemoryBackend,
    model: Model,
    start: MixtureParams,
    message: MessageLength,
    on_pass: OnPass | None = None,
    journal: Journal = FORGETFUL,
    tolerance: float = ROUGH,
) -> Iterator[Settled]:
    """Settle roughly, remove the weakest component, and so on until one is left.

    Parameters
    ----------
    backend : MemoryBackend
    model : Model
    start : MixtureParams
        With more components than will be left.
    message : MessageLength
        What is to become short.
    on_pass : callable, optional
        Told about each pass.
    journal : Journal, optional
    tolerance : float, optional
        How much, in nats, ``WINDOW`` passes must gain to go on.

    Yields
    ------
    Settled
        With fewer and fewer components.
    """
    params, best = start, math.inf
    while True:
        settled = settle(backend, model, params, message, tolerance, best, on_pass, journal=journal)
        yield settled
        params, best = settled.params, min(best, settled.length)
        if params.n_components == 1:
            return
        params = without(params, weakest(backend, model.engine, params))


def settle(
    backend: Backend,
    model: Model,
    params: MixtureParams,
    message: MessageLength,
    tolerance: float,
    best: float = math.inf,
    on_pass: OnPass | None = None,
    patience: float = PATIENCE,
    journal: Journal = FORGETFUL,
) -> Settled:
    """EM for the message length, until little is gained.

    A component that explains fewer rows than half the number of its parameters does not pay for itself. The weakest of
    those is removed, and no other: the rows it leaves may be what the next one needs.

    Parameters
    ----------
    backend, model, message, on_pass
        As for :func:`descend`.
    params : MixtureParams
        To begin with.
    tolerance : float
        How much, in nats, ``WINDOW`` passes must gain to go on.
    best : float, optional
        Message length of the best mixture met before.
    patience : float, optional
        Windows that may be needed to reach it.
    journal : Journal, optional

    Returns
    -------
    Settled
    """
    task = _Settling(backend, model, params, message, tolerance, best, on_pass, patience)
    return journal.run(task)


@dataclass(frozen=True)
class Descent:
    """Where EM for the message length is.

    Attributes
    ----------
    params : MixtureParams
        The next pass is with these; if there is none, they are the result.
    n_passes : int
    lengths : tuple of float
        Message lengths after the passes with so many components.
    is_over : bool
    """

    params: MixtureParams
    n_passes: int = 0
    lengths: tuple[float, ...] = ()
    is_over: bool = False


class _Settling(NamedTuple):
    """The task of :func:`settle`."""

    backend: Backend
    model: Model
    start: MixtureParams
    message: MessageLength
    tolerance: float
    best: float
    on_pass: OnPass | None
    patience: float

    def begin(self) -> Descent:
        """Nothing is known yet."""
        return Descent(self.start)

    def advance(self, state: Descent) -> Descent:
        """One pass."""
        model, params, n_passes = self.model, state.params, state.n_passes + 1
        count = ParameterCount.of(model, params.n_features)
        stats = self.backend.summarise(model.engine, params)
        n_rows, weights = float(stats.n.sum()), np.exp(params.log_weights)
        length = self.message.of(count, n_rows, weights, stats.bound)
        if not math.isfinite(length):
            raise PeculiarError(
                f"the message length of {len(weights)} components became {length}; please report this, with the data"
            )
        if self.on_pass is not None:
            self.on_pass(len(weights), n_passes, length)
        lengths, behind = (*state.lengths, length), (length - self.best) / self.patience
        if _is_enough(lengths, max(self.tolerance, PER_ROW * n_rows, behind)):
            return Descent(params, n_passes, lengths, is_over=True)
        if len(weights) > 1 and stats.n.min() <= 0.5 * count.own:
            fewer = without(params, int(np.argmin(stats.n)))
            return Descent(fewer, n_passes)  # lengths of another mixture
        return Descent(step(stats, params, model, count), n_passes, lengths)

    def result(self, state: Descent) -> Settled:
        """What the last pass has shown."""
        return Settled(state.params, state.lengths[-1], state.n_passes)


def step(
    stats: SufficientStats, old: MixtureParams, model: Model, count: ParameterCount
) -> MixtureParams:
    """The M-step for the message length: where all components pay for themselves, it never grows.

    Parameters cost the more, the more rows their component has, so that weights are in proportion to the rows of a
    component less half the number of its parameters. One without such a surplus has weight 0, if any has more.
    """
    new = maximise(stats, old, model.scatter, model.prior)
    surplus = np.maximum(stats.n - 0.5 * count.own, 0.0)
    if not surplus.any():
        return new
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        return dataclasses.replace(new, log_weights=np.log(surplus / surplus.sum()))


def _is_enough(lengths: Sequence[float], least_gain: float) -> bool:
    """Whether to stop, by the message lengths after the last passes."""
    if len(lengths) <= WINDOW:
        return False
    return len(lengths) >= MAX_PASSES or lengths[-1 - WINDOW] - lengths[-1] < least_gain


def weakest(backend: MemoryBackend, engine: Engine, params: MixtureParams) -> int:
    """The component that can be spared most easily: without it, and before any pass, the rows are likeliest.

    It need not be the one of smallest weight: half of a large group is heavier than the whole of a small one.
    """
    return int(np.argmax(bounds_without(backend, engine, params)))


def bounds_without(backend: MemoryBackend, engine: Engine, params: MixtureParams) -> Floats:
    """The log-likelihood with each component left out in turn, the others as they are, (K,)."""
    everyone = np.arange(params.n_components)
    if not isinstance(engine, LaneEngine):  # responsibilities are not in proportion to densities
        rest = (without(params, int(k)) for k in everyone)
        return np.array([backend.summarise(engine, others).bound for others in rest])
    rows = backend.describe(engine, params)
    bounds = [
        rows.log_prob
        + logsumexp(rows.log_resp[:, everyone != k], axis=1)
        - logsumexp(params.log_weights[everyone != k])
        for k in everyone
    ]
    return np.array([float(backend.obs.weights @ bound) for bound in bounds])


def without(params: MixtureParams, k: int) -> MixtureParams:
    """The mixture of all other components; they share its weight in proportion."""
    return take(params, np.arange(params.n_components) != k)
