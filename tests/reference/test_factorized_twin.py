"""The factorized twin finds the best q(w) q(u) q(z), with the bound of its definition."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import softmax
from scipy.stats import gamma, norm

from tests.reference import factorized, rows, structured
from tests.reference.problems import (
    RNG_SEED,
    SEVERAL_MAXIMA,
    noisy_mixture,
    random_mixture_row,
    random_row,
    two_in_one_dimension,
)
from tests.reference.rows import Params


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


@pytest.mark.parametrize("seed", range(3))
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
    e, b, dof = (np.asarray(part, dtype=float) for part in SEVERAL_MAXIMA[case])
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
