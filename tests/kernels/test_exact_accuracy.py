"""The exact engine gives the digits it promises over the whole range it promises them for."""

import numpy as np
import pytest

from peculiar.engines import Exact
from tests.reference.cases import HARD, assert_as_accurate_as_promised, random_case
from tests.reference.scale import mean_inverse_u, scale_moments

N_QUICK, N_SLOW = 12, 1500


def assert_accurate(case):
    assert_as_accurate_as_promised(Exact().scale_moments, scale_moments, case, limit=1e-9)


@pytest.mark.parametrize("case", HARD.values(), ids=HARD.keys())
def test_hard_cases(case):
    assert_accurate(case)


@pytest.mark.parametrize("seed", range(N_QUICK))
def test_random_cases(seed):
    assert_accurate(random_case(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_QUICK, N_QUICK + N_SLOW))
def test_many_random_cases(seed):
    assert_accurate(random_case(seed))


@pytest.mark.parametrize("seed", range(8))
def test_mean_of_the_inverse_scale(seed):
    case = random_case(seed)
    ours, twin = Exact().scale_moments(*case).inverse_u, mean_inverse_u(*case)
    np.testing.assert_allclose(ours, twin, rtol=1e-9, err_msg=str(case))


def test_order_of_features_does_not_matter():
    e, b, dof = HARD["noise from 1e-12 to 1e12"]
    order = np.array([3, 0, 4, 2, 1])
    straight = Exact().scale_moments(e, b, dof)
    shuffled = Exact().scale_moments(e[order], b[order], dof)
    np.testing.assert_allclose(shuffled.log_prob, straight.log_prob, rtol=1e-13)
    np.testing.assert_allclose(shuffled.ut, straight.ut[order], rtol=1e-11)
    np.testing.assert_allclose(shuffled.utt, straight.utt[np.ix_(order, order)], rtol=1e-11)
