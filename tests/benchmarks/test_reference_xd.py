"""The yardstick is extreme deconvolution: plain loops give the same step, and it climbs."""

import numpy as np

from benchmarks.contenders.numpy_xd import fit
from benchmarks.problems import Mixture, Spec, make_problem, noise_cov
from benchmarks.reference_loglik import mean_log_likelihood
from benchmarks.reference_xd import GaussianMixture, xd_iteration
from tests.reference.xd import Gaussians, xd_step


def test_one_step_agrees_with_plain_loops():
    problem = make_problem(Spec(60, 3, 2, "full"))
    start = problem.start
    expected = xd_step(Gaussians(*start[:3]), problem.x, noise_cov(problem))
    found, _ = xd_iteration(problem.x, noise_cov(problem), GaussianMixture(*start[:3]), chunk=16)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10)


def test_its_log_likelihood_is_the_reference_one():
    problem = make_problem(Spec(60, 3, 2))
    start = problem.start
    gaussian = Mixture(*start[:3], np.full(2, np.inf))
    _, found = xd_iteration(problem.x, noise_cov(problem), GaussianMixture(*start[:3]))
    np.testing.assert_allclose(found, mean_log_likelihood(problem, gaussian), rtol=1e-12)


def test_more_iterations_climb():
    problem = make_problem(Spec(200, 2, 2))
    reached = [mean_log_likelihood(problem, fit(problem, n)) for n in (1, 2, 4, 8)]
    assert np.all(np.diff(reached) > 0.0)
