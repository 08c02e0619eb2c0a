"""The library's iterations and scores equal those of the dense, looping twins."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from tests.grid import everyday
from tests.limits.helpers import (
    assert_same_params,
    clouds,
    noise_cov,
    noise_std,
    run_em,
    with_holes,
)
from tests.reference import factorized, map_scale, rows, structured

N_ITER = 2

TWINS = {
    "exact": SimpleNamespace(em_step=rows.em_step, mean_bound=rows.mean_log_likelihood, how={}),
    "structured": SimpleNamespace(
        em_step=structured.em_step,
        mean_bound=structured.mean_bound,
        how={"moments": structured.row_moments},
    ),
    "factorized": SimpleNamespace(
        em_step=factorized.em_step,
        mean_bound=factorized.mean_bound,
        how={"of_row": factorized.row_moments},
    ),
    "map": SimpleNamespace(
        em_step=map_scale.em_step,
        mean_bound=map_scale.mean_bound,
        how={"moments": map_scale.row_moments},
    ),
}


@pytest.fixture(params=["X_std", "X_cov"])
def catalogue(request):
    """Values with holes, noise (some zero) in two forms, weights (one zero) and a start."""
    X, start = clouds(seed=11, n=16)
    std, cov = noise_std(12, X), noise_cov(12, X)
    X = with_holes(13, X)
    weights = np.random.default_rng(14).uniform(0.2, 3.0, len(X))
    weights[7] = 0.0
    if request.param == "X_std":
        given, S = {"X_std": std}, rows.noise_covariances(X, std)
    else:
        given, S = {"X_cov": cov}, cov
    return SimpleNamespace(X=X, given=given, S=S, weights=weights, start=start)


@pytest.mark.parametrize("engine", TWINS)
@pytest.mark.parametrize("scatter", ["full", "diag"])
@pytest.mark.parametrize("dof", everyday("estimate", slow=["shared", "fixed"]))
def test_iterations_equal_the_twin(engine, scatter, dof, catalogue):
    c, twin, start = catalogue, TWINS[engine], catalogue.start
    if scatter == "diag":
        start = start._replace(scatters=start.scatters * np.eye(3))
    if dof == "shared":
        start = start._replace(dofs=np.full(2, 4.0))
    theirs = start
    for n_iter in range(1, N_ITER + 1):
        theirs, _ = twin.em_step(theirs, c.X, c.S, c.weights, scatter=scatter, dof=dof)
        ours = run_em(
            start,
            c.X,
            n_iter,
            engine=engine,
            scatter=scatter,
            dof=dof,
            sample_weight=c.weights,
            **c.given,
        )
        assert_same_params(ours, theirs, rtol=1e-9)
    bound = twin.mean_bound(theirs, c.X, c.S, c.weights)
    assert_allclose(ours.lower_bound_, bound, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("engine", TWINS)
def test_scores_equal_the_twin(engine, catalogue):
    c, twin = catalogue, TWINS[engine]
    model = RobustMixture.from_parameters(*c.start, engine=engine)
    expected = rows.expect(c.start, c.X, c.S, **twin.how)
    assert expected.rows == list(range(len(c.X)))
    u = [
        sum(q * m.u for q, m in zip(resp, moments))
        for resp, moments in zip(expected.resp, expected.moments)
    ]
    latent = [rows.latent(c.start, x, S, **twin.how) for x, S in zip(c.X, c.S)]
    mean, cov = model.predict_latent(c.X, return_cov=True, **c.given)
    assert_allclose(model.score_samples(c.X, **c.given), expected.log_prob, rtol=1e-10)
    assert_allclose(model.predict_proba(c.X, **c.given), expected.resp, atol=1e-10)
    assert_allclose(model.robust_weights(c.X, **c.given), u, rtol=1e-9)
    assert_allclose(mean, [m for m, _ in latent], rtol=1e-9, atol=1e-9)
    assert_allclose(cov, [V for _, V in latent], rtol=1e-8, atol=1e-8)
