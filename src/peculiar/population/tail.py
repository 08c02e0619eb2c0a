"""Tail probabilities: how often an ordinary object, measured with the same errors, looks at least as strange."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.backends.threads import in_threads
from peculiar.engines.exact import trapezoid_step
from peculiar.kernels.careful.row import new_row_work
from peculiar.kernels.shared.block import new_block_work
from peculiar.kernels.structs import LANES
from peculiar.kernels.tail.frames import TailFrames, frame_rows
from peculiar.kernels.tail.nodes import TailRule
from peculiar.kernels.tail.objects import Scene, new_tail_work, tail_rows
from peculiar.model.params import MixtureParams
from peculiar.observations import Observations
from peculiar.population.directions import crosses

_N_NODES = 256  # room for a start; it grows


@dataclass(frozen=True)
class Accuracy:
    """Accuracy wanted of tail probabilities.

    Attributes
    ----------
    candidate_error : float
        Relative error, one sigma, at which no more rays are cast for objects with p < ``candidate``.
    ordinary_error : float
        The same for p > ``ordinary``.
    first_error : float
        The same for the first rays, one axis for each component, all components together.
    candidate, ordinary : float
        P-values that separate candidates and ordinary objects.
    n_crosses : int
        Largest number of crosses that are used.
    rtol : float
        Relative error of the sums over u.
    rtol_alone : float
        The same for a single component. It has closed forms for some noise, and one ray is then exact.
    """

    candidate_error: float = 0.04
    ordinary_error: float = 0.035
    first_error: float = 0.2
    candidate: float = 0.06
    ordinary: float = 0.09
    n_crosses: int = 512
    rtol: float = 3e-4
    rtol_alone: float = 1e-10


class TailProbabilities(NamedTuple):
    """Tail probabilities of rows.

    Attributes
    ----------
    log_p : ndarray of shape (n,)
        Logarithm of the p-value, as p itself may be smaller than any float; 0 for a row with nothing observed.
    error : ndarray of shape (n,)
        Standard error of p, relative to p. It comes from the choice of rays.
    """

    log_p: Floats
    error: Floats


def log_tail_probabilities(
    obs: Observations,
    params: MixtureParams,
    *,
    n_threads: int = 1,
    accuracy: Accuracy | None = None,
) -> TailProbabilities:
    """Logarithms of the p-values p_n = P( log f(x' | S_n) <= log f(x_n | S_n) ), x' an object measured with S_n.

    x' is drawn from the population. The results do not depend on the number of threads, nor on the other rows.

    Parameters
    ----------
    obs : Observations
    params : MixtureParams
        The population, in the scaled units of ``obs``.
    n_threads : int, default=1
    accuracy : Accuracy, optional

    Returns
    -------
    TailProbabilities
    """
    accuracy = accuracy or Accuracy()
    result = TailProbabilities(np.zeros(obs.n_rows), np.zeros(obs.n_rows))

    def work(block: Observations) -> None:
        _fill_block(block, params, accuracy, result)

    blocks = [b for b in obs.batches(1) if b.n_observed]
    in_threads(work, blocks, n_threads)
    return result


def _fill_block(
    obs: Observations, params: MixtureParams, accuracy: Accuracy, result: TailProbabilities
) -> None:
    """Tail probabilities of the rows of one block, into their places."""
    layout = obs.layout
    rows = layout.order[layout.first[0] : layout.last[0]]
    p = int(layout.size[layout.pattern[0]])
    features = layout.features[layout.pattern[0], :p]
    n_components, d = params.n_components, params.n_features
    components = params.components
    block, row_work = new_block_work(n_components, d), new_row_work(n_components, d)
    frames = TailFrames(
        np.zeros((LANES, n_components, d)),
        np.zeros((LANES, n_components, d)),
        np.zeros((LANES, n_components, d, d)),
    )
    frame_rows(components, obs.rows, block, row_work, frames)
    rule = _rule(tuple(params.dofs.tolist()), p, accuracy)
    scene = Scene(rule, components, features, block, frames)
    log_p, error = np.zeros(LANES), np.zeros(LANES)
    needed = _N_NODES
    while needed:
        work = new_tail_work(n_components, d, accuracy.n_crosses, 2 * needed)
        needed = tail_rows(scene, len(rows), work, log_p, error)
    result.log_p[rows] = log_p[: len(rows)]
    result.error[rows] = error[: len(rows)]


@lru_cache(maxsize=64)
def _rule(dofs: tuple[float, ...], p: int, accuracy: Accuracy) -> TailRule:
    """What all objects with p observed features share."""
    rtol = accuracy.rtol_alone if len(dofs) == 1 else accuracy.rtol
    depth = math.log(1.0 / rtol) + 3.0
    finite = np.where(np.isinf(dofs), 1.0, np.array(dofs))
    return TailRule(
        np.array(dofs),
        trapezoid_step(0.5 * (finite + p), rtol),
        np.array([_right_end(dof, p, depth) for dof in finite]),
        depth,
        1e-7 if len(dofs) == 1 else 1e-3,
        crosses(p, accuracy.n_crosses),
        accuracy.candidate_error,
        accuracy.ordinary_error,
        accuracy.first_error,
        accuracy.candidate,
        accuracy.ordinary,
    )


def _right_end(dof: float, p: int, depth: float) -> float:
    """The s right of which  u^((dof + p) / 2) exp(-u dof / 2)  is exp(-depth) below its maximum for good."""
    shape, rate = 0.5 * (dof + p), 0.5 * dof
    u = (shape + depth) / rate
    for _ in range(60):  # Newton for -shape log u + rate u, convex in u, from the right
        excess = rate * u - shape - shape * math.log(u * rate / shape) - depth
        u = max(u - excess / (rate - shape / u), shape / rate * (1.0 + 1e-12))
    return math.log(u)
