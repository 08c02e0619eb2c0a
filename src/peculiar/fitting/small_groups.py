"""Small groups that cannot pay for a scatter of their own: they are given the shape of the others, and choose a size.

By message length a component needs more rows than half its number of parameters, 351 for 36 features. A smaller group,
even one far from everything, is then taken in by a component that is stretched to reach it, and looks ordinary. With
the average shape of the other components a dozen rows are enough (``docs/design/0010``).
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.backends import Backend, MemoryBackend
from peculiar.engines.model import Model
from peculiar.fitting.loop import fit
from peculiar.fitting.select.choose import ENOUGH, roughly, some_rows
from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.model.params import MixtureParams, take
from peculiar.model.scatter import Scatter, WithMultiples

LEAST = 12
"""Rows of a group. Fewer have parameters of negative length (see ``MessageLength``)."""

LARGEST = 0.1
"""Share of the rows of a group. A larger one is a part of the population, and has a scatter of its own or none."""

CROWD = 2000
"""Rows among which a group is looked for."""

AT_A_TIME = 500
"""Rows whose clean values are asked for together."""

PATIENCE, MOST = 3, 10
"""Proposals that may fail one after the other, and groups that are looked for."""

BRIEF, LONG, TOLERANCE = 10, 40, 1e-4
"""Iterations after which a proposal must have kept its rows; how many more it is given; and the tolerance of a fit."""

FLATTEST = 1e-8
"""Least variance of an average scatter, as a share of its largest: features may follow from each other."""

TIGHTEST = 1e-3
"""Least size of a group to begin with, in units of an average scatter: rows may be in one place."""


class Grown(NamedTuple):
    """A mixture whose last components are small groups, and the structure of its scatters."""

    params: MixtureParams
    scatter: Scatter
    n_groups: int
    is_settled: bool = False  # whether it was fitted to full accuracy as it is

    def only(self, wanted: NDArray[np.bool_]) -> Grown:
        """Without the groups that are not wanted, (K,); what is said of other components does not matter."""
        if not isinstance(self.scatter, WithMultiples):
            return self
        of_groups = wanted[-self.n_groups :]
        n_first = self.params.n_components - self.n_groups
        kept = np.append(np.ones(n_first, dtype=np.bool_), of_groups)
        scatter = WithMultiples(self.scatter.own, self.scatter.shapes[of_groups])
        return Grown(take(self.params, kept), scatter, int(of_groups.sum()))


class Start(NamedTuple):
    """A component to add."""

    share: float
    location: Floats  # (1, d)
    scatter: Floats  # (1, d, d)

    def added_to(self, old: MixtureParams) -> MixtureParams:
        """The mixture with this as its last component, whose dof is that of a typical one."""
        return dataclasses.replace(
            old,
            log_weights=np.append(old.log_weights + np.log1p(-self.share), np.log(self.share)),
            locations=np.concatenate([old.locations, self.location]),
            scatters=np.concatenate([old.scatters, self.scatter]),
            dofs=np.append(old.dofs, np.median(old.dofs)),
        )


class Proposals:
    """Where a small group may be: around rows that have some others near, and then a gap.

    Distances are in units of an average component, between clean values, so that a badly measured row is no candidate.
    The gap of a row is the largest ratio of the distances to its 2 s-th and its s-th neighbour, over sizes s.

    Parameters
    ----------
    clean : ndarray of shape (n, d)
    shape : ndarray of shape (d, d)
        Scatter of an average component.
    seed : int
    """

    def __init__(self, clean: Floats, shape: Floats, seed: int) -> None:
        self.clean, self.shape = clean, shape
        self.places: Floats = clean @ np.linalg.cholesky(np.linalg.inv(shape))
        n = len(clean)
        rng = np.random.default_rng(seed)
        self.rows: Ints = np.sort(rng.choice(n, min(n, CROWD), replace=False))
        self._is_left: NDArray[np.bool_] = np.ones(n, dtype=np.bool_)
        self._gap, self._size = widest_gaps(self.places[self.rows], LEAST / n)

    def leave_out(self, rows: Ints) -> None:
        """These are not proposed again as the middle of a group."""
        self._is_left[rows] = False

    def next(self) -> Ints | None:
        """The rows of the most promising group, the middle first; None if there are no more."""
        left = self._is_left[self.rows]
        if not left.any():
            return None
        best = int(np.argmax(np.where(left, self._gap, -np.inf)))
        sq_dist = np.square(self.places - self.places[self.rows[best]]).sum(axis=1)
        n_members = round(float(self._size[best]) * len(self.places))
        return np.argsort(sq_dist, kind="stable")[:n_members]

    def start(self, rows: Ints) -> Start:
        """A component there, of the shape of an average one."""
        middle = np.median(self.places[rows], axis=0)
        size = float(np.square(self.places[rows] - middle).mean())
        scatter = np.maximum(size, TIGHTEST) * self.shape
        location = np.median(self.clean[rows], axis=0)
        return Start(len(rows) / len(self.places), location[None], scatter[None])


def widest_gaps(places: Floats, least: float) -> tuple[Floats, Floats]:
    """For each row how wide the gap around its nearest neighbours is, and which share of the rows they are.

    Parameters
    ----------
    places : ndarray of shape (n, d)
    least : float
        Smallest share.

    Returns
    -------
    gap, size : ndarray of shape (n,)
    """
    n = len(places)
    sq_length = np.square(places).sum(axis=1)
    sq_dist = sq_length[:, None] + sq_length - 2.0 * places @ places.T
    ordered = np.sort(np.maximum(sq_dist, 0.0).astype(np.float32), axis=1)
    n_sizes = max(1, 1 + int(2.0 * np.log2(max(LARGEST / least, 1.0))))
    sizes = np.unique(np.maximum(np.rint(n * least * 2.0 ** (0.5 * np.arange(n_sizes))), 2.0))
    s = np.minimum(sizes.astype(np.int64), (n - 1) // 2)
    with np.errstate(divide="ignore", invalid="ignore"):  # several rows in one place
        ratio = np.nan_to_num(ordered[:, 2 * s] / ordered[:, s], nan=0.0, posinf=0.0)
    widest = ratio.argmax(axis=1)
    return ratio[np.arange(n), widest].astype(float), s[widest] / n


def add_small_groups(
    backend: Backend, model: Model, params: MixtureParams, message: MessageLength
) -> Grown:
    """The mixture with as many small groups as make the message shorter, often none.

    They are looked for among the rows that lead the way down (:func:`peculiar.fitting.select.choose.some_rows`).

    Parameters
    ----------
    backend : Backend
    model : Model
        With the structure of the scatters that ``params`` have.
    params : MixtureParams
        Fitted.
    message : MessageLength

    Returns
    -------
    Grown
    """
    guide, rough = some_rows(backend, ENOUGH), roughly(model)
    grown = Grown(params, model.scatter, 0)
    if not can_miss_groups(guide, model, params):
        return grown
    clean = clean_values(guide, rough, params)
    proposals = Proposals(clean, average_scatter(params), guide.seed)
    length, n_failed = length_of(guide, rough, grown, message), 0
    while n_failed < PATIENCE and grown.n_groups < MOST:
        rows = proposals.next()
        if rows is None:
            break
        proposals.leave_out(rows)
        found = _fit_group(guide, rough, grown, proposals.start(rows))
        shorter = length_of(guide, rough, found, message) if found else length
        if found is None or shorter >= length:
            n_failed += 1
            continue
        grown, length, n_failed = found, shorter, 0
        memberships = guide.describe(rough.engine, grown.params).log_resp[:, -1]
        proposals.leave_out(np.flatnonzero(memberships > np.log(0.5)))
    return grown


def can_miss_groups(guide: MemoryBackend, model: Model, params: MixtureParams) -> bool:
    """Whether a group of enough rows may be too small for a component of the usual kind."""
    own = ParameterCount.of(model, params.n_features).own
    each = guide.total_weight / guide.n_rows
    return 0.5 * own > LEAST * each and guide.n_rows * LARGEST > LEAST


def clean_values(backend: MemoryBackend, model: Model, params: MixtureParams) -> Floats:
    """Posterior means of the rows, (n, d); some rows at a time, as each has a covariance beside it."""
    parts = np.array_split(np.arange(backend.n_rows), max(1, backend.n_rows // AT_A_TIME))
    some = (backend.with_rows(backend.obs.take(rows)) for rows in parts)
    return np.concatenate(
        [rows.describe(model.engine, params, latent=True).latent_mean for rows in some]
    )


def average_scatter(params: MixtureParams) -> Floats:
    """That of a component, on average over the objects, (d, d); in no direction flatter than ``FLATTEST``."""
    mean = np.einsum("k,kij->ij", np.exp(params.log_weights), params.scatters)
    values, vectors = np.linalg.eigh(0.5 * (mean + mean.T))
    scatter: Floats = (vectors * np.maximum(values, FLATTEST * values[-1])) @ vectors.T
    return scatter


def length_of(backend: MemoryBackend, model: Model, grown: Grown, message: MessageLength) -> float:
    """Message length of a mixture whose last components have scatters of one parameter."""
    params, n_rows = grown.params, backend.total_weight
    count = ParameterCount.of(model, params.n_features)
    own_of_groups = count.own - model.scatter.n_parameters(params.n_features) + 1
    weights = np.exp(params.log_weights)
    first, last = np.split(weights, [len(weights) - grown.n_groups])
    log_likelihood = backend.summarise(model.engine, params).bound
    return message.of(count, n_rows, first, log_likelihood) + message.of_others(
        own_of_groups, n_rows, last
    )


def _fit_group(backend: MemoryBackend, model: Model, grown: Grown, start: Start) -> Grown | None:
    """The mixture with one more group, fitted; None if the group has not kept enough rows, or has taken too many."""
    shapes = grown.scatter.shapes if isinstance(grown.scatter, WithMultiples) else start.scatter[:0]
    scatter = WithMultiples(model.scatter, np.concatenate([shapes, start.scatter]))
    params, with_group = start.added_to(grown.params), dataclasses.replace(model, scatter=scatter)
    for n_iterations in (BRIEF, LONG):
        params = fit(backend, with_group, params, tol=TOLERANCE, max_iter=n_iterations).params
        share = float(np.exp(params.log_weights[-1]))
        if not LEAST <= share * backend.total_weight <= LARGEST * backend.total_weight:
            return None
    return Grown(params, scatter, grown.n_groups + 1)
