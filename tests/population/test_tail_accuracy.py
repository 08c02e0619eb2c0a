"""Mixtures with noise: tail probabilities against integrals over a line, draws, and many other rays."""

import numpy as np
import pytest

from peculiar.population import directions
from peculiar.population import tail as tail_module
from peculiar.population.tail import Accuracy
from tests.population.problems import GAUSSIAN, KINDS, mixture, noise, objects, tail
from tests.reference.tail import log_tail_on_line, tail_by_draws

CANDIDATE = np.log(0.05)
DOFS = {
    "gaussian": GAUSSIAN,
    "heavy": [3.0, 4.0, 5.0],
    "light": [30.0] * 3,
    "mixed": [np.inf, 3.0, 30.0],
}


@pytest.mark.parametrize("dofs", DOFS.values(), ids=DOFS.keys())
@pytest.mark.parametrize("variance", [0.0, 1.0, 1e4])
def test_one_feature_agrees_with_integrals_over_the_line(dofs, variance):
    rng = np.random.default_rng(3)
    params = mixture(rng, 1, dofs, separation=5.0)
    S = np.full((1, 1), variance)
    X = objects(rng, params, S, [0.3, 1.0, 3.0, 10.0, 30.0])
    found = tail(X, S, params)
    exact = np.array([log_tail_on_line(float(x[0]), variance, params) for x in X])
    # Two rays are all there are. What is left is that of the sums over u, and of flat tops that just reach the level.
    assert np.abs(found.log_p - exact)[exact < CANDIDATE].max() < 2e-3
    assert np.abs(found.log_p - exact).max() < 0.03


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dofs", DOFS.values(), ids=DOFS.keys())
def test_draws_agree(dofs, kind):
    rng = np.random.default_rng(7)
    params = mixture(rng, 3, dofs)
    S = noise(kind, rng, 3)
    for x in objects(rng, params, S, [2.0, 4.0]):
        log_p, error = tail_by_draws(rng, 4000, x, S, params, [1.0, 3.0])
        found = tail(x, S, params)
        assert abs(found.log_p[0] - log_p) < 4.0 * np.hypot(error, found.error[0]) + 0.02


def other_rays(monkeypatch):
    """Rotations that have nothing to do with those of the library."""
    monkeypatch.setattr(directions, "_SEED", 1)
    directions.crosses.cache_clear()
    tail_module._rule.cache_clear()


@pytest.fixture
def restored():
    yield
    directions.crosses.cache_clear()
    tail_module._rule.cache_clear()


DENSE = Accuracy(candidate_error=0.01, ordinary_error=0.02, n_crosses=2048, rtol=1e-6)


def deviations(monkeypatch, cases):
    """Deviation of log p from that of many other rays, and the stated error, of all candidates."""
    problems = []
    for d, dofs, kind, seed in cases:
        rng = np.random.default_rng([d, seed])
        params = mixture(rng, d, dofs)
        S = noise(kind, rng, d)
        problems.append((objects(rng, params, S, [3.0, 6.0, 20.0, 100.0]), S, params))
    found = [tail(*problem) for problem in problems]
    other_rays(monkeypatch)
    dense = [tail(*problem, accuracy=DENSE) for problem in problems]
    log_p = np.concatenate([f.log_p for f in found])
    error = np.concatenate([np.hypot(f.error, t.error) for f, t in zip(found, dense)])
    off = log_p - np.concatenate([t.log_p for t in dense])
    return off[log_p < CANDIDATE], error[log_p < CANDIDATE]


def check(off, error):
    assert np.abs(off).max() < 0.1
    noisy = error > 1e-4
    assert np.quantile(np.abs(off[noisy]) / error[noisy], 0.68) < 1.4
    assert (np.abs(off) < 4.5 * error + 1e-3).all()


def test_candidates_are_accurate_and_errors_honest(monkeypatch, restored):
    kinds = ("none", "isotropic", "rank one")
    check(*deviations(monkeypatch, [(3, d, k, 0) for d in DOFS.values() for k in kinds]))


@pytest.mark.slow
def test_candidates_are_accurate_in_all_dimensions(monkeypatch, restored):
    cases = [
        (d, dofs, kind, seed)
        for d in (2, 3, 4, 6, 10)
        for dofs in (*DOFS.values(), [3.0], [30.0])
        for kind in KINDS
        for seed in (0, 1)
    ]
    off, error = deviations(monkeypatch, cases)
    assert np.quantile(np.abs(off), 0.99) < 0.08
    check(off, error)
