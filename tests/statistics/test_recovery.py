"""Do the estimates come out where the truth is?"""

import numpy as np
import pytest

from peculiar import RobustMixture

WEIGHTS = np.array([0.5, 0.3, 0.2])
LOCATIONS = np.array([[0.0, 0.0], [6.0, 1.0], [1.0, 7.0]])
SCATTERS = np.array(
    [[[1.0, 0.5], [0.5, 1.0]], [[1.0, -0.3], [-0.3, 0.8]], [[0.6, 0.0], [0.0, 1.2]]]
)
DOFS = np.array([4.0, 6.0, 8.0])
N_SEEDS = 20


@pytest.mark.slow
def test_parameters_are_recovered_with_noise_as_large_as_the_scatter():
    """Mean over 20 catalogues within three standard errors of the truth, for every parameter."""
    truth = RobustMixture.from_parameters(WEIGHTS, LOCATIONS, SCATTERS, DOFS)
    found = []
    for seed in range(N_SEEDS):
        rng = np.random.default_rng(seed)
        std = rng.uniform(0.5, 1.5, (4000, 2))
        X, _ = truth.sample(len(std), X_std=std, random_state=seed)
        model = RobustMixture(3, random_state=seed, n_jobs=-1).fit(X, X_std=std)
        order = [int(np.argmin(np.abs(model.locations_ - mu).sum(axis=1))) for mu in LOCATIONS]
        assert sorted(order) == [0, 1, 2]
        found.append(
            np.concatenate(
                [
                    model.weights_[order],
                    model.locations_[order].ravel(),
                    model.scatters_[order].ravel(),
                    1 / model.dofs_[order],  # 1/dof: its sampling distribution is far less skew
                ]
            )
        )
    expected = np.concatenate([WEIGHTS, LOCATIONS.ravel(), SCATTERS.ravel(), 1 / DOFS])
    error = np.std(found, axis=0, ddof=1) / np.sqrt(N_SEEDS)
    z = (np.mean(found, axis=0) - expected) / error
    assert np.abs(z).max() < 3.0, z.round(2)


@pytest.mark.slow
def test_ignoring_the_errors_is_noticed():
    """Negative control: fitted without its errors, the same data give scatters that are far too large."""
    truth = RobustMixture.from_parameters(WEIGHTS, LOCATIONS, SCATTERS, DOFS)
    std = np.random.default_rng(0).uniform(0.5, 1.5, (4000, 2))
    X, _ = truth.sample(len(std), X_std=std, random_state=0)
    model = RobustMixture(3, random_state=0).fit(X)
    first = int(np.argmin(np.abs(model.locations_ - LOCATIONS[0]).sum(axis=1)))
    assert np.trace(model.scatters_[first]) > 1.5 * np.trace(SCATTERS[0])
