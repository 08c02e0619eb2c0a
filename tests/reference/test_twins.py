"""The twins agree with each other, with closed forms and with other people's code."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar
from scipy.special import gammaln, softmax
from scipy.stats import gamma, multivariate_normal, multivariate_t, norm
from sklearn.mixture import GaussianMixture

from tests.reference import factorized, gibbs, map_scale, rows, structured, t_mixture, xd
from tests.reference.rows import Params
from tests.reference.scale import (
    ScaleMoments,
    mean_inverse_u,
    scale_moments,
    trapezoid_moments,
)

RNG_SEED = 20070620


def random_covariance(rng, d, rank=None):
    A = rng.normal(size=(d, d if rank is None else rank))
    return A @ A.T


def random_row(rng, d, rank=None):
    """A measured vector, its noise, and a component."""
    return (
        rng.normal(size=d) * 3,
        random_covariance(rng, d, rank),
        rng.normal(size=d),
        (random_covariance(rng, d) + 0.1 * np.eye(d)),
    )


def frame(x, S, mu, scatter):
    L = np.linalg.cholesky(scatter)
    L_inv = np.linalg.inv(L)
    b, Q = np.linalg.eigh(L_inv @ S @ L_inv.T)
    return L @ Q, Q.T @ L_inv @ (x - mu), b.clip(0)


def noisy_mixture(rng, n=12, d=3, n_components=2):
    params = Params(
        weights=rng.dirichlet(np.full(n_components, 5.0)),
        locations=rng.normal(size=(n_components, d)) * 2,
        scatters=np.array(
            [random_covariance(rng, d) + 0.3 * np.eye(d) for _ in range(n_components)]
        ),
        dofs=rng.uniform(2, 12, n_components),
    )
    X = rng.normal(size=(n, d)) * 2
    S = np.array([random_covariance(rng, d) * 0.5 for _ in range(n)])
    return params, X, S


# The integral over u


SCALES = {
    "plain": ((0.3, -1.2), (0.5, 2.0), 4.0),
    "dof 1000": ((3.0, 40.0), (0.5, 2.0), 1e3),
    "one feature, dof 0.5": ((3.0,), (1e12,), 0.5),
    "two modes": ((30.0,), (75.0,), 2.0),
    "two modes, deep valley": ((1e6,), (1e10,), 3.6),
    "three modes": ((20.0, 2e3, 2e5), (10.0, 1e5, 1e9), 3.0),
    "mixed noise": ((1e-3, 5.0, -1e6, 2e3), (1e-12, 0.0, 1e12, 1e5), 1.3),
    "no noise": ((1.0, -2.0, 30.0), (0.0, 0.0, 0.0), 0.5),
}


@pytest.mark.parametrize("case", SCALES.values(), ids=SCALES.keys())
def test_gauss_legendre_equals_trapezoid(case):
    e, b, dof = case
    fine = trapezoid_moments(e, b, dof, lo=-400.0 / (dof + len(e)) - 60.0, hi=9.0, n_nodes=2500)
    assert_same_moments(scale_moments(e, b, dof), fine)


def test_gauss_legendre_equals_trapezoid_for_large_dof():
    e, b, dof = (300.0, 0.1, 1.0), (0.3, 1e4, 0.0), 1e6
    fine = trapezoid_moments(e, b, dof, lo=-0.5, hi=0.2, n_nodes=1500)
    assert_same_moments(scale_moments(e, b, dof), fine)


def assert_same_moments(ours, fine):
    for name in ScaleMoments._fields:
        assert_allclose(getattr(ours, name), getattr(fine, name), rtol=1e-15, err_msg=name)


@pytest.mark.parametrize("dof", [0.5, 3.0, 80.0])
def test_scale_moments_are_the_integrals_of_their_definition(dof):
    e, b = np.array([0.7, -2.0]), np.array([0.0, 1.5])
    prior = gamma(dof / 2, scale=2 / dof)

    def expectation(f):
        def integrand(s):
            u = np.exp(s)
            normals = np.exp(-(e**2) / (1 / u + b) / 2) / np.sqrt(2 * np.pi * (1 / u + b))
            return prior.pdf(u) * u * np.prod(normals) * f(u)

        return quad(integrand, -40, 6, points=[-5, -1, 0, 1], epsabs=0, epsrel=1e-11)[0]

    ours = scale_moments(e, b, dof)
    evidence = expectation(lambda u: 1.0)
    assert_allclose(ours.log_prob, np.log(evidence), rtol=1e-10)
    assert_allclose(ours.u, expectation(lambda u: u) / evidence, rtol=1e-9)
    assert_allclose(ours.log_u, expectation(np.log) / evidence, rtol=1e-9)
    for j in range(2):
        t_j = expectation(lambda u, j=j: 1 / (1 + u * b[j])) / evidence
        ut_j = expectation(lambda u, j=j: u / (1 + u * b[j])) / evidence
        assert_allclose([ours.t[j], ours.ut[j]], [t_j, ut_j], rtol=1e-9)
    utt = expectation(lambda u: u / (1 + u * b[1]) ** 2) / evidence
    tt = expectation(lambda u: 1 / (1 + u * b[1]) ** 2) / evidence
    assert_allclose([ours.utt[1, 1], ours.tt[1, 1]], [utt, tt], rtol=1e-9)
    assert_allclose([ours.utt[0, 1], ours.tt[0, 1]], [ours.ut[1], ours.t[1]], rtol=1e-14)


@pytest.mark.parametrize("dof", [1.5, 3.0, 80.0])
def test_mean_inverse_u_by_partial_integration(dof):
    # The integral of d/ds of the density is zero: E[(dof + p - 2) / u] = dof + E[C(u)]
    e, b = np.array([0.7, -2.0]), np.array([0.0, 1.5])
    ours = scale_moments(e, b, dof)
    C = np.sum(e**2 * np.diag(ours.tt) + b * ours.t)
    assert_allclose(mean_inverse_u(e, b, dof), (dof + C) / dof, rtol=1e-14)


def test_mean_inverse_u_may_be_infinite():
    assert mean_inverse_u([1.0], [1.0], 1.0) == np.inf
    assert mean_inverse_u([1.0], [1.0], np.inf) == 1.0


@pytest.mark.parametrize("dof", [0.5, 1.0, 7.3, 1e6])
def test_scale_without_noise_is_student_t(dof):
    e = np.array([0.3, -4.0, 1e3])
    ours = scale_moments(e, np.zeros(3), dof)
    assert_allclose(ours.log_prob, multivariate_t(np.zeros(3), df=dof).logpdf(e), rtol=1e-9)
    assert_allclose(ours.u, (dof + 3) / (dof + e @ e), rtol=1e-14)


def test_scale_of_infinite_dof_is_gaussian():
    e, b = np.array([0.3, -4.0, 1e3]), np.array([0.0, 2.0, 1e5])
    ours = scale_moments(e, b, np.inf)
    assert_allclose(
        ours.log_prob, multivariate_normal(np.zeros(3), np.diag(1 + b)).logpdf(e), rtol=1e-14
    )
    assert (ours.u, ours.log_u, ours.std_log_u) == (1.0, 0.0, 0.0)
    assert_allclose(ours.tt, np.outer(1 / (1 + b), 1 / (1 + b)), rtol=1e-15)


# Rows


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


@pytest.mark.parametrize("engine", [rows, structured])
@pytest.mark.parametrize(
    ("scatter", "dof"), [("full", "estimate"), ("diag", "shared"), ("full", "fixed")]
)
def test_bound_never_falls(engine, scatter, dof):
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[2, 0] = X[5, 1:] = np.nan
    weights = np.linspace(0.5, 2.0, len(X))
    if scatter == "diag":
        params = params._replace(scatters=params.scatters * np.eye(3))
    if dof == "shared":
        params = params._replace(dofs=np.full(2, 5.0))
    bounds = []
    for _ in range(3):
        params, bound = engine.em_step(params, X, S, weights, scatter=scatter, dof=dof)
        bounds.append(bound)
    assert np.all(np.diff(bounds) > 0)


# The structured variational engine


MANY = {
    "p=1": ((30.0,), (75.0,), 1.0),
    "p=1, far": ((9e3,), (1e6,), 5.0),
    "p=3": ((20.0, 2e3, 2e5), (10.0, 1e5, 1e9), 3.0),
}


@pytest.mark.parametrize("case", MANY.values(), ids=MANY.keys())
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


# The factorized variational engine


def random_mixture_row(rng, n_components, d, *, missing=False):
    """A row and a mixture in which all kinds of size occur."""
    scatters = [random_covariance(rng, d) + 0.1 * np.eye(d) for _ in range(n_components)]
    params = Params(
        weights=rng.dirichlet(np.full(n_components, 2.0)),
        locations=rng.normal(size=(n_components, d)) * rng.choice([0.5, 2.0, 8.0]),
        scatters=np.array(scatters),
        dofs=np.exp(rng.uniform(np.log(0.7), np.log(50.0), n_components)),
    )
    x = rng.normal(size=d) * rng.choice([1.0, 4.0, 15.0])
    S = random_covariance(rng, d) * 10 ** rng.uniform(-3, 3)
    if missing:
        x[rng.integers(d)] = np.nan
    return x, S, params


def literal(q, a, b, m, V, row):
    return factorized.literal_free_energy(q, a, b, m, V, *row)


@pytest.mark.parametrize("dofs", [(0.5, 4.0, 100.0), (3.0, 1e6, 1e4)])
def test_factorized_bound_is_the_literal_one(dofs):
    rng = np.random.default_rng(RNG_SEED)
    x, S, params = random_mixture_row(rng, 3, 3)
    row = x, S, params._replace(dofs=np.array(dofs))
    for ubar in (0.01, 0.7, 1.2):
        q = rng.dirichlet(np.ones(3))
        (m,), (V,), _ = factorized.best_w(q[None], np.array([ubar]), *row)
        a = 1.5 + q @ dofs / 2
        ours = factorized.free_energy(q, ubar, *row)
        assert_allclose(ours, literal(q, a, a / ubar, m, V, row), rtol=1e-11)


def test_factorized_literal_bound_is_the_integral_of_its_definition():
    x, S, params = np.array([1.3]), np.array([[0.8]]), two_in_one_dimension()
    q, a, b, m, V = np.array([0.3, 0.7]), 2.3, 1.7, 0.6, 0.5
    s, w = np.meshgrid(np.linspace(-25, 4, 1500), m + np.linspace(-7, 7, 400))  # s = log u
    u = np.exp(s)
    log_q = norm(m, np.sqrt(V)).logpdf(w) + gamma(a, scale=1 / b).logpdf(u)
    integrand = np.zeros_like(u)
    for q_k, pi, mu, scatter, nu in zip(q, *params):
        log_p = (
            norm(w, np.sqrt(S[0, 0])).logpdf(x[0])
            + norm(mu[0], np.sqrt(scatter[0, 0] / u)).logpdf(w)
            + gamma(nu / 2, scale=2 / nu).logpdf(u)
            + np.log(pi)
        )
        integrand += q_k * (log_p - log_q - np.log(q_k))
    cell = (s[0, 1] - s[0, 0]) * (w[1, 0] - w[0, 0])
    brute = np.sum(np.exp(log_q) * u * integrand) * cell
    ours = literal(q, a, b, np.array([m]), np.array([[V]]), (x, S, params))
    assert_allclose(ours, brute, rtol=1e-10)


def two_in_one_dimension():
    return Params(
        np.array([0.4, 0.6]),
        np.array([[-1.0], [2.0]]),
        np.array([[[1.0]], [[0.5]]]),
        np.array([3.0, 8.0]),
    )


def test_factorized_row_is_the_best_of_its_neighbours():
    rng = np.random.default_rng(RNG_SEED)
    row = random_mixture_row(rng, 3, 2)
    best = factorized.row(*row)
    a = 1.0 + best.resp @ row[2].dofs / 2
    top = literal(best.resp, a, a / best.ubar, best.mean, best.cov, row)
    assert_allclose(top, best.bound, rtol=1e-12)
    for size in (1e-3, 1e-1):
        for _ in range(20):
            q = best.resp * np.exp(size * rng.normal(size=3))
            b = a / best.ubar * np.exp(size * rng.normal())
            A = np.eye(2) + size * rng.normal(size=(2, 2))
            m = best.mean + size * rng.normal(size=2)
            near = q / q.sum(), a * np.exp(size * rng.normal()), b, m, A @ best.cov @ A.T
            assert literal(*near, row) < top


@pytest.mark.parametrize("seed", range(6))
def test_factorized_finds_what_a_general_optimiser_finds(seed):
    rng = np.random.default_rng([RNG_SEED, seed])
    row = random_mixture_row(rng, 2 + seed % 2, 1 + seed % 3)
    n_components = len(row[2].weights)

    def minus_F(y):
        return -factorized.free_energy(softmax(np.append(y[:-1], 0.0)), np.exp(y[-1]), *row)

    found = []
    for _ in range(8):
        start = np.append(rng.normal(size=n_components - 1) * 3, rng.uniform(-6, 1))
        found += [-minimize(minus_F, start, method="BFGS").fun]
    # In these coordinates corners of q(z) are infinitely far: the last digits are not found.
    assert max(found) - 1e-10 < factorized.row(*row).bound < max(found) + 1e-5


def test_factorized_bound_has_several_maxima():
    # A bad measurement leaves the component open; one q(w) for both has to decide for one.
    x, S, params = np.array([0.9]), np.array([[30.0]]), two_in_one_dimension()
    ends = factorized.fixed_points(x, S, params)
    on_first = [factorized.free_energy(*end, x, S, params) for end in ends if end[0][0] > 0.5]
    on_second = [factorized.free_energy(*end, x, S, params) for end in ends if end[0][0] < 0.5]
    best = factorized.row(x, S, params)
    assert on_first
    assert best.resp[1] > 0.5
    assert_allclose(best.bound, max(on_second), rtol=1e-14)
    assert best.bound > max(on_first) + 0.05
    # Brute force over q(z) and <u>.
    grid = [
        factorized.free_energy(np.array([q, 1 - q]), np.exp(s), x, S, params)
        for q in np.linspace(0, 1, 41)
        for s in np.linspace(-3, 0.5, 36)
    ]
    assert best.bound - 0.01 < max(grid) <= best.bound


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dof", [0.5, 4.0, 1e6, np.inf])
def test_factorized_with_one_component_is_structured(rank, dof):
    x, S, mu, scatter = random_row(np.random.default_rng(RNG_SEED + rank), 3, rank)
    one = Params(np.ones(1), mu[None], scatter[None], np.array([dof]))
    for n_missing in (0, 2):
        x[:n_missing] = np.nan
        (ours,) = factorized.row_moments(x, S, one)
        theirs = structured.row_moments(x, S, mu, scatter, dof)
        for name in rows.RowMoments._fields:
            assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("case", ["p=1", "p=1, far", "p=3"])
def test_factorized_with_one_component_finds_the_highest_of_many(case):
    e, b, dof = (np.asarray(part, dtype=float) for part in MANY[case])
    p = e.size
    one = Params(np.ones(1), np.zeros((1, p)), np.eye(p)[None], np.array([dof]))
    best = structured.structured_row(e, np.diag(b), np.zeros(p), np.eye(p), float(dof))
    ours = factorized.row(e, np.diag(b), one)
    assert_allclose([ours.bound, ours.ubar], [best.bound, best.ubar], rtol=1e-9)


def test_factorized_without_noise_and_tails_is_the_gaussian_mixture():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    params = params._replace(dofs=np.full(2, np.inf))
    X[1, 2] = np.nan
    none = rows.noise_covariances(X)
    exact, log_likelihood = rows.em_step(params, X, none, dof="fixed")
    ours, bound = factorized.em_step(params, X, none, dof="fixed")
    assert_allclose(bound, log_likelihood, rtol=1e-13)
    for a, b in zip(exact, ours):
        assert_allclose(a, b, rtol=1e-11)
    # With noise w is uncertain, and one q(w) for both components costs something.
    noisy = rows.mean_log_likelihood(params, X, S)
    assert noisy - 1.0 < factorized.mean_bound(params, X, S) < noisy - 0.01


@pytest.mark.parametrize("seed", range(12))
def test_factorized_bound_is_below_structured_is_below_the_truth(seed):
    rng = np.random.default_rng([RNG_SEED, seed])
    d = 1 + seed % 3
    x, S, params = random_mixture_row(rng, 2 + seed % 2, d, missing=d > 1 and seed % 4 == 0)
    exact = rows.expect(params, x[None], S[None]).log_prob[0]
    theirs = structured.mean_bound(params, x[None], S[None])
    assert factorized.row(x, S, params).bound <= theirs + 1e-11 <= exact + 2e-11


@pytest.mark.parametrize(
    ("scatter", "dof"), [("full", "estimate"), ("diag", "shared"), ("full", "fixed")]
)
def test_factorized_bound_never_falls(scatter, dof):
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[2, 0] = X[5, 1:] = np.nan
    weights = np.linspace(0.5, 2.0, len(X))
    if scatter == "diag":
        params = params._replace(scatters=params.scatters * np.eye(3))
    if dof == "shared":
        params = params._replace(dofs=np.full(2, 5.0))
    bounds = []
    for _ in range(10):
        params, bound = factorized.em_step(params, X, S, weights, scatter=scatter, dof=dof)
        bounds.append(bound)
    assert np.all(np.diff(bounds) > 0)


def test_factorized_row_rests_on_finite_or_on_infinite_dofs():
    rng = np.random.default_rng(RNG_SEED)
    kinds = set()
    for _ in range(12):
        x, S, params = random_mixture_row(rng, 2, 2)
        params = params._replace(dofs=np.array([4.0, np.inf]))
        bounds = [
            np.log(pi) + structured.structured_row(x, S, mu, scatter, nu).bound
            for pi, mu, scatter, nu in zip(*params)
        ]
        ours = factorized.row(x, S, params)
        best = int(np.argmax(bounds))
        assert_allclose(ours.bound, bounds[best], rtol=1e-12)
        assert ours.resp[best] == 1.0
        expected = rows.expect(params, x[None], S[None], of_row=factorized.row_moments)
        assert_allclose(expected.log_prob[0], ours.bound, rtol=1e-14)
        assert_allclose(expected.resp[0], ours.resp, atol=1e-15)
        kinds.add(best)
    assert kinds == {0, 1}


def test_factorized_large_dof_tends_to_infinite_dof():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    near = factorized.mean_bound(params._replace(dofs=np.full(2, 1e8)), X, S)
    limit = factorized.mean_bound(params._replace(dofs=np.full(2, np.inf)), X, S)
    assert_allclose(near, limit, rtol=1e-6)


def test_factorized_helpers_keep_their_digits():
    a = np.array([0.3, 29.0, 31.0, 5e5])
    with mpmath.mp.workdps(30):
        exact = [float(mpmath.digamma(v) - mpmath.log(v)) for v in a]
    assert_allclose(factorized.psi_minus_log(a)[2:], exact[2:], rtol=1e-13)
    assert_allclose(factorized.psi_minus_log(a)[:2], exact[:2], atol=1e-14)


# The point estimate of u


@pytest.mark.parametrize("case", MANY.values(), ids=MANY.keys())
def test_map_finds_the_highest_of_many(case):
    e, b, dof = (np.asarray(part, dtype=float) for part in case)
    p = e.size
    row = (e, np.diag(b), np.zeros(p), np.eye(p), float(dof))
    best = map_scale.map_row(*row)
    assert len(map_scale.maxima(*row)) >= 2
    grid = np.linspace(-40, 3, 1076)
    top = int(np.argmax([map_scale.log_joint(s, *row) for s in grid]))
    found = minimize_scalar(
        lambda s: -map_scale.log_joint(s, *row),
        bracket=(grid[top - 1], grid[top], grid[top + 1]),
    )
    assert_allclose(best.log_prob, -found.fun, rtol=1e-12)
    assert_allclose(best.log_u, found.x, atol=1e-5)


@pytest.mark.parametrize("nu", [0.5, 3.0, 40.0])
def test_map_maximises_the_density_of_log_u(nu):
    # The density of s = log u is that of u times u, and it integrates to 1.
    s = np.linspace(-3, 2, 7)
    ours = [map_scale.log_prior(s_i, nu) for s_i in s]
    assert_allclose(ours, gamma(nu / 2, scale=2 / nu).logpdf(np.exp(s)) + s, rtol=1e-12)
    mass = quad(lambda s: np.exp(map_scale.log_prior(s, nu)), -60, 5, points=[-5, -1, 0, 1])[0]
    assert_allclose(mass, 1.0, rtol=1e-6)


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0, 1e6])
def test_map_has_the_stationary_points_of_structured(rank, dof):
    # The two objectives are the same function of log ubar but for log Gamma(a) + a - a log a, the
    # volume of q(u) (by Stirling's formula, the 2 pi / a of Laplace's method).
    rng = np.random.default_rng(RNG_SEED + rank)
    row = (*random_row(rng, 3, rank), dof)
    ours, theirs = map_scale.map_row(*row), structured.structured_row(*row)
    assert_allclose(ours.log_u, np.log(theirs.ubar), atol=1e-12)
    a = mpmath.mpf(dof + 3) / 2
    volume = float(mpmath.loggamma(a) + a - a * mpmath.log(a))
    assert_allclose(theirs.bound - ours.log_prob, volume, atol=1e-8)


@pytest.mark.parametrize("dof", [0.5, 4.0, 100.0])
def test_map_without_noise_is_in_closed_form(dof):
    x, _, mu, scatter = random_row(np.random.default_rng(RNG_SEED), 3)
    ours = map_scale.row_moments(x, np.zeros((3, 3)), mu, scatter, dof)
    r, h, a = x - mu, dof / 2, (dof + 3) / 2
    u = (dof + 3) / (dof + r @ np.linalg.solve(scatter, r))
    assert_allclose([ours.u, ours.log_u], [u, np.log(u)], rtol=1e-13)
    height = a * np.log(u) - a + h * np.log(h) - gammaln(h)
    log_det = np.linalg.slogdet(2 * np.pi * scatter)[1]
    assert_allclose(ours.log_prob, height - log_det / 2, rtol=1e-12)
    assert_allclose(ours.dd, np.outer(r, r), atol=1e-12)


def test_map_exists_where_the_density_of_u_has_no_maximum():
    row = (np.array([0.1]), np.zeros((1, 1)), np.zeros(1), np.eye(1), 0.5)
    assert_allclose(np.exp(map_scale.map_row(*row).log_u), 1.5 / 0.51, rtol=1e-14)


def test_map_rows_equal_the_moments_in_the_frame():
    x, S, mu, scatter = random_row(np.random.default_rng(RNG_SEED), 3)
    A, e, b = frame(x, S, mu, scatter)
    dense = map_scale.row_moments(x, S, mu, scatter, 4.0)
    scale = map_scale.map_scale_moments(e, b, 4.0)
    log_det = np.linalg.slogdet(scatter)[1]
    assert_allclose(dense.log_prob, scale.log_prob - log_det / 2, rtol=1e-11)
    assert_allclose([dense.u, dense.log_u], [scale.u, scale.log_u], rtol=1e-10)
    assert_allclose(dense.ud, A @ (scale.ut * e), atol=1e-10)
    inner = scale.utt * np.outer(e, e) + np.diag(b * scale.ut)
    assert_allclose(dense.udd, A @ inner @ A.T, atol=1e-10)


def test_map_with_infinite_dof_is_exact():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[0, 1] = X[4, :2] = np.nan
    params = params._replace(dofs=np.full(2, np.inf))
    exact, log_likelihood = rows.em_step(params, X, S, dof="fixed")
    ours, height = map_scale.em_step(params, X, S, dof="fixed")
    assert_allclose(height, log_likelihood, rtol=1e-14)
    for a, b in zip(exact, ours):
        assert_allclose(a, b, rtol=1e-13)


@pytest.mark.parametrize(
    ("scatter", "dof"), [("full", "estimate"), ("diag", "shared"), ("full", "fixed")]
)
def test_map_height_never_falls_while_dofs_are_finite(scatter, dof):
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[2, 0] = X[5, 1:] = np.nan
    weights = np.linspace(0.5, 2.0, len(X))
    if scatter == "diag":
        params = params._replace(scatters=params.scatters * np.eye(3))
    if dof == "shared":
        params = params._replace(dofs=np.full(2, 5.0))
    heights = []
    for _ in range(10):
        if np.isinf(params.dofs).any():
            break
        params, height = map_scale.em_step(params, X, S, weights, scatter=scatter, dof=dof)
        heights.append(height)
    assert len(heights) == 10 or dof != "fixed"
    assert len(heights) >= 3
    assert np.all(np.diff(heights) > 0)


def test_map_height_has_no_maximum_over_the_dof():
    # For a known u the best dof is infinite: p(s) is ever higher at s = 0, like sqrt(nu / 4 pi).
    # Even on data with the longest tails.
    rng = np.random.default_rng(RNG_SEED)
    X = rng.standard_t(1.0, size=(20, 2))
    S = rows.noise_covariances(X, np.full(X.shape, 0.3))
    params = Params(np.ones(1), np.zeros((1, 2)), np.eye(2)[None], np.array([1.0]))
    dofs = (1e4, 1e6, 1e8)
    heights = []
    for dof in dofs:
        best = params._replace(dofs=np.array([dof]), scatters=np.cov(X.T)[None])
        heights.append(map_scale.mean_bound(best, X, S))
    assert_allclose(np.diff(heights), np.log(100) / 2, atol=0.01)
    for _ in range(40):
        params, _ = map_scale.em_step(params, X, S)
    assert params.dofs[0] == np.inf


# The Gibbs sampler


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


# Limits


def test_rows_with_infinite_dof_are_extreme_deconvolution():
    params, X, S = noisy_mixture(np.random.default_rng(RNG_SEED))
    X[0, 1] = X[4, :2] = np.nan
    params = params._replace(dofs=np.full(2, np.inf))
    new, bound = rows.em_step(params, X, S, dof="fixed")
    gaussians = xd.Gaussians(*params[:3])
    assert_allclose(bound, xd.mean_log_likelihood(gaussians, X, S), rtol=1e-13)
    for a, b in zip(new, xd.xd_step(gaussians, X, S)):
        assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("dof", ["estimate", "shared", "fixed"])
def test_rows_without_noise_are_the_plain_t_mixture(dof):
    params, X, _ = noisy_mixture(np.random.default_rng(RNG_SEED))
    new, bound = rows.em_step(params, X, rows.noise_covariances(X), dof=dof)
    plain = t_mixture.em_step(params, X, dof=dof)
    assert_allclose(bound, t_mixture.mean_log_likelihood(params, X), rtol=1e-12)
    for a, b in zip(new, plain):
        assert_allclose(a, b, rtol=1e-8)


def test_xd_without_noise_is_gaussian_mixture():
    rng = np.random.default_rng(RNG_SEED)
    X = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(25, 2)) * [0.5, 2] + [4, 1]])
    start = xd.Gaussians(
        np.array([0.5, 0.5]), np.array([[0.0, 0], [3, 1]]), np.array([np.eye(2)] * 2)
    )
    theirs = GaussianMixture(
        2,
        weights_init=start.alpha,
        means_init=start.m,
        precisions_init=start.V,
        reg_covar=0.0,
        tol=1e-14,
        max_iter=2000,
    ).fit(X)
    ours = start
    for _ in range(theirs.n_iter_ + 20):
        ours = xd.xd_step(ours, X, rows.noise_covariances(X))
    assert_allclose(ours.alpha, theirs.weights_, rtol=1e-6)
    assert_allclose(ours.m, theirs.means_, rtol=1e-6, atol=1e-6)
    assert_allclose(ours.V, theirs.covariances_, rtol=1e-5, atol=1e-6)
