"""Is the true number of components found, from whatever number the search may start?"""

import numpy as np
import pytest

from peculiar import RobustMixture
from tests.selection.helpers import separated

SEEDS = range(30)


def found(n_components, seed, max_components, **settings):
    """What "mml" finds in t's (even seeds) or Gaussians (odd ones), in two dimensions or (every third seed) three."""
    X, X_std = separated(
        n_components,
        seed,
        dof=np.inf if seed % 2 else 5.0,
        n_features=3 if seed % 3 == 0 else 2,
    )
    model = RobustMixture(
        "mml", max_components=max_components, random_state=seed, tol=1e-3, **settings
    )
    return model.fit(X, X_std=X_std).n_components_


@pytest.mark.parametrize(("n_components", "seed"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_a_few(n_components, seed):
    assert found(n_components, seed, 20) == n_components


@pytest.mark.slow
@pytest.mark.parametrize("max_components", ["K", 10, 20])
@pytest.mark.parametrize("n_components", range(1, 7))
def test_nine_in_ten_of_thirty(n_components, max_components, record_property):
    most = n_components if max_components == "K" else max_components
    numbers = [found(n_components, seed, most) for seed in SEEDS]
    share = float(np.mean(np.array(numbers) == n_components))
    record_property("share", float(share))
    assert share >= 0.9, numbers


@pytest.mark.slow
def test_groups_of_very_different_size():
    """Twenty rows in a group, and 400: the weakest component is not the lightest one."""
    for seed in range(5):
        large = separated(2, seed, sizes=(400, 400), dof=5.0)
        small = (np.random.default_rng(seed).normal(100.0, 1.0, (20, 2)), np.full((20, 2), 0.3))
        X, X_std = (np.concatenate(pair) for pair in zip(large, small, strict=True))
        for most in (3, 20):
            model = RobustMixture("mml", max_components=most, random_state=seed, tol=1e-3)
            assert model.fit(X, X_std=X_std).n_components_ == 3
