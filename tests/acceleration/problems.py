"""Four problems on which plain EM is slow, each with a start; and fits that remember every pass over the data."""

from typing import NamedTuple

import numpy as np

from peculiar.backends import MemoryBackend
from peculiar.datasets import load_dr3_quasars, make_colours
from peculiar.engines.model import Model
from peculiar.fitting.loop import fit
from peculiar.fitting.start import kmeans_start, robust_scaling
from peculiar.model.params import MixtureParams
from peculiar.observations import DiagonalNoise, FullNoise, Observations
from peculiar.settings import choose_model

NAMES = ("demo", "quasars", "overlapping", "eight")


class Recorder(MemoryBackend):
    """Rows in memory, and the bound at every pass over them."""

    def __init__(self, obs):
        super().__init__(obs)
        self.bounds = []

    def summarise(self, engine, params):
        stats = super().summarise(engine, params)
        self.bounds.append(stats.mean_bound)
        return stats


class Problem(NamedTuple):
    backend: Recorder
    model: Model
    start: MixtureParams

    def fit(self, *, start=None, tol=1e-6, max_iter=1000, accelerate=True):
        """The result, and the best bound after each pass."""
        self.backend.bounds.clear()
        result = fit(
            self.backend,
            self.model,
            start or self.start,
            tol=tol,
            max_iter=max_iter,
            accelerate=accelerate,
        )
        assert len(self.backend.bounds) == result.n_evaluations
        return result, np.maximum.accumulate(self.backend.bounds)


def problem(name, *, engine="exact", seed=0, **settings):
    """One of the four, started by k-means."""
    values, noise, n_components = {
        "demo": demo,
        "quasars": quasars,
        "overlapping": overlapping,
        "eight": eight,
    }[name]()
    return prepare(values, noise, n_components, engine=engine, seed=seed, **settings)


def prepare(
    values,
    noise,
    n_components,
    *,
    engine="exact",
    scatter="full",
    dof="estimate",
    wild_fraction=0.0,
    seed=0,
):
    obs = Observations.of(values, noise, robust_scaling(values, noise), np.ones(len(values)))
    model = choose_model(engine, scatter, dof, n_components, wild_fraction)
    rng = np.random.default_rng(seed)
    start = kmeans_start(obs, n_components, model.scatter, model.prior, rng)
    return Problem(Recorder(obs), model, start)


def demo():
    """The catalogue of ``peculiar demo``: one of the dofs belongs at infinity."""
    sky = make_colours(3000, n_peculiar=30, random_state=1)
    return sky.X, FullNoise(sky.X_cov), 3


def quasars():
    sky = load_dr3_quasars()
    return sky.X[:5000], FullNoise(sky.X_cov[:5000]), 3


def overlapping(n=2000):
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0, 0], [2, 0, 1], [0, 2, -1.0]])
    z = rng.integers(3, size=n)
    clean = rng.standard_normal((n, 3)) * np.array([1.0, 0.8, 1.2])[z][:, None]
    clean = centres[z] + clean / np.sqrt(rng.gamma(2.5, 1 / 2.5, n))[:, None]
    std = rng.uniform(0.1, 1.0, (n, 3))
    return clean + std * rng.standard_normal((n, 3)), DiagonalNoise(std), 3


def eight(n=4000):
    """Eight components in four features; the best scatter of one of them is flat in one direction."""
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 2.0, (8, 4))
    shapes = rng.normal(0, 0.4, (8, 4, 4)) + 0.6 * np.eye(4)
    z = rng.integers(8, size=n)
    clean = np.einsum("nij,nj->ni", shapes[z], rng.standard_normal((n, 4)))
    clean = centres[z] + clean / np.sqrt(rng.gamma(3, 1 / 3, n))[:, None]
    std = rng.uniform(0.05, 0.6, (n, 4))
    return clean + std * rng.standard_normal((n, 4)), DiagonalNoise(std), 8


def passes_to_reach(bounds, target):
    """How many passes it took; infinite if it was not reached."""
    return int(np.argmax(bounds >= target)) + 1 if bounds[-1] >= target else np.inf
