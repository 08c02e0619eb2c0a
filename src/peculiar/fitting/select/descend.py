"""From many components down to one, by message length."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.engines.model import Model
from peculiar.errors import PeculiarError
from peculiar.fitting.select.criteria import MessageLength, ParameterCount, Row, describe_mixture
from peculiar.fitting.select.expectation import Expectation, expect, responsibility_entropy
from peculiar.fitting.select.sweep import sweep
from peculiar.model.params import MixtureParams

LEAST_START = 20
"""A descent begins with at least so many components, whatever may be left in the end: with few, k-means has to find all
groups at once; with many, each of them gets its share."""

WINDOW, TOLERANCE = 5, 0.1
"""Sweeps end when so many gain less than so many nats: from one number of components to the next it is ten or more."""

HOPELESS = 1e-3
"""They may also end when they gain less than this share of what is lacking to the best mixture met before."""

MAX_SWEEPS = 100
"""Largest number of sweeps with the same number of components."""

Progress = Callable[[Row, int], None]
"""Called with a line of the table and the number of sweeps it took."""

SweepProgress = Callable[[int, int, float], None]
"""Called after a sweep, with the number of components, of sweeps with so many, and the message length."""


@dataclass(frozen=True)
class Level:
    """A mixture at which the sweeps ended, and what it costs."""

    params: MixtureParams
    row: Row


def descend(
    backend: MemoryBackend,
    model: Model,
    start: MixtureParams,
    max_components: int,
    message: MessageLength,
    progress: Progress | None = None,
    on_sweep: SweepProgress | None = None,
) -> list[Level]:
    """Sweep until little is gained, remove the weakest component, and so on until one is left.

    Parameters
    ----------
    backend : MemoryBackend
    model : Model
    start : MixtureParams
        With more components than will be left.
    max_components : int
        Mixtures of more components are only passed through.
    message : MessageLength
        What is to become short.
    progress : callable, optional
        Told about each number of components, once it is done with.
    on_sweep : callable, optional
        Told about each sweep.

    Returns
    -------
    list of Level
        Those at which the sweeps ended: fewer and fewer components, down to one.
    """
    count = ParameterCount.of(model, start.n_features)
    expectation = expect(backend, model.engine, start)
    levels: list[Level] = []
    while True:
        best = min((level.row.message_length for level in levels), default=math.inf)
        n_sweeps = settle(expectation, model, count, message, best, on_sweep)
        params = expectation.params
        if params.n_components <= max_components:
            entropy = responsibility_entropy(backend, model.engine, params)
            levels.append(Level(params, _row(expectation, count, entropy, message)))
            if progress is not None:
                progress(levels[-1].row, n_sweeps)
        if params.n_components == 1:
            return levels
        expectation.remove(weakest(expectation))


def settle(
    expectation: Expectation,
    model: Model,
    count: ParameterCount,
    message: MessageLength,
    best: float = math.inf,
    on_sweep: SweepProgress | None = None,
) -> int:
    """Sweep until little is gained; the number of sweeps."""
    n_sweeps = 0
    lengths: list[float] = []
    while not _is_enough(lengths, best):
        n_components = expectation.params.n_components
        sweep(expectation, model, count)
        n_sweeps += 1
        if expectation.params.n_components < n_components:
            lengths = []  # of another mixture
        weights = np.exp(expectation.params.log_weights)
        lengths.append(message.of(count, expectation.n_rows, weights, expectation.bound))
        if not math.isfinite(lengths[-1]):
            raise PeculiarError(
                f"the message length of {len(weights)} components became {lengths[-1]}; please report this, with "
                "the data"
            )
        if on_sweep is not None:
            on_sweep(len(weights), n_sweeps, lengths[-1])
    return n_sweeps


def _is_enough(lengths: Sequence[float], best: float) -> bool:
    """Whether to stop, by the message lengths after the last sweeps and by that of the best mixture so far."""
    if len(lengths) <= WINDOW:
        return False
    gain = lengths[-1 - WINDOW] - lengths[-1]
    lacking = lengths[-1] - best
    return len(lengths) >= MAX_SWEEPS or gain < max(TOLERANCE, HOPELESS * lacking)


def weakest(expectation: Expectation) -> int:
    """The component that can be spared most easily: without it, and before any sweep, the rows are likeliest.

    It need not be the one of smallest weight: half of a large group is heavier than the whole of a small one.
    """
    return int(np.argmax(expectation.bounds_without()))


def _row(
    expectation: Expectation, count: ParameterCount, entropy: float, message: MessageLength
) -> Row:
    weights = np.exp(expectation.params.log_weights)
    return describe_mixture(count, expectation.n_rows, weights, expectation.bound, entropy, message)
