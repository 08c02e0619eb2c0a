"""Pictures without a screen, closed after each test; and one fitted detector for all."""

import matplotlib as mpl
import numpy as np
import pytest

from peculiar import OutlierDetector

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed():
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.fixture(scope="package")
def sky():
    """200 ordinary objects, and two that are not."""
    rng = np.random.default_rng(3)
    errors = rng.uniform(0.1, 0.8, size=(202, 2))
    X = rng.normal(size=(202, 2)) + errors * rng.normal(size=(202, 2))
    X[:2], errors[:2] = [[9.0, 0.0], [0.0, -8.0]], [[0.2, 0.4], [0.3, 0.1]]
    X[5, 1] = np.nan
    return {"X": X, "X_std": errors}


@pytest.fixture(scope="package")
def detector(sky):
    return OutlierDetector(1, random_state=0).fit(**sky)
