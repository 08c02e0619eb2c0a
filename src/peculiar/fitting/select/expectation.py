"""What the rows say of a mixture, component by component, while its components change one at a time."""

from __future__ import annotations

import dataclasses
from typing import Protocol

import numpy as np
from scipy.special import logsumexp, xlogy

from peculiar.arrays import Floats
from peculiar.backends import MemoryBackend
from peculiar.engines import Engine
from peculiar.model.params import MixtureParams, take
from peculiar.model.stats import SufficientStats


class Expectation(Protocol):
    """A mixture that can be changed in one component, and what the rows say of it.

    Attributes
    ----------
    params : MixtureParams
        Current parameters.
    """

    params: MixtureParams

    @property
    def n_rows(self) -> float:
        """Sum of the weights of the rows."""
        ...

    @property
    def counts(self) -> Floats:
        """Rows that belong to each component: sums of responsibilities, (K,)."""
        ...

    @property
    def bound(self) -> float:
        """Log-likelihood of all rows, or what the engine has in its place."""
        ...

    def sums_of(self, k: int) -> SufficientStats:
        """Expected sums of one component."""
        ...

    def sums(self) -> SufficientStats:
        """Expected sums of all components."""
        ...

    def change(self, k: int, new: MixtureParams, log_weights: Floats) -> None:
        """Give a component other parameters, and all components other weights."""
        ...

    def move(self, params: MixtureParams) -> None:
        """Change everything."""
        ...

    def remove(self, k: int) -> None:
        """Leave a component out; the others share its weight in proportion."""
        ...

    def bounds_without(self) -> Floats:
        """The bound with each component left out in turn, the others as they are, (K,)."""
        ...


def expect(backend: MemoryBackend, engine: Engine, params: MixtureParams) -> Expectation:
    """The cheaper way that the engine allows."""
    way = Columns if engine.is_separable else Passes
    return way(backend, engine, params)


class Columns:
    """For engines in which components do not see each other: log p(x_n | k) is kept, and renewed where it changes.

    A change of one component then costs two passes with that component alone.
    """

    def __init__(self, backend: MemoryBackend, engine: Engine, params: MixtureParams) -> None:
        self.backend, self.engine = backend, engine
        self.move(params)

    def move(self, params: MixtureParams) -> None:
        """Change everything."""
        self.params = params
        columns = [self._column(component(params, k)) for k in range(params.n_components)]
        self._log_prob = np.stack(columns, axis=1)
        self._update()

    def _column(self, one: MixtureParams) -> Floats:
        """log p(x_n | k)."""
        return self.backend.describe(self.engine, one).log_prob

    def change(self, k: int, new: MixtureParams, log_weights: Floats) -> None:
        """Give a component other parameters, and all components other weights."""
        self.params = put_component(self.params, k, new, log_weights)
        self._log_prob[:, k] = self._column(new)
        self._update()

    def remove(self, k: int) -> None:
        """Leave a component out; the others share its weight in proportion."""
        self.params = without(self.params, k)
        self._log_prob = np.delete(self._log_prob, k, axis=1)
        self._update()

    def _update(self) -> None:
        joint = self._log_prob + self.params.log_weights
        highest = joint.max(axis=1)
        joint -= highest[:, None]
        np.exp(joint, out=joint)
        total = joint.sum(axis=1)
        joint /= total[:, None]
        self._resp, self._log_total = joint, highest + np.log(total)

    @property
    def n_rows(self) -> float:
        """Sum of the weights of the rows."""
        return float(self.backend.obs.weights.sum())

    @property
    def counts(self) -> Floats:
        """Rows that belong to each component."""
        counts: Floats = self.backend.obs.weights @ self._resp
        return counts

    @property
    def bound(self) -> float:
        """Log-likelihood of all rows, or what the engine has in its place."""
        return float(self.backend.obs.weights @ self._log_total)

    def sums_of(self, k: int) -> SufficientStats:
        """Expected sums of one component: it alone, with rows that count by their responsibilities."""
        rows = self.backend.reweighted(self.backend.obs.weights * self._resp[:, k])
        return rows.summarise(self.engine, component(self.params, k))

    def sums(self) -> SufficientStats:
        """Expected sums of all components."""
        return self.backend.summarise(self.engine, self.params)

    def bounds_without(self) -> Floats:
        """The bound with each component left out in turn."""
        return np.array([self._bound_without(k) for k in range(self.params.n_components)])

    def _bound_without(self, k: int) -> float:
        others = np.delete(self._log_prob, k, axis=1) + without(self.params, k).log_weights
        return float(self.backend.obs.weights @ logsumexp(others, axis=1))


class Passes:
    """For all engines: every change is followed by a pass with all components."""

    def __init__(self, backend: MemoryBackend, engine: Engine, params: MixtureParams) -> None:
        self.backend, self.engine = backend, engine
        self.move(params)

    def move(self, params: MixtureParams) -> None:
        """Change everything."""
        self.params = params
        self._stats = self.backend.summarise(self.engine, params)

    def change(self, k: int, new: MixtureParams, log_weights: Floats) -> None:
        """Give a component other parameters, and all components other weights."""
        self.move(put_component(self.params, k, new, log_weights))

    def remove(self, k: int) -> None:
        """Leave a component out; the others share its weight in proportion."""
        self.move(without(self.params, k))

    @property
    def n_rows(self) -> float:
        """Sum of the weights of the rows."""
        return float(self._stats.n.sum())

    @property
    def counts(self) -> Floats:
        """Rows that belong to each component."""
        return self._stats.n

    @property
    def bound(self) -> float:
        """Log-likelihood of all rows, or what the engine has in its place."""
        return self._stats.bound

    def sums_of(self, k: int) -> SufficientStats:
        """Expected sums of one component."""
        return self._stats.of_component(k)

    def sums(self) -> SufficientStats:
        """Expected sums of all components."""
        return self._stats

    def bounds_without(self) -> Floats:
        """The bound with each component left out in turn."""
        rest = (without(self.params, k) for k in range(self.params.n_components))
        return np.array([self.backend.summarise(self.engine, params).bound for params in rest])


def component(params: MixtureParams, k: int) -> MixtureParams:
    """One component, as a mixture of its own."""
    return take(params, np.array([k]))


def without(params: MixtureParams, k: int) -> MixtureParams:
    """The mixture of all other components."""
    return take(params, np.arange(params.n_components) != k)


def put_component(
    params: MixtureParams, k: int, new: MixtureParams, log_weights: Floats
) -> MixtureParams:
    """The mixture with another component in one place, and other weights."""
    locations, scatters, dofs = params.locations.copy(), params.scatters.copy(), params.dofs.copy()
    locations[k], scatters[k], dofs[k] = new.locations[0], new.scatters[0], new.dofs[0]
    return dataclasses.replace(
        params, log_weights=log_weights, locations=locations, scatters=scatters, dofs=dofs
    )


def responsibility_entropy(backend: MemoryBackend, engine: Engine, params: MixtureParams) -> float:
    """How undecided the rows are between the components, summed over the rows; in nats."""
    resp = np.exp(backend.describe(engine, params).log_resp)
    return float(-(backend.obs.weights @ xlogy(resp, resp)).sum())
