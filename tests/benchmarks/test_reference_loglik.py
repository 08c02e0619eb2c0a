"""The judge of all contenders, against scipy's quadrature and densities."""

import numpy as np
import pytest
from scipy import integrate, stats

from benchmarks.problems import Mixture, Problem, Spec, make_problem, noise_cov
from benchmarks.reference_loglik import judged, log_density, mean_log_likelihood


def mixture_like(problem, dofs):
    rng = np.random.default_rng(1)
    k, d = problem.start.locations.shape
    factors = rng.normal(size=(k, d, d))
    scatters = factors @ factors.transpose(0, 2, 1) + np.eye(d)
    weights = rng.dirichlet(np.ones(k))
    return Mixture(weights, problem.start.locations, scatters, np.array(dofs))


def by_quadrature(x, cov, location, scatter, dof):
    """Density of one row under one component: the integral over u."""
    prior = stats.gamma(dof / 2, scale=2 / dof)

    def integrand(s):
        u = np.exp(s)
        return stats.multivariate_normal(location, scatter / u + cov).pdf(x) * prior.pdf(u) * u

    options = {"limit": 500, "epsabs": 0.0, "epsrel": 1e-10, "points": [-2.0, 0.0, 1.0]}
    return integrate.quad(integrand, -25.0, 5.0, **options)[0]


@pytest.mark.parametrize("noise", ["diag", "full"])
def test_integral_over_the_scale(noise):
    problem = make_problem(Spec(3, 2, 2, noise, seed=3))
    mixture = mixture_like(problem, [1.5, 30.0])
    density = [
        sum(w * by_quadrature(x, cov, *rest) for w, *rest in zip(*mixture))
        for x, cov in zip(problem.x, noise_cov(problem))
    ]
    np.testing.assert_allclose(log_density(problem, mixture), np.log(density), rtol=1e-9)


@pytest.mark.parametrize("dof", [0.3, 1.0, 4.0, 100.0, 1e5])
def test_without_noise_it_is_the_t(dof):
    x = np.concatenate([np.zeros((1, 3)), np.logspace(-2, 4, 20)[:, None] * np.ones(3)])
    mixture = Mixture(np.ones(1), np.zeros((1, 3)), 0.5 * np.eye(3)[None], np.array([dof]))
    expected = stats.multivariate_t(np.zeros(3), 0.5 * np.eye(3), dof).logpdf(x)
    found = log_density(Problem(x, None, None, mixture), mixture)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_infinite_dof_is_a_sum_of_gaussians():
    problem = make_problem(Spec(20, 3, 2, "full"))
    mixture = mixture_like(problem, [np.inf, np.inf])
    density = np.zeros(20)
    for row, (x, cov) in enumerate(zip(problem.x, problem.cov)):
        for weight, location, scatter, _ in zip(*mixture):
            density[row] += weight * stats.multivariate_normal(location, scatter + cov).pdf(x)
    np.testing.assert_allclose(log_density(problem, mixture), np.log(density), rtol=1e-10)


def test_mean_does_not_depend_on_the_chunks():
    problem = make_problem(Spec(50, 2, 2))
    mixture = mixture_like(problem, [3.0, 8.0])
    expected = log_density(problem, mixture).mean()
    assert mean_log_likelihood(problem, mixture, chunk=7) == pytest.approx(expected, rel=1e-9)


def test_nonsense_is_judged_as_such():
    problem = make_problem(Spec(10, 2, 2))
    broken = problem.start._replace(locations=np.full((2, 2), np.nan))
    assert np.isnan(judged(problem, broken, 10))
