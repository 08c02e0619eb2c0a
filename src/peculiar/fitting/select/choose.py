"""The two ways to choose a number of components."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, xlogy

from peculiar.arrays import Floats
from peculiar.backends import Backend, MemoryBackend
from peculiar.engines import Exact
from peculiar.engines.base import RowMoments
from peculiar.engines.model import Model
from peculiar.fitting.journal import FORGETFUL, Journal
from peculiar.fitting.loop import FitResult
from peculiar.fitting.select.criteria import (
    Bic,
    MessageLength,
    ParameterCount,
    Row,
    describe_mixture,
    make_table,
)
from peculiar.fitting.select.descend import FINE, ROUGH, OnPass, descend, settle
from peculiar.model.params import MixtureParams, take

Table = NDArray[np.void]
"""Of :data:`~peculiar.fitting.select.criteria.TABLE`."""

Progress = Callable[[Row, int], None]
"""Called with a line of the table and the number of passes over the rows it took."""

ENOUGH = 6000
"""Rows that lead the way down, if there are more; all of them decide."""

COARSE = 1e-6
"""Relative error of densities that is good enough for the way down."""

REACH, LUCK = 20.0, 1.1
"""Nats by which a mixture may gain more than expected once it is settled on all rows; or so many times what others have
gained more."""

SHARE_OF_HOPE = 0.025
"""Passes on all rows end when a window of them gains less than this share of what was expected in all: the last climb,
whose steps are longer, is better at the rest."""

IMPATIENCE = 5
"""Windows of passes that one which is behind may need to catch up; if it needs more, it is given up."""


class Candidate(NamedTuple):
    """A mixture that was fitted, and where its rows are."""

    result: FitResult
    backend: Backend


class Level(NamedTuple):
    """A mixture that was met on a way down, and what it costs."""

    params: MixtureParams
    row: Row


def by_message_length(
    backend: Backend,
    model: Model,
    starts: Iterable[MixtureParams],
    max_components: int,
    message: MessageLength,
    progress: Progress | None = None,
    on_pass: OnPass | None = None,
    journal: Journal = FORGETFUL,
) -> tuple[MixtureParams, Table]:
    """The mixture with the shortest message, and all that were met on the ways down from some starts.

    Some of the rows, and rough densities, lead the way down. What is met there is measured with all rows, and what may
    turn out to be the shortest is settled on them.

    Parameters
    ----------
    backend : Backend
    model : Model
    starts : iterable of MixtureParams
    max_components : int
        Mixtures of more components are only passed through.
    message : MessageLength
    progress : callable, optional
        Told about each number of components, when it is met.
    on_pass : callable, optional
        Told about each pass.
    journal : Journal, optional

    Returns
    -------
    params : MixtureParams
    table : ndarray
        A line for each number of components.
    """
    guide, rough = some_rows(backend, ENOUGH), roughly(model)
    excess = backend.n_rows / guide.n_rows - 1.0
    tolerance = ROUGH * (1.0 + excess)  # in nats of the rows that lead
    met: list[Level] = []
    for start in with_one(starts):
        for settled in descend(guide, rough, start, message, on_pass, journal, tolerance):
            if settled.params.n_components <= max_components:
                met.append(measure(backend, model, settled.params, message, journal))
                if progress is not None:
                    progress(met[-1].row, settled.n_passes)
    met += settle_contenders(backend, model, met, message, on_pass, excess, journal)
    best = min(met, key=_length)
    return best.params, make_table([level.row for level in met], message.column)


def with_one(starts: Iterable[MixtureParams]) -> Iterator[MixtureParams]:
    """The starts, and one of a single component as wide as all of the first together.

    In many features a component that a way down leaves over may keep its small size: it calls all rows but its own
    wild, and nothing but noise, 1,000 rows in 15 features, ended 2.2 nats per row below a single wide component.
    """
    for number, start in enumerate(starts):
        if number == 0:
            yield as_one(start)
        yield start


def as_one(params: MixtureParams) -> MixtureParams:
    """A single component with the mean and the covariance of a mixture."""
    weights = np.exp(params.log_weights - logsumexp(params.log_weights))
    mean = weights @ params.locations
    away = params.locations - mean
    scatter = np.einsum("k,kij->ij", weights, params.scatters) + (weights * away.T) @ away
    one = take(params, np.arange(1))
    return dataclasses.replace(one, locations=mean[None], scatters=scatter[None])


def settle_contenders(
    backend: Backend,
    model: Model,
    met: list[Level],
    message: MessageLength,
    on_pass: OnPass | None = None,
    excess: float = 0.0,
    journal: Journal = FORGETFUL,
) -> list[Level]:
    """All that may turn out to be the shortest, settled on all rows; those that fall behind are given up.

    A mixture that was fitted to n of N rows is expected to gain half a nat for each of its parameters, times the
    ``excess`` N / n - 1, when it is settled on all of them. So the more components, the more may be hoped for.
    """
    rough, shortest, reach = roughly(model), math.inf, REACH
    contenders: list[Level] = []

    def expected_gain(level: Level) -> float:
        count = ParameterCount.of(model, level.params.n_features)
        return 0.5 * excess * count.total(level.params.n_components)

    def hope(level: Level) -> float:
        return _length(level) - expected_gain(level)

    for level in sorted(met, key=hope):
        if hope(level) - reach > shortest:
            break
        start, tolerance = level.params, max(FINE, SHARE_OF_HOPE * expected_gain(level))
        settled = settle(
            backend, rough, start, message, tolerance, shortest, on_pass, IMPATIENCE, journal
        )
        contenders.append(measure(backend, model, settled.params, message, journal))
        reach = max(reach, LUCK * (hope(level) - settled.length))
        shortest = min(shortest, settled.length)
    return contenders


def _length(level: Level) -> float:
    return level.row.message_length


def some_rows(backend: Backend, enough: int) -> MemoryBackend:
    """At most so many of the rows, drawn at random in proportion to their weights; together they weigh as much as all.

    If they counted once each, small components that all rows pay for would be lost on the way down: of 46,420 quasars
    in 20 components the first three went at once, and the message ended 86 nats longer than it does with 20.
    """
    obs = backend.sample
    if isinstance(backend, MemoryBackend) and obs is backend.obs and obs.n_rows <= enough:
        return backend
    if obs.n_rows > enough:
        chances = obs.weights / obs.weights.sum()
        rng = np.random.default_rng(backend.seed)
        rows = rng.choice(obs.n_rows, enough, replace=False, p=chances)
        obs = dataclasses.replace(obs.take(np.sort(rows)), weights=np.ones(enough))
    each = backend.total_weight / float(obs.weights.sum())
    return backend.with_rows(dataclasses.replace(obs, weights=each * obs.weights))


def roughly(model: Model) -> Model:
    """The same model with densities that are good enough for the way down."""
    engine = model.engine
    if not isinstance(engine, Exact) or engine.rtol >= COARSE:
        return model
    return dataclasses.replace(model, engine=dataclasses.replace(engine, rtol=COARSE))


def measure(
    backend: Backend,
    model: Model,
    params: MixtureParams,
    message: MessageLength,
    journal: Journal = FORGETFUL,
) -> Level:
    """All criteria of a mixture."""
    log_likelihood, entropy = journal.once(
        lambda: backend.add_up(model.engine, params, likelihood_and_entropy)
    )
    return Level(
        params,
        describe_mixture(
            ParameterCount.of(model, params.n_features),
            backend.total_weight,
            np.exp(params.log_weights),
            float(log_likelihood),
            float(entropy),
            message,
        ),
    )


def likelihood_and_entropy(rows: RowMoments, weights: Floats) -> Floats:
    """Log-likelihood of some rows, and the entropy of their responsibilities."""
    resp = np.exp(rows.log_resp)
    return np.array([weights @ rows.log_prob, -(weights @ xlogy(resp, resp)).sum()])


def by_bic(
    candidates: Iterable[Candidate],
    model: Model,
    progress: Progress | None = None,
    journal: Journal = FORGETFUL,
) -> tuple[Candidate, Table]:
    """The candidate with the lowest BIC, and what all of them cost.

    One with a component of fewer rows than parameters is not taken unless it is the first: such a component may shrink
    to nothing, and its likelihood grow as far as the floor of the scatters lets it.
    """
    best, best_bic, rows = None, math.inf, []
    for candidate in candidates:
        params = candidate.result.params
        row = measure(candidate.backend, model, params, MessageLength(), journal).row
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
    smallest = float(candidate.backend.total_weight * weights[weights > 0].min())
    return smallest >= ParameterCount.of(model, params.n_features).own
