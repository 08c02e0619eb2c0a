"""Nothing of the caller's is modified, and no layout in memory is refused."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.messages.helpers import good_table, mixture

METHODS = ("score_samples", "predict", "predict_proba", "robust_weights", "predict_latent")


def use(X, **errors):
    """Everything that takes data, once."""
    weights = np.linspace(1.0, 2.0, len(X))
    model = mixture(2, max_iter=200).fit(X, sample_weight=weights, **errors)
    for method in METHODS:
        getattr(model, method)(X, **errors)
    return model


@pytest.mark.parametrize("kind", ["none", "X_std", "X_cov"])
def test_arrays_stay_as_they_are(kind):
    X, X_std, X_cov = good_table()
    X[3, 1] = np.nan
    X[5] = np.nan
    X_std[7, 0] = np.inf
    X_std[3, 1] = -1.0
    X_cov[7, 0, 0] = np.inf
    errors = {"none": {}, "X_std": {"X_std": X_std}, "X_cov": {"X_cov": X_cov}}[kind]
    arrays = [X, *errors.values()]
    before = [array.copy() for array in arrays]
    use(X, **errors)
    for array, copy in zip(arrays, before):
        assert_array_equal(array, copy)


def test_starts_stay_as_they_are():
    X, *_ = good_table()
    starts = {
        "weights_init": np.array([0.3, 0.7]),
        "locations_init": np.array([[0, 0, 0], [1, 1, 1]]),
        "scatters_init": np.array([np.eye(3), 2 * np.eye(3)]),
        "dofs_init": np.array([3.0, 5.0]),
    }
    before = {name: array.copy() for name, array in starts.items()}
    model = mixture(2, max_iter=300, **starts).fit(X)
    for name, array in starts.items():
        assert_array_equal(array, before[name])
        assert getattr(model, name) is array
    model.locations_[:] = 0.0
    assert_array_equal(starts["locations_init"], before["locations_init"])


@pytest.fixture
def expected():
    return use(good_table()[0])


def assert_same(model, expected):
    assert_array_equal(model.locations_, expected.locations_)
    assert_array_equal(model.scatters_, expected.scatters_)


def test_read_only_arrays(expected):
    X, *_ = good_table()
    X.setflags(write=False)
    assert_same(use(X), expected)


def test_memory_maps(tmp_path, expected):
    np.save(tmp_path / "X.npy", good_table()[0])
    assert_same(use(np.load(tmp_path / "X.npy", mmap_mode="r")), expected)


def test_strides(expected):
    X, *_ = good_table()
    wide = np.zeros((60, 6))
    wide[::2, ::2] = X
    assert_same(use(wide[::2, ::2]), expected)
    assert_same(use(np.asfortranarray(X)), expected)
    assert_same(use(X[::-1][::-1]), expected)
    assert_same(use(X.astype(">f8")), expected)


def test_errors_in_other_layouts():
    X, X_std, X_cov = good_table()
    one = mixture().fit(X, X_std=X_std)
    assert_same(mixture().fit(X, X_std=np.asfortranarray(X_std)), one)
    single = X_std.astype(np.float32)
    assert_same(mixture().fit(X, X_std=single), mixture().fit(X, X_std=single.astype(float)))
    two = mixture().fit(X, X_cov=X_cov)
    assert_same(mixture().fit(X, X_cov=X_cov.transpose(2, 1, 0).copy().transpose(2, 1, 0)), two)
    whole = np.ones(X.shape, dtype=int)
    assert_same(mixture().fit(X, X_std=whole), mixture().fit(X, X_std=whole.astype(float)))
