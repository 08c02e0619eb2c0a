"""Without noise the model is the plain Student-t mixture, and both engines are exact."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.limits.helpers import assert_same_params, clouds, run_em
from tests.reference import t_mixture

N_ITER = 10
ENGINES = ["exact", "structured"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dof", ["estimate", "shared", "fixed"])
def test_no_noise_is_the_plain_t_mixture(engine, dof):
    X, start = clouds(seed=1)
    if dof == "shared":
        start = start._replace(dofs=np.full(2, 5.0))
    theirs = start
    for n_iter in range(1, N_ITER + 1):
        theirs = t_mixture.em_step(theirs, X, dof=dof)
        ours = run_em(start, X, n_iter, engine=engine, dof=dof)
        assert_same_params(ours, theirs, rtol=1e-9)
        assert_allclose(ours.lower_bound_, t_mixture.mean_log_likelihood(theirs, X), rtol=1e-10)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("noise", ["X_std", "X_cov"])
def test_zero_noise_is_no_noise(engine, noise):
    X, start = clouds(seed=1)
    zero = np.zeros(X.shape if noise == "X_std" else (*X.shape, X.shape[1]))
    without = run_em(start, X, 5, engine=engine)
    with_zeros = run_em(start, X, 5, engine=engine, **{noise: zero})
    assert_allclose(with_zeros.lower_bounds_, without.lower_bounds_, rtol=1e-13)
    assert_allclose(with_zeros.scatters_, without.scatters_, rtol=1e-11)


@pytest.mark.parametrize("engine", ENGINES)
def test_small_noise_tends_to_no_noise(engine):
    X, start = clouds(seed=1)
    without = run_em(start, X, 3, engine=engine)
    nearly = run_em(start, X, 3, engine=engine, X_std=np.full(X.shape, 1e-4))
    assert_allclose(nearly.lower_bounds_, without.lower_bounds_, atol=1e-6)
    assert_allclose(nearly.scatters_, without.scatters_, atol=1e-6)
