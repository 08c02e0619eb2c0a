"""Figure 3 of the paper: EM with each engine, judged by the true log-likelihood."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.datasets import Clusters, make_clusters
from peculiar.engines import Engine, Exact, Factorized, Map, MonteCarlo, Structured
from peculiar.engines.model import Model
from peculiar.estimators import RobustMixture
from peculiar.estimators.starts import GivenStart
from peculiar.fitting.start import robust_scaling
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams, from_scaled
from peculiar.model.prior import EstimatedDofs
from peculiar.model.scatter import FullScatter
from peculiar.observations import DiagonalNoise, Observations
from peculiar.reproduce.base import Advance, Load, Outcome
from peculiar.reproduce.groups import rightly_grouped
from peculiar.reproduce.statistics import area


@dataclass(frozen=True)
class Convergence:
    """Plain EM with all engines, from the same start.

    Parameters
    ----------
    seed : int, default=0
    noise_variance : float, default=4.0
        As in :class:`~peculiar.reproduce.illustration.Illustration`: the paper used one data set for both.
    n_iterations : int, default=100
    n_sweeps, burn_in : int, default=10_000 and 2_000
        Settings of the Gibbs sampler, as in the paper.
    """

    name: ClassVar[str] = "convergence"
    title: ClassVar[str] = "Five ways to do the same sum"
    source: ClassVar[str] = "figure 3"
    about: ClassVar[str] = (
        "EM with each engine on the data of the illustration, from one start. After every iteration the parameters "
        "are judged by their true log-likelihood, which the exact engine gives; the paper could judge each method "
        "only by its own objective."
    )
    load: ClassVar[Load | None] = None

    seed: int = 0
    noise_variance: float = 4.0
    n_iterations: int = 100
    n_sweeps: int = 10_000
    burn_in: int = 2_000

    @classmethod
    def quick(cls) -> Self:
        """Fewer iterations and sweeps."""
        return cls(n_iterations=30, n_sweeps=500, burn_in=100)

    @property
    def engines(self) -> dict[str, Engine]:
        """The engines by name, the reference first."""
        monte_carlo = MonteCarlo(n_sweeps=self.n_sweeps, burn_in=self.burn_in)
        engines: tuple[Engine, ...] = (Exact(), Structured(), Factorized(), monte_carlo, Map())
        return {engine.name: engine for engine in engines}

    def run(self, advance: Advance) -> Outcome:
        """Run EM with every engine."""
        sky = make_clusters(noise_variance=self.noise_variance, random_state=self.seed)
        start = _start(sky, self.seed)
        n_steps = len(self.engines) * self.n_iterations
        paths = {}
        for i, (name, engine) in enumerate(self.engines.items()):
            steps = partial(_tell, advance, name, i * self.n_iterations, n_steps)
            paths[name] = self._climb(sky, start, engine, steps)
        advance(n_steps, n_steps, "")
        return Outcome({"engines": paths, "n_objects": len(sky.X)}, _table(paths))

    def _climb(
        self, sky: Clusters, start: MixtureParams, engine: Engine, tell: Callable[[int], None]
    ) -> dict[str, Any]:
        """The path of one engine: the true log-likelihood of its parameters, and its own objective; per object."""
        obs, params = _observe(sky), start
        log_likelihoods, objectives = [], []
        for iteration in range(self.n_iterations + 1):
            tell(iteration)
            # Another seed for each iteration: errors of samples are seen as they are, not carried along.
            key = np.random.SeedSequence((self.seed, iteration)).generate_state(1)[0]
            backend = MemoryBackend(obs, N_THREADS, seed=int(key))
            stats = backend.summarise(engine, params)
            objectives.append(stats.mean_bound)
            log_likelihoods.append(backend.summarise(Exact(), params).mean_bound)
            reached, params = params, maximise(stats, params, SCATTER, PRIOR)
        return {
            "log_likelihood": log_likelihoods,
            "objective": objectives,
            "objective_is": engine.objective,
            "last_gain": objectives[-1] - objectives[-2],
            "fluctuation": _fluctuation(log_likelihoods),
            **_judge(sky, from_scaled(reached, obs.scaling), engine),
        }


N_THREADS = 2
"""Results do not depend on it."""

SCATTER, PRIOR = FullScatter(), EstimatedDofs()


def _tell(advance: Advance, name: str, first: int, n_steps: int, iteration: int) -> None:
    advance(first + iteration, n_steps, f"{name}, iteration {iteration}")


def _observe(sky: Clusters) -> Observations:
    noise = DiagonalNoise(sky.X_std)
    return Observations.of(sky.X, noise, robust_scaling(sky.X, noise), np.ones(len(sky.X)))


def _start(sky: Clusters, seed: int) -> MixtureParams:
    """The start that a fit would choose by itself."""
    model = Model(Exact(), SCATTER, PRIOR)
    nothing_given = GivenStart(None, None, None, None)
    return nothing_given.start(_observe(sky), model, 3, np.random.default_rng(seed))


def _judge(sky: Clusters, params: MixtureParams, engine: Engine) -> dict[str, Any]:
    """How good the parameters are: dofs, outliers and groups, all as this engine sees them."""
    fitted = RobustMixture.from_parameters(
        np.exp(params.log_weights), params.locations, params.scatters, params.dofs, engine=engine
    )
    given = sky.measured
    return {
        "dofs": params.dofs,
        "auc": area(sky.is_outlier, -fitted.robust_weights(**given)),
        "rightly_grouped": rightly_grouped(fitted.predict(**given), sky),
    }


def _fluctuation(curve: Sequence[float]) -> float:
    """Standard deviation of the last quarter of a curve about a straight line."""
    end = np.asarray(curve[-max(3, len(curve) // 4) :])
    steps = np.arange(len(end))
    line = np.polynomial.Polynomial.fit(steps, end, 1)
    return float(np.std(end - line(steps)))


def _table(paths: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A line for each iteration."""
    n = len(next(iter(paths.values()))["log_likelihood"])
    columns: dict[str, Any] = {"iteration": list(range(n))}
    for name, path in paths.items():
        columns[f"{name}_log_likelihood"] = path["log_likelihood"]
        columns[f"{name}_objective"] = path["objective"]
    return columns


EXPERIMENT = Convergence
