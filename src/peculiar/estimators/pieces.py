"""Rows that come once, in pieces: what ``partial_fit`` does with each of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.backends.ahead import read_ahead
from peculiar.backends.sample import row_keys
from peculiar.engines.model import Model
from peculiar.errors import SettingError
from peculiar.estimators.elsewhere import Elsewhere, refuse_other_features
from peculiar.estimators.rows import rows_to_fit
from peculiar.estimators.search import Found
from peculiar.fitting.journal import FORGETFUL
from peculiar.fitting.loop import FitResult
from peculiar.fitting.online import Online
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import AutoScatter
from peculiar.observations import NoNoise, Observations, Scaling, take_rows
from peculiar.settings import check_jobs, make_rng
from peculiar.validation import CheckedRows, check_reach, check_rows, check_weights

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

LEAST_STEP = 20
"""Rows of a step, if a component does not take more to be told."""

GROWTH = 500.0
"""After so many steps they have twice as many rows, and so on: each counts less then, and takes time of its own."""


class Pieces(NamedTuple):
    """What is known from the pieces so far, and in which units."""

    online: Online
    scaling: Scaling

    def found(self, model: Model) -> Found:
        """The mixture so far, as a search would give it."""
        online = self.online
        bounds = (online.sums.bound,)
        params = online.result(model)
        result = FitResult(params, bounds, converged=False, to_come=math.inf, n_evaluations=0)
        return Found(result, 0, 0.0, None, None)


def learn(
    mixture: PlainMixture,
    elsewhere: Elsewhere | None,
    X: Any,
    X_std: Any,
    X_cov: Any,
    sample_weight: Any,
) -> tuple[Pieces, bool]:
    """Go on with a piece, or with all rows of a scan; also, whether it has errors.

    Parameters
    ----------
    mixture : PlainMixture
        It knows the pieces before, or parameters to start from, or nothing.
    elsewhere : Elsewhere or None
        The rows, if they are not in memory.
    X, X_std, X_cov, sample_weight
        As the user gave them.

    Returns
    -------
    pieces : Pieces
    is_noisy : bool
    """
    model, number = check_for_pieces(mixture)
    pieces, is_noisy = getattr(mixture, "_pieces", None), False
    for rows, weights in _parts(mixture, elsewhere, X, X_std, X_cov, sample_weight):
        is_noisy |= not isinstance(rows.noise, NoNoise)
        if pieces is None:
            first = rows_to_fit(mixture, rows, weights, number)
            pieces = _begin(mixture, model, number, first)
        obs = _observed(mixture, rows, weights, pieces.scaling)
        if obs is not None:
            pieces = pieces._replace(online=_go_on(pieces.online, obs, model, mixture.n_jobs))
    assert pieces is not None, "a table without rows has been refused"
    return pieces, is_noisy


def check_for_pieces(mixture: PlainMixture) -> tuple[Model, int]:
    """The choices of the settings; SettingError for what does not go with pieces."""
    model, number = mixture._check_to_fit()  # noqa: SLF001 (this file is a part of it)
    way_out = "; choose another for partial_fit, or use fit, which reads larger tables in parts (peculiar.scan)"
    if not isinstance(number, int):
        raise SettingError(
            f"n_components={number.name!r} asks for all rows, again and again{way_out}"
        )
    if isinstance(model.scatter, AutoScatter) or model.scatter.prior_rows:
        raise SettingError(
            f"scatter={model.scatter.name!r} asks for the number of all rows{way_out}"
        )
    if model.engine.is_random:
        raise SettingError(
            f"engine={model.engine.name!r} draws its random numbers for all rows{way_out}"
        )
    return model, number


def _parts(
    mixture: PlainMixture,
    elsewhere: Elsewhere | None,
    X: Any,
    X_std: Any,
    X_cov: Any,
    sample_weight: Any,
) -> Iterator[tuple[CheckedRows, Any]]:
    """Rows and their weights, checked."""
    is_first = not hasattr(mixture, "weights_")
    if elsewhere is None:
        rows = check_rows(mixture, X, X_std, X_cov, reset=is_first)
        yield rows, check_weights(sample_weight, len(rows.values))
        return
    if is_first:
        mixture._be_about(elsewhere)  # noqa: SLF001 (this file is a part of it)
    refuse_other_features(mixture, elsewhere)
    parts = elsewhere.parts()
    for part in read_ahead(lambda: parts):
        yield part, np.ones(len(part.values))


def _begin(mixture: PlainMixture, model: Model, number: int, obs: Observations) -> Pieces:
    """From the parameters of a mixture that is fitted; else from a start that the first piece gives."""
    backend, time = MemoryBackend(obs, check_jobs(mixture.n_jobs)), 0.0
    if hasattr(mixture, "weights_"):
        params = mixture.population_.params_in(obs.scaling)
        params = replace(params, aligned=model.scatter.is_aligned(params.scatters))
        time = backend.total_weight / _rows_of_a_step(params)
    else:
        rng = make_rng(mixture.random_state)
        given = mixture._search(FORGETFUL).given  # noqa: SLF001 (as above)
        params = given.start(backend.sample, model, number, rng)
    return Pieces(Online.begin(params, backend.summarise(model.engine, params), time), obs.scaling)


def _observed(
    mixture: PlainMixture, rows: CheckedRows, weights: Any, scaling: Scaling
) -> Observations | None:
    """The rows that say anything, in an order that follows from their numbers: those of a table may be sorted."""
    values, noise = rows
    some = np.flatnonzero((weights > 0) & ~np.isnan(values).all(axis=1))
    if not len(some):
        return None
    some = some[np.argsort(row_keys(0, len(values))[some], kind="stable")]
    values, noise = values[some], take_rows(noise, some)
    check_reach(mixture, values, noise, scaling, some)
    return Observations.of(values, noise, scaling, weights[some])


def _go_on(online: Online, obs: Observations, model: Model, n_jobs: Any) -> Online:
    """Step by step through a piece."""
    first, n_threads, step = 0, check_jobs(n_jobs), _rows_of_a_step(online.params)
    while first < obs.n_rows:
        last = first + int(step * (1.0 + online.time / GROWTH))
        if last + step > obs.n_rows:
            last = obs.n_rows  # no step of a few rows in the end
        some = MemoryBackend(obs.take(slice(first, last)), n_threads)
        stats = some.summarise(model.engine, online.params)
        online = online.after(stats, model, some.total_weight / step)
        first = last
    return online


def _rows_of_a_step(params: MixtureParams) -> int:
    return max(LEAST_STEP, params.n_components * (params.n_features + 1))
