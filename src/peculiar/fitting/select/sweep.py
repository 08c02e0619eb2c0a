"""One sweep of component-wise EM for the message length (Figueiredo and Jain, 2002)."""

from __future__ import annotations

import numpy as np

from peculiar.arrays import Floats
from peculiar.engines.model import Model
from peculiar.fitting.select.criteria import ParameterCount
from peculiar.fitting.select.expectation import Expectation, component
from peculiar.model.maximise import maximise


def sweep(expectation: Expectation, model: Model, count: ParameterCount) -> None:
    """Update all components once, one at a time. Where none is removed and all pay, the message length never grows.

    A component that explains fewer rows than half the number of its parameters does not pay for itself. Before
    the updates the weakest of those is removed, and no other: the rows it leaves may be what the next one needs.
    """
    half = 0.5 * count.own
    counts = expectation.counts
    if len(counts) > 1 and counts.min() <= half:
        expectation.remove(int(np.argmin(counts)))
    for k in range(expectation.params.n_components):
        _update(expectation, model, count, k)
    if count.common:
        _update_common(expectation, model)


def _update(expectation: Expectation, model: Model, count: ParameterCount, k: int) -> None:
    """Weight, location, scatter and dof of one component."""
    old = component(expectation.params, k)
    # A parameter that components share is not changed for one of them.
    new = maximise(expectation.sums_of(k), old, model.scatter, model.prior.own())
    log_weights = new_weights(
        expectation.params.log_weights, expectation.counts - 0.5 * count.own, k
    )
    expectation.change(k, new, log_weights)


def new_weights(log_weights: Floats, surplus: Floats, k: int) -> Floats:
    """The best weight of component k, while those of the others keep their proportions.

    That maximises  s_k log w + sum_j s_j log(1 - w)  over w, with s the rows of a component less half the number of its
    parameters, and j the others. A component without a surplus counts as having none, and keeps its weight if it is k.
    """
    paying = np.maximum(surplus, 0.0)
    others = np.delete(paying, k).sum()
    if paying[k] == 0.0 or others == 0.0:
        return log_weights
    total = paying[k] + others
    new: Floats = (
        log_weights + np.log(others / total) - np.logaddexp.reduce(np.delete(log_weights, k))
    )
    new[k] = np.log(paying[k] / total)
    return new


def _update_common(expectation: Expectation, model: Model) -> None:
    """The law of u of all components, from the sums of all."""
    params = expectation.params
    expectation.move(params.with_scale(model.prior.update(expectation.sums(), params.scale)))
