"""The law of u with a wild part: its nodes, its draws, and what the sums say of it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import kstest

from peculiar.kernels.structs import N_WILD
from peculiar.model.dofs import LEAST_DOF
from peculiar.model.prior import EstimatedDofs, FixedDofs, Scale, SharedDof, WithWild
from peculiar.model.prior.wild import LEAST_FRACTION, LEAST_ORDINARY_DOF, wild_nodes
from peculiar.model.stats import SufficientStats
from tests.reference.wild import legendre

PRIORS = [EstimatedDofs(), SharedDof(), FixedDofs((4.0,)), FixedDofs((np.inf,))]


def some_stats(n_wild=(3.0, 1.0)):
    """Sums of two components."""
    n = np.array([60.0, 40.0])
    return SufficientStats(
        n,
        np.array([55.0, 39.0]),
        np.array([-9.0, -3.0]),
        np.zeros((2, 1)),
        np.ones((2, 1, 1)),
        np.array(n_wild),
        np.array([0.05, 0.02]),
        -100.0,
    )


def test_nodes_are_those_of_gauss_and_legendre():
    u, probability = wild_nodes()
    theirs = legendre(N_WILD)
    assert_allclose(u, theirs.u, rtol=1e-12)
    assert_allclose(probability, theirs.probability, rtol=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_a_wild_part_is_one_parameter_more(prior):
    for n in (1, 3):
        assert WithWild(prior).n_parameters(n) == prior.n_parameters(n) + 1
        assert WithWild(prior, 0.1, is_estimated=False).n_parameters(n) == prior.n_parameters(n)
        assert WithWild(prior).n_dofs(n) == prior.n_dofs(n)


def test_the_fraction_is_the_mean_probability_of_the_wild_part():
    old = Scale(np.array([20.0, 30.0]), 0.2)
    new = WithWild(EstimatedDofs()).update(some_stats(), old)
    assert new.wild_fraction == pytest.approx(4.0 / 100.0)
    known = WithWild(EstimatedDofs(), 0.2, is_estimated=False).update(some_stats(), old)
    assert known.wild_fraction == 0.2


def test_an_estimated_fraction_never_vanishes():
    new = WithWild(EstimatedDofs()).update(some_stats((0.0, 0.0)), Scale(np.full(2, 20.0), 0.2))
    assert new.wild_fraction == LEAST_FRACTION


@pytest.mark.parametrize("prior", PRIORS[:2])
def test_estimated_dofs_stay_above_the_wild_range(prior):
    heavy = some_stats()
    alone = prior.update(heavy, Scale(np.full(2, 20.0))).dofs
    assert ((alone > LEAST_DOF) & (alone < LEAST_ORDINARY_DOF)).all()
    both = WithWild(prior).update(heavy, Scale(np.full(2, 20.0), 0.1)).dofs
    assert_allclose(both, LEAST_ORDINARY_DOF)
    assert (WithWild(prior).start(2).dofs >= LEAST_ORDINARY_DOF).all()


def test_known_dofs_are_kept():
    prior = WithWild(FixedDofs((2.0, 3.0)))
    assert prior.start(2).dofs.tolist() == [2.0, 3.0]
    assert prior.update(some_stats(), prior.start(2)).dofs.tolist() == [2.0, 3.0]


def test_draws_follow_the_law():
    rng = np.random.default_rng(0)
    labels = np.zeros(20_000, dtype=int)
    u = WithWild(FixedDofs((np.inf,))).draw(rng, Scale(np.array([np.inf]), 0.3), labels)
    wild = u[u < 1.0]
    assert abs(len(wild) / len(u) - 0.3) < 4 * np.sqrt(0.21 / len(u))
    assert kstest(np.log(wild), "uniform", (np.log(1e-4), np.log(1e3))).pvalue > 0.01
    assert (u[u >= 0.1] == 1.0).all()
