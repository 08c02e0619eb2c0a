"""The Gibbs sampler estimates the exact moments within the errors it states."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.reference import gibbs, rows
from tests.reference.problems import RNG_SEED, noisy_mixture, two_in_one_dimension


def gibbs_rows():
    """Rows with overlapping components: full, singular and no noise, and a missing feature."""
    rng = np.random.default_rng(RNG_SEED)
    params = noisy_mixture(rng, d=2, n_components=3)[0]
    params = params._replace(locations=params.locations / 3)
    full = np.array([[1.0, 0.3], [0.3, 0.5]])
    line = np.array([[1.0, -2.0], [-2.0, 4.0]])
    return {
        "full noise": (np.array([0.5, 1.0]), full, params),
        "singular noise": (np.array([1.0, -2.0]), line, params),
        "no noise": (np.array([-1.0, 0.5]), np.zeros((2, 2)), params),
        "missing": (np.array([np.nan, 1.5]), full, params),
        "one feature": (np.array([1.3]), np.array([[0.8]]), two_in_one_dimension()),
    }


@pytest.mark.parametrize("case", gibbs_rows().values(), ids=gibbs_rows().keys())
def test_gibbs_estimates_the_exact_moments(case):
    x, S, params = case
    rng = np.random.default_rng(RNG_SEED)
    ours, error = gibbs.row_moments(x, S, params, rng, n_sweeps=5_000, n_burn_in=500)
    exact = rows.expect(params, x[None], S[None])
    assert exact.resp.min() > 0.02, "the components are to overlap"
    assert error.resp.max() < 0.05
    scores = [(ours.resp - exact.resp[0]) / error.resp]
    for name in ("u", "log_u", "ud", "udd"):
        theirs = np.array([getattr(m, name) for m in exact.moments[0]])
        scores.append(np.ravel((getattr(ours, name) - theirs) / getattr(error, name)))
    scores = np.concatenate(scores)
    assert np.abs(scores).max() < 4
    assert 0.2 < np.sqrt(np.mean(scores**2)) < 2


def test_gibbs_with_infinite_dof_has_u_of_one():
    x, S, params = gibbs_rows()["one feature"]
    params = params._replace(dofs=np.full(2, np.inf))
    rng = np.random.default_rng(RNG_SEED)
    ours, error = gibbs.row_moments(x, S, params, rng, n_sweeps=3_000, n_burn_in=100)
    assert_allclose(ours.u, 1.0)
    assert_allclose(ours.log_u, 0.0)
    exact = rows.expect(params, x[None], S[None]).resp[0]
    assert np.abs((ours.resp - exact) / error.resp).max() < 4


def test_gibbs_draws_on_the_line_of_singular_noise():
    x, S, params = gibbs_rows()["singular noise"]
    _, _, w = gibbs.sample(x, S, params, np.random.default_rng(RNG_SEED), 50)
    off = (w - x) @ np.array([2.0, 1.0])  # the noise has no part in this direction
    assert_allclose(off, 0.0, atol=1e-6)


def test_batch_means_see_the_memory_of_a_chain():
    rng = np.random.default_rng(RNG_SEED)
    chain, memory = np.zeros(20_000), 0.8
    for i in range(1, chain.size):
        chain[i] = memory * chain[i - 1] + rng.normal()
    _, error = gibbs.mean_and_error(chain, np.ones(chain.size))
    assert_allclose(error, 1 / (1 - memory) / np.sqrt(chain.size), rtol=0.3)
