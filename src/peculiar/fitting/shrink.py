"""How far full scatters are shrunk towards a diagonal: as far as rows that were left out ask for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.backends import Backend, MemoryBackend
from peculiar.engines.model import Model
from peculiar.fitting.journal import FORGETFUL, Journal
from peculiar.fitting.loop import fit
from peculiar.fitting.select.choose import roughly
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import DiagScatter, FullScatter, Scatter, ShrunkScatter

PLENTY = 20
"""Rows for each parameter of a scatter with which it needs no shrinkage."""

FIRST, LESS, MORE = 1.0, (1 / 4, 1 / 16, 0.0), (4.0, 16.0, 64.0)
"""Numbers of pseudo-rows to try, per feature."""

N_FOLDS = 4

TOLERANCE, MAX_ITER = 1e-3, 30
"""Of the fits by which amounts are compared: what is to be told apart is hundredths of a nat per row."""

LEAST_VARIANCE = 1e-4
"""Of the target, in units of the robust variance of a feature."""

TRIED = np.dtype([("pseudo_rows", np.float64), ("log_likelihood", np.float64)])
"""Columns of the table of what was tried: the amount, and the mean log-likelihood of rows left out."""

Tried = NDArray[np.void]

OnAmount = Callable[[int, int], None]
"""Called with how many fits were done, and how many there are at most."""


class Choice(NamedTuple):
    """A scatter structure, from where to fit it, and what was tried to find it."""

    scatter: Scatter
    start: MixtureParams
    tried: Tried


def has_plenty(params: MixtureParams, n_rows: float) -> bool:
    """Whether the smallest component has more rows than shrinkage could matter for."""
    weights = np.exp(params.log_weights)
    parameters = FullScatter().n_parameters(params.n_features)
    return float(n_rows * weights[weights > 0].min()) > PLENTY * parameters


def choose_shrinkage(
    backend: Backend,
    model: Model,
    full: MixtureParams,
    pseudo_rows: float | None = None,
    on_amount: OnAmount | None = None,
    journal: Journal = FORGETFUL,
) -> Choice:
    """The amount with which rows that were left out are likeliest.

    Parameters
    ----------
    backend : Backend
        In memory, if the amount is not known.
    model : Model
    full : MixtureParams
        Fitted with full scatters.
    pseudo_rows : float, optional
        The amount, if it is known.
    on_amount : callable, optional
        Told about each fit.
    journal : Journal, optional

    Returns
    -------
    Choice
        With ``start=full`` if nothing is gained.
    """
    diagonal = fit_diagonal(backend, model, full, journal)
    target, tried = typical_variances(diagonal), np.zeros(0, dtype=TRIED)
    if pseudo_rows is None:
        assert isinstance(backend, MemoryBackend), "rows are left out in memory only"
        left_out = LeftOut(backend, roughly(model), diagonal, target, journal)
        tried = try_amounts(left_out, on_amount)
        pseudo_rows = float(tried["pseudo_rows"][np.argmax(tried["log_likelihood"])])
    if pseudo_rows == 0.0:
        return Choice(FullScatter(), full, tried)
    return Choice(ShrunkScatter(pseudo_rows, target), diagonal, tried)


def fit_diagonal(
    backend: Backend, model: Model, full: MixtureParams, journal: Journal = FORGETFUL
) -> MixtureParams:
    """The same components without correlations."""
    scatter = DiagScatter()
    start = dataclasses.replace(full, scatters=scatter.nearest(full.scatters), aligned=True)
    diagonal = dataclasses.replace(model, scatter=scatter)
    result = fit(
        backend,
        diagonal,
        start,
        tol=TOLERANCE,
        max_iter=MAX_ITER,
        accelerate=True,
        journal=journal,
    )
    return dataclasses.replace(result.params, aligned=False)


def typical_variances(diagonal: MixtureParams) -> tuple[float, ...]:
    """Geometric mean of the variances of all components, by their weights."""
    variances = np.diagonal(diagonal.scatters, axis1=1, axis2=2)
    mean = np.exp(np.exp(diagonal.log_weights) @ np.log(variances))
    return tuple(np.maximum(mean, LEAST_VARIANCE).tolist())


def try_amounts(left_out: LeftOut, on_amount: OnAmount | None = None) -> Tried:
    """Less and less, or else more and more, until rows that were left out become less likely."""
    d, known = left_out.start.n_features, dict[float, float]()
    for amounts in ((FIRST, *LESS), MORE):
        for amount in amounts:
            known[d * amount] = left_out.mean_log_likelihood(d * amount)
            if on_amount is not None:
                on_amount(len(known), 1 + len(LESS) + len(MORE))
            if known[d * amount] < max(known.values()):
                break
        if known[d * FIRST] < max(known.values()):
            break
    return np.array(sorted(known.items()), dtype=TRIED)


class LeftOut:
    """Says how likely rows are that were left out of a fit; each row is left out once.

    From one amount to the next, fits go on where they were, and at first they know of no correlations. (If they began
    with those of all rows, they would remember the rows that are left out.)

    Parameters
    ----------
    backend : MemoryBackend
    model : Model
    start : MixtureParams
    target : tuple of float
        As for :class:`~peculiar.model.scatter.ShrunkScatter`.
    journal : Journal, optional
    """

    def __init__(
        self,
        backend: MemoryBackend,
        model: Model,
        start: MixtureParams,
        target: tuple[float, ...],
        journal: Journal = FORGETFUL,
    ) -> None:
        obs = backend.obs
        order = np.random.default_rng(backend.seed).permutation(obs.n_rows)
        self.start, self.model, self.target, self.journal = start, model, target, journal
        self.total = float(obs.weights.sum())
        self.folds = [
            (
                backend.with_rows(obs.take(np.setdiff1d(order, some))),
                backend.with_rows(obs.take(some)),
            )
            for some in map(np.sort, np.array_split(order, min(N_FOLDS, obs.n_rows)))
        ]
        self.reached = [start] * len(self.folds)

    def mean_log_likelihood(self, pseudo_rows: float) -> float:
        """Per row, for so many pseudo-rows."""
        scatter = ShrunkScatter(pseudo_rows, self.target) if pseudo_rows else FullScatter()
        shrunk, engine = dataclasses.replace(self.model, scatter=scatter), self.model.engine
        total = 0.0
        for i, (rest, some) in enumerate(self.folds):
            start, journal = self.reached[i], self.journal
            result = fit(rest, shrunk, start, tol=TOLERANCE, max_iter=MAX_ITER, journal=journal)
            self.reached[i] = result.params
            total += float(some.obs.weights @ some.describe(engine, result.params).log_prob)
        return total / self.total
