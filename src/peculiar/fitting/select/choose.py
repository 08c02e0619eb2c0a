"""The two ways to choose a number of components."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.backends import MemoryBackend
from peculiar.engines.model import Model
from peculiar.fitting.loop import FitResult
from peculiar.fitting.select.criteria import (
    Bic,
    MessageLength,
    ParameterCount,
    Row,
    describe_mixture,
    make_table,
)
from peculiar.fitting.select.descend import Level, Progress, SweepProgress, descend
from peculiar.fitting.select.expectation import responsibility_entropy
from peculiar.model.params import MixtureParams

Table = NDArray[np.void]
"""Of :data:`~peculiar.fitting.select.criteria.TABLE`."""


class Candidate(NamedTuple):
    """A mixture that was fitted, and where its rows are."""

    result: FitResult
    backend: MemoryBackend


def by_message_length(
    backend: MemoryBackend,
    model: Model,
    starts: Iterable[MixtureParams],
    max_components: int,
    message: MessageLength,
    progress: Progress | None = None,
    on_sweep: SweepProgress | None = None,
) -> tuple[MixtureParams, Table]:
    """The mixture with the shortest message on the ways down from some starts, and all that were met."""
    levels: list[Level] = []
    for start in starts:
        levels += descend(backend, model, start, max_components, message, progress, on_sweep)
    best = min(levels, key=lambda level: level.row.message_length)
    return best.params, make_table([level.row for level in levels], message.column)


def by_bic(
    candidates: Iterable[Candidate], model: Model, progress: Progress | None = None
) -> tuple[Candidate, Table]:
    """The candidate with the lowest BIC, and what all of them cost.

    One with a component of fewer rows than parameters is not taken unless it is the first: such a component may shrink
    to nothing, and its likelihood grow as far as the floor of the scatters lets it.
    """
    best, best_bic, rows = None, math.inf, []
    for candidate in candidates:
        row = cost(candidate, model)
        rows.append(row)
        if best is None or (row.bic < best_bic and is_supported(candidate, model)):
            best, best_bic = candidate, row.bic
        if progress is not None:
            progress(row, len(candidate.result.bounds))
    assert best is not None, "there is at least one number to try"
    return best, make_table(rows, Bic.column)


def is_supported(candidate: Candidate, model: Model) -> bool:
    """Whether each component has at least as many rows as parameters."""
    params = candidate.result.params
    weights = np.exp(params.log_weights)
    smallest = float(candidate.backend.obs.weights.sum() * weights[weights > 0].min())
    return smallest >= ParameterCount.of(model, params.n_features).own


def cost(candidate: Candidate, model: Model) -> Row:
    """All criteria of a mixture that was fitted."""
    params, backend = candidate.result.params, candidate.backend
    n_rows = float(backend.obs.weights.sum())
    return describe_mixture(
        ParameterCount.of(model, params.n_features),
        n_rows,
        np.exp(params.log_weights),
        candidate.result.bound * n_rows,
        responsibility_entropy(backend, model.engine, params),
        MessageLength(),
    )
