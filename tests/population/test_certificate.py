"""The bound for all thresholds at once, against catalogues in which the truth is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.errors import SettingError
from peculiar.outliers import Discoveries
from peculiar.population.certificate import certificate, certificates, multiplier
from peculiar.population.discoveries import by_p_values

ALPHA = 0.1


def is_ever_exceeded(p, is_false, bound):
    """Whether the share of false ones is above the bound at the threshold of any object."""
    order = np.argsort(p)
    share = np.cumsum(is_false[order]) / np.arange(1, len(p) + 1)
    return bool((share > bound[order] + 1e-12).any())


def how_often(n_catalogues, n=500, n_strange=0, seed=0):
    """How often the certificate, and the plain estimate n t / R, are exceeded somewhere along the list."""
    rng, failed = np.random.default_rng(seed), np.zeros(2)
    for _ in range(n_catalogues):
        p = rng.uniform(size=n)
        p[:n_strange] *= 1e-3
        is_false = np.arange(n) >= n_strange
        plain = np.minimum(n * p / (np.argsort(np.argsort(p)) + 1), 1.0)
        bounds = certificates(np.log(p), alpha=ALPHA), plain
        failed += [is_ever_exceeded(p, is_false, bound) for bound in bounds]
    return failed / n_catalogues


def test_it_is_the_formula():
    assert_allclose(certificate(1000, 0.001, 30), 1.9273 * 2.0 / 30, rtol=1e-4)
    assert_allclose(certificate(1000, [0.0, 1.0], [0, 1000]), 1.0)


def test_it_is_the_same_along_a_list_and_at_one_threshold():
    p = np.random.default_rng(3).uniform(size=200) ** 3
    along = certificates(np.log(p))
    for i in (0, 7, 150):
        assert_allclose(along[i], certificate(200, p[i], np.count_nonzero(p <= p[i])))


def test_a_p_value_too_small_for_a_float_counts():
    log_p = np.concatenate([np.full(100, -2000.0), np.log(np.linspace(0.1, 1.0, 900))])
    assert_allclose(certificates(log_p)[0], multiplier() / 100)


def test_the_plain_estimate_fails_far_more_often():
    certified, plain = how_often(300)
    assert certified < ALPHA + 3 * np.sqrt(0.09 / 300)
    assert plain > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("n_strange", [0, 50])
def test_it_holds_in_all_but_a_share_alpha_of_catalogues(n_strange):
    certified, plain = how_often(6000, n_strange=n_strange, seed=1)
    assert 0.02 < certified < ALPHA  # valid, and not by being empty
    assert plain > 5 * certified


def test_discoveries_know_their_certificate():
    p = np.concatenate([np.full(40, 1e-6), np.linspace(0.02, 1.0, 960)])
    found = Discoveries(*by_p_values(p, 0.05))
    assert found.mask.sum() == 40
    assert found.certificate() == pytest.approx(multiplier() * 1.001 / 40)
    assert found.certificate(alpha=0.01) > found.certificate()
    assert Discoveries(*by_p_values(p[40:], 0.05)).certificate() == 1.0


def test_outlier_probabilities_have_none():
    found = Discoveries(np.array([True, False]), 0.9, np.array([0.1, 0.9]), "bayes")
    with pytest.raises(SettingError, match="method='bh'"):
        found.certificate()


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, float("nan")])
def test_alpha_is_a_probability(alpha):
    with pytest.raises(SettingError, match="give a number between 0 and 1"):
        multiplier(alpha)
