"""The structured twin finds the highest of its fixed points, with the bound of the paper."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from tests.reference import rows, structured
from tests.reference.problems import RNG_SEED, SEVERAL_MAXIMA, noisy_mixture, random_row


@pytest.mark.parametrize("case", SEVERAL_MAXIMA.values(), ids=SEVERAL_MAXIMA.keys())
def test_structured_finds_the_highest_of_many(case):
    e, b, dof = (np.asarray(part, dtype=float) for part in case)
    p = e.size
    row = (e, np.diag(b), np.zeros(p), np.eye(p), float(dof))
    best = structured.structured_row(*row)
    assert len(structured.fixed_points(*row)) >= 3
    # Brute force: the free energy as a function of log ubar.
    grid = np.linspace(-40, 3, 1076)
    values = [structured.free_energy(np.exp(s), *row) for s in grid]
    top = int(np.argmax(values))
    found = minimize_scalar(
        lambda s: -structured.free_energy(np.exp(s), *row),
        bracket=(grid[top - 1], grid[top], grid[top + 1]),
    )
    assert_allclose(best.bound, -found.fun, rtol=1e-12)
    assert_allclose(np.log(best.ubar), found.x, atol=1e-5)


@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0])
def test_structured_bound_is_the_literal_one_of_the_paper(dof):
    rng = np.random.default_rng(RNG_SEED)
    x, S, mu, scatter = random_row(rng, 3)
    row = structured.structured_row(x, S, mu, scatter, dof)
    literal = structured.literal_free_energy(row.ubar, x, S, mu, scatter, dof)
    assert_allclose(row.bound, literal, rtol=1e-11)
    assert_allclose(
        row.ubar, (dof + 3) / (dof + structured.C(np.array([row.ubar]), x, S, mu, scatter)[0])
    )
    # C from its definition
    d, scatter_inv = row.mean - mu, np.linalg.inv(scatter)
    literal_C = d @ scatter_inv @ d + np.trace(scatter_inv @ row.cov)
    assert_allclose(structured.C(np.array([row.ubar]), x, S, mu, scatter)[0], literal_C, rtol=1e-11)


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0, np.inf])
def test_structured_bound_is_below_the_truth(rank, dof):
    rng = np.random.default_rng(RNG_SEED + rank)
    for _ in range(3):
        row = random_row(rng, 3, rank)
        bound = structured.structured_row(*row, dof).bound
        truth = rows.row_moments(*row, dof).log_prob
        assert bound <= truth + 1e-11
        if rank == 0 or np.isinf(dof):
            assert_allclose(bound, truth, rtol=1e-11)


def test_structured_step_without_noise_is_the_exact_step():
    params, X, _ = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[1, 2] = np.nan
    none = rows.noise_covariances(X)
    exact, log_likelihood = rows.em_step(params, X, none)
    variational, bound = structured.em_step(params, X, none)
    assert_allclose(bound, log_likelihood, rtol=1e-12)
    for a, b in zip(exact, variational):
        assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize("dof", [0.5, 1.0])
def test_structured_spread_of_missing_features_may_be_infinite(dof):
    x = np.array([1.0, np.nan])
    moments = structured.row_moments(x, np.eye(2), np.zeros(2), np.eye(2), dof)
    assert moments.dd[1, 1] == np.inf
    assert np.isfinite(moments.udd).all()
