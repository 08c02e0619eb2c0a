"""Clean values by the lanes are those of the careful kernels, however small or large the noise."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.engines import Exact
from peculiar.engines.base import RowMoments
from peculiar.kernels.structs import LANES, LatentResults, RowResults
from peculiar.model.params import MixtureParams
from peculiar.observations import (
    DiagonalNoise,
    FullNoise,
    Observations,
    Scaling,
    noise_covariances,
)


class Careful(Exact):
    """The same engine, every row one by one."""

    def describe_blocks(self, obs, params, results, latent):
        return np.ones((obs.n_blocks, LANES), dtype=np.bool_)


def problem(d, noise, size, seed=0):
    """Rows of a mixture of three, a few of them far away, with errors of about the given size."""
    rng = np.random.default_rng([d, seed])
    factors = rng.standard_normal((3, d, d)) + 2.0 * np.eye(d)
    params = MixtureParams(
        np.log([0.2, 0.3, 0.5]),
        3.0 * rng.standard_normal((3, d)),
        factors @ factors.transpose(0, 2, 1) / d,
        np.array([3.0, 20.0, np.inf]),
        wild_fraction=0.02,
    )
    X = 3.0 * rng.standard_normal((100, d))
    X[:10] *= 20.0
    std = size * rng.uniform(0.3, 3.0, (100, d))
    if noise == "diagonal":
        return params, Observations.of(X, DiagonalNoise(std), Scaling(np.zeros(d), np.ones(d)))
    root = rng.standard_normal((100, d, d)) * std[:, :, None]
    cov = root @ root.transpose(0, 2, 1) / d
    return params, Observations.of(X, FullNoise(cov), Scaling(np.zeros(d), np.ones(d)))


def describe(engine, params, obs):
    out = RowMoments.empty(obs, params.n_components, latent=True)
    engine.describe(obs, params, out)
    return out


def relative_to_errors(difference, cov):
    errors = np.sqrt(np.diagonal(cov, axis1=1, axis2=2))
    return difference / errors[:, :, None] / errors[:, None, :]


@pytest.mark.parametrize("size", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("noise", ["diagonal", "full"])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_same_as_with_all_care(d, noise, size):
    params, obs = problem(d, noise, size)
    fast, careful = (describe(engine, params, obs) for engine in (Exact(), Careful()))
    for name in ("log_prob", "log_resp", "u", "wild"):
        ours, theirs = getattr(fast, name), getattr(careful, name)
        assert_allclose(ours, theirs, rtol=1e-8, atol=1e-10, err_msg=name)
    assert_allclose(fast.latent_mean, careful.latent_mean, rtol=1e-8, atol=1e-8)
    difference = fast.latent_cov - careful.latent_cov
    assert np.abs(relative_to_errors(difference, careful.latent_cov)).max() < 1e-7


@pytest.mark.parametrize("noise", ["diagonal", "full"])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_well_measured_values_have_the_errors_they_were_given(d, noise):
    """Also far from every component, where all but ten digits cancel if moments are taken about the location."""
    params, obs = problem(d, noise, 1e-5)
    found = describe(Exact(), params, obs)
    given = noise_covariances(obs.noise, d)
    assert np.abs(relative_to_errors(found.latent_cov - given, given)).max() < 1e-7
    assert_allclose(found.latent_mean, obs.values, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("noise", ["diagonal", "full"])
@pytest.mark.parametrize("wild_fraction", [0.02, 0.0])
@pytest.mark.parametrize("dof", [3.0, 0.8])
def test_rows_that_miss_features_are_done_too(noise, wild_fraction, dof):
    """With one feature observed and a dof below 1 the variance of the others is infinite."""
    params, obs = problem(3, noise, 0.3)
    dofs = np.array([dof, 20.0, np.inf])
    params = dataclasses.replace(params, dofs=dofs, wild_fraction=wild_fraction)
    values = obs.values.copy()
    values[::3, 1] = np.nan
    values[::4, 2] = np.nan
    values[7] = np.nan
    obs = obs.with_values(values)
    fast, careful = (describe(engine, params, obs) for engine in (Exact(), Careful()))
    assert_allclose(fast.latent_mean, careful.latent_mean, rtol=1e-8, atol=1e-8)
    assert_allclose(fast.latent_cov, careful.latent_cov, rtol=1e-6, atol=1e-8)
    assert np.isinf(fast.latent_cov[12, 2, 2]) == (dof < 1.0)
    assert np.isfinite(fast.latent_cov[:, 0, 0]).all() or dof < 1.0  # nothing observed
    assert fast.log_prob[7] == 0.0
    assert fast.wild[7] == pytest.approx(wild_fraction, rel=1e-12)


def test_no_care_is_taken_of_rows_that_miss_a_feature():
    """The careful kernels take long to compile: not for the sake of a few rows."""
    params, obs = problem(3, "diagonal", 0.3)
    values = obs.values.copy()
    values[::3, 1] = np.nan
    obs = obs.with_values(values)
    out = RowMoments.empty(obs, params.n_components, latent=True)
    results = RowResults(out.log_prob, out.log_resp, out.u, out.wild)
    latent = LatentResults(out.latent_mean, out.latent_cov)
    assert not Exact().describe_blocks(obs, params, results, latent).any()
