"""What tail probabilities promise besides their value: order, continuity, and the same in every run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.model.params import from_scaled, natural_scaling, to_scaled
from peculiar.observations import DiagonalNoise, FullNoise, Observations, Scaling
from peculiar.population.tail import log_tail_probabilities
from tests.population.problems import mixture, noise, tail, to_params
from tests.reference.tail import log_density

DOFS = [np.inf, 3.0, 30.0]


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(11)
    params = mixture(rng, 3, DOFS)
    X = rng.normal(size=(300, 3)) * 4.0
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, rng.uniform(0.1, 2.0, X.shape), params


def of(X, std, params, **how):
    obs = Observations.of(X, DiagonalNoise(std), Scaling(np.zeros(3), np.ones(3)))
    return log_tail_probabilities(obs, to_params(params), **how)


def test_threads_and_other_rows_change_nothing(many):
    X, std, params = many
    once = of(X, std, params)
    assert_array_equal(of(X, std, params, n_threads=3).log_p, once.log_p)
    order = np.random.default_rng(0).permutation(len(X))[:170]
    part = of(X[order], std[order], params, n_threads=2)
    assert_array_equal(part.log_p, once.log_p[order])
    assert_array_equal(part.error, once.error[order])


def test_diagonal_and_full_noise_agree(many):
    X, std, params = many
    X, std = np.nan_to_num(X)[:40], std[:40]
    cov = np.einsum("ni,ij->nij", std**2, np.eye(3))
    obs = Observations.of(X, FullNoise(cov), Scaling(np.zeros(3), np.ones(3)))
    full = log_tail_probabilities(obs, to_params(params)).log_p
    assert_allclose(full, of(X, std, params).log_p, rtol=1e-6, atol=1e-9)


def test_units_do_not_matter(many):
    X, std, params = many
    X, std = X[:60], std[:60]
    units = Scaling(np.array([5.0, -2.0, 0.1]), np.array([0.5, 3.0, 20.0]))
    found = of(X, std, params)
    raw = from_scaled(to_params(params), units)
    scaling = natural_scaling(raw)
    obs = Observations.of(X * units.scale + units.shift, DiagonalNoise(std * units.scale), scaling)
    other = log_tail_probabilities(obs, to_scaled(raw, scaling))
    # Rays are cast along the axes of a frame, whose signs and order may differ; the rest is the same.
    assert (np.abs(found.log_p - other.log_p) <= 5.0 * (found.error + other.error) + 1e-6).all()


@pytest.mark.parametrize("kind", ["isotropic", "anisotropic"])
def test_continuous_and_ordered_by_density(kind):
    """Along a line outwards log p changes as smoothly as the log-density does, and falls with it."""
    rng = np.random.default_rng(5)
    params = mixture(rng, 3, DOFS)
    S = noise(kind, rng, 3)
    steps = np.linspace(0.0, 12.0, 2401)
    X = params.locations[0] + steps[:, None] * np.array([1.0, 0.5, -0.3])
    log_f = log_density(X, S, params)
    log_p = tail(X, S, params).log_p
    order = np.argsort(log_f)
    rise, gap = np.diff(log_p[order]), np.diff(log_f[order])
    # In deep tails log p changes about as much as log f; at the top p is nearly 1 - (1 - f / max f)^(d / 2).
    assert rise.max() < 0.01 + 3.0 * gap.max()
    assert rise.min() > -0.01
