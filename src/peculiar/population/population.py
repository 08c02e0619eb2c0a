"""A population of objects with known parameters, which answers every question about rows."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.backends import MemoryBackend
from peculiar.engines.model import Model
from peculiar.model.params import MixtureParams, natural_scaling, take, to_scaled
from peculiar.observations import Noise, NoNoise, Observations, Scaling
from peculiar.population.explain import Explanation, explain
from peculiar.population.moments import Moments
from peculiar.population.sampling import add_noise, draw_clean
from peculiar.population.tail import TailProbabilities, log_tail_probabilities
from peculiar.population.tolerance import error_tolerance


@dataclass(frozen=True, eq=False)
class Population:
    """A mixture with known parameters. It never changes, and can be copied, pickled and sent elsewhere.

    It is asked with rows that were checked (:class:`~peculiar.observations.Observations`, in any scaling) and knows
    nothing of where the rest of the table is: a backend may ask it about one part after the other.

    Attributes
    ----------
    params : MixtureParams
        In the units of the data.
    model : Model
    seed : int
        For an engine that draws random numbers: the same rows get the same answer.
    n_threads : int
    is_ordinary : ndarray of bool of shape (K,), optional
        Which components are ordinary; the others are strange groups (:mod:`peculiar.population.groups`). None: all are.
    """

    params: MixtureParams
    model: Model
    seed: int = 0
    n_threads: int = 1
    is_ordinary: NDArray[np.bool_] | None = None

    @property
    def scaling(self) -> Scaling:
        """Units in which the components are of size 1 and near 0: those to ask about new rows in."""
        return natural_scaling(self.params)

    def with_ordinary(self, is_ordinary: NDArray[np.bool_] | None) -> Population:
        """The same population, of which these components are ordinary."""
        return dataclasses.replace(self, is_ordinary=is_ordinary)

    def without_wild(self) -> Population:
        """The same population without its wild tail."""
        params = dataclasses.replace(self.params, wild_fraction=0.0)
        model = dataclasses.replace(self.model, prior=self.model.prior.without_wild())
        return dataclasses.replace(self, params=params, model=model)

    def ordinary(self) -> Population:
        """The ordinary components alone, without a wild tail."""
        if self.is_ordinary is None:
            return self.without_wild()
        some = dataclasses.replace(self, params=take(self.params, self.is_ordinary))
        return some.with_ordinary(None).without_wild()

    def component(self, k: int) -> Population:
        """One component as a population of its own."""
        alone = dataclasses.replace(self, params=take(self.params, np.array([k])))
        return alone.with_ordinary(None)

    def moments(self, obs: Observations, *, with_clean: bool = False) -> Moments:
        """What is known of each row: density, memberships, u, probability of the wild tail. One pass over the rows.

        Parameters
        ----------
        obs : Observations
        with_clean : bool, default=False
            Whether to give the clean values too. They take much longer than the rest.

        Returns
        -------
        Moments
            In the units of the data.
        """
        backend = MemoryBackend(obs, self.n_threads, self.seed)
        params = self.params_in(obs.scaling)
        rows = backend.describe(self.model.engine, params, latent=with_clean)
        return Moments.of(rows, obs.scaling)

    def outlier_probability(self, obs: Observations, moments: Moments | None = None) -> Floats:
        """Probability that each row is no ordinary object: that it is wild, or belongs to a strange group.

        Parameters
        ----------
        obs : Observations
        moments : Moments, optional
            Of these rows (:meth:`moments`), if they are known already.

        Returns
        -------
        ndarray of shape (n,)
        """
        known = self.moments(obs) if moments is None else moments
        if self.is_ordinary is None or self.is_ordinary.all():
            return known.wild
        share = np.exp(self.params.log_weights[self.is_ordinary]).sum()
        log_share = math.log(share) + math.log1p(-self.params.wild_fraction)
        log_ordinary = log_share + self.ordinary().moments(obs).log_density - known.log_density
        return np.maximum(-np.expm1(log_ordinary), 0.0)

    def tail(self, obs: Observations) -> TailProbabilities:
        """How often an ordinary object, measured with the same errors, looks at least as strange as each row.

        Parameters
        ----------
        obs : Observations

        Returns
        -------
        TailProbabilities
            With respect to the ordinary components, without the wild tail.
        """
        params = self.ordinary().params_in(obs.scaling)
        return log_tail_probabilities(obs, params, n_threads=self.n_threads)

    def explain(self, obs: Observations) -> Explanation:
        """Which feature makes each row strange for an ordinary object: the surprise of each one, given the others.

        Parameters
        ----------
        obs : Observations

        Returns
        -------
        Explanation
        """
        return explain(self.ordinary(), obs)

    def tolerance(self, obs: Observations, p: float, log_p: Floats | None = None) -> Floats:
        """The smallest factor on the errors of each row for which its p-value reaches ``p``.

        Parameters
        ----------
        obs : Observations
        p : float
        log_p : ndarray of shape (n,), optional
            Logarithms of the p-values (:meth:`tail`), if they are known already.

        Returns
        -------
        ndarray of shape (n,)
            1 where it is reached already, inf where no factor is enough.
        """

        def log_tail(factors: Floats, rows: Ints) -> Floats:
            return self.tail(obs.take(rows).with_errors_times(factors)).log_p

        known = self.tail(obs).log_p if log_p is None else log_p
        return error_tolerance(log_tail, known, math.log(p))

    def sample(
        self, n_rows: int, rng: np.random.Generator, noise: Noise | None = None
    ) -> tuple[Floats, Ints]:
        """Random rows: clean, or as measured with the given noise.

        Parameters
        ----------
        n_rows : int
        rng : Generator
        noise : Noise, optional
            Of ``n_rows`` rows. A value whose error is infinite comes out missing.

        Returns
        -------
        values : ndarray of shape (n_rows, d)
        labels : ndarray of shape (n_rows,)
            Component of each row.
        """
        clean, labels = draw_clean(rng, self.params, self.model.prior, n_rows)
        return add_noise(rng, clean, NoNoise(n_rows) if noise is None else noise), labels

    def params_in(self, scaling: Scaling) -> MixtureParams:
        """The parameters in other units, and whether the scatters are diagonal for the engine."""
        aligned = self.model.scatter.is_aligned(self.params.scatters)
        return to_scaled(dataclasses.replace(self.params, aligned=aligned), scaling)
