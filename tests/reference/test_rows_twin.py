"""The exact step on data is the integral over u in dense matrices; what is missing says nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_t, norm

from tests.reference import rows
from tests.reference.problems import RNG_SEED, frame, noisy_mixture, random_row
from tests.reference.scale import scale_moments


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dof", [0.7, 5.0, 300.0])
def test_rows_equal_scale_twin(rank, dof):
    rng = np.random.default_rng(RNG_SEED)
    x, S, mu, scatter = random_row(rng, 3, rank)
    A, e, b = frame(x, S, mu, scatter)
    dense, scale = rows.row_moments(x, S, mu, scatter, dof), scale_moments(e, b, dof)
    log_det = np.linalg.slogdet(scatter)[1]
    assert_allclose(dense.log_prob, scale.log_prob - log_det / 2, rtol=1e-11)
    assert_allclose(dense.u, scale.u, rtol=1e-10)
    assert_allclose(dense.log_u, scale.log_u, rtol=1e-10)
    # d | u ~ N(A (t e), A diag(b t) A') with t = 1 / (1 + u b)
    assert_allclose(dense.d, A @ (scale.t * e), atol=1e-9)
    assert_allclose(dense.ud, A @ (scale.ut * e), atol=1e-9)
    ee = np.outer(e, e)
    assert_allclose(dense.dd, A @ (scale.tt * ee + np.diag(b * scale.t)) @ A.T, atol=1e-8)
    assert_allclose(dense.udd, A @ (scale.utt * ee + np.diag(b * scale.ut)) @ A.T, atol=1e-8)


def test_rows_without_noise_are_student_t():
    params, X, _ = noisy_mixture(np.random.default_rng(RNG_SEED))
    none = rows.noise_covariances(X)
    density = sum(
        pi * multivariate_t(mu, scatter, df=nu).pdf(X) for pi, mu, scatter, nu in zip(*params)
    )
    assert_allclose(rows.expect(params, X, none).log_prob, np.log(density), rtol=1e-11)


def test_missing_feature_is_a_very_noisy_one():
    rng = np.random.default_rng(RNG_SEED)
    x, S, mu, scatter = random_row(rng, 3)
    S[1, :] = S[:, 1] = 0.0
    x[1] = np.nan
    dropped = rows.row_moments(x, S, mu, scatter, 4.0)
    x[1], S[1, 1] = 0.0, 1e9
    vague = rows.row_moments(x, S, mu, scatter, 4.0)
    log_volume = norm(0, np.sqrt(S[1, 1])).logpdf(0)
    assert_allclose(vague.log_prob - log_volume, dropped.log_prob, rtol=1e-7)
    for name in ("u", "log_u", "ud", "udd", "d", "dd"):
        assert_allclose(getattr(vague, name), getattr(dropped, name), rtol=1e-6, err_msg=name)


def test_row_with_nothing_observed_changes_nothing():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    new, bound = rows.em_step(params, X, S)
    more, same = rows.em_step(
        params, np.vstack([X, np.full(3, np.nan)]), np.concatenate([S, np.zeros((1, 3, 3))])
    )
    assert bound == same
    for a, b in zip(new, more):
        assert_allclose(a, b, rtol=1e-14)
