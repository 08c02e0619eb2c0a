"""P-values of ordinary objects are uniform, whatever their errors."""

import numpy as np
import pytest
from scipy.stats import kstest, kstwo

from peculiar import RobustMixture
from peculiar.datasets import load_dr3_quasars
from tests.real_data import needs_data


def least_ks(model, cov, seed, allowed=0.0):
    """The smallest p-value of a Kolmogorov-Smirnov test: of all objects, and of each fifth by size of errors.

    The distance to the uniform law may be so large without being held against it.
    """
    X, _ = model.sample(len(cov), X_cov=cov, random_state=seed)
    p = np.exp(model.tail_probabilities(X, X_cov=cov).log_p)
    size = np.linalg.slogdet(cov)[1]
    fifth = np.searchsorted(np.quantile(size, [0.2, 0.4, 0.6, 0.8]), size)
    parts = [p] + [p[fifth == i] for i in range(5)]
    distances = [kstest(part, "uniform").statistic for part in parts]
    return min(kstwo.sf(max(d - allowed, 0.0), len(q)) for d, q in zip(distances, parts))


def errors(n, d, seed=0):
    """Correlated errors from well below to far above the scatter."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, d, d)) * 10 ** rng.uniform(-1.5, 0.7, (n, 1, 1))
    return root @ np.swapaxes(root, 1, 2)


@pytest.mark.parametrize("dofs", [(15.0, 40.0, np.inf), (3.0, 5.0, 8.0)])
def test_a_small_catalogue(dofs):
    model = RobustMixture.from_parameters(
        [0.5, 0.3, 0.2],
        [[0.0, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0, 4.0, 2.0]],
        [np.eye(3), np.diag([0.5, 2.0, 0.3]), 0.4 * np.eye(3) + 0.5],
        dofs,
    )
    assert least_ks(model, errors(1500, 3), seed=1) > 0.01


def test_p_values_that_ignore_the_errors_are_not_uniform():
    """The negative control: the test above can fail."""
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0]], [np.eye(2)], np.inf)
    cov = errors(1500, 2)
    X, _ = model.sample(len(cov), X_cov=cov, random_state=1)
    wrong = np.exp(model.tail_probabilities(X).log_p)
    assert kstest(wrong, "uniform").pvalue < 1e-6


@pytest.fixture(scope="module")
def quasars():
    """Three components fitted to the quasars' colours, without the wild tail, and the covariances of their errors."""
    catalogue = load_dr3_quasars()
    model = RobustMixture(3, wild_fraction="estimate", random_state=0)
    return model.fit(catalogue.X, X_cov=catalogue.X_cov).ordinary_part(), catalogue.X_cov


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("seed", range(5))
def test_with_the_errors_of_the_quasars(quasars, seed):
    """So many rows show that few rays make p-values near 0.5 too large, by 0.005 on average; small ones are not."""
    assert least_ks(*quasars, seed, allowed=0.005) > 0.01
