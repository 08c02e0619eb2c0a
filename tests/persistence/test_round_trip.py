"""A model comes back as it went, to the last bit."""

import json
import pickletools

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from peculiar import RobustMixture
from peculiar.engines import Exact, Structured
from peculiar.errors import MissingNoiseWarning, ModelFileError
from peculiar.model.scatter import DiagScatter
from tests.persistence.helpers import ready_model

FITTED = ("weights_", "locations_", "scatters_", "dofs_", "lower_bounds_")


def table():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 2)) / 3
    X[30:] += np.pi
    return X, rng.uniform(0.1, 0.5, X.shape)


def quick(**settings):
    return RobustMixture(**{"n_components": 2, "tol": 1e-3, "random_state": 0, **settings})


def returned(model, tmp_path):
    model.save(tmp_path / "model.peculiar")
    return RobustMixture.load(tmp_path / "model.peculiar")


def assert_identical(back, model):
    for name in FITTED:
        if hasattr(model, name):
            one, other = getattr(back, name), getattr(model, name)
            assert one.dtype == other.dtype
            assert_array_equal(one, other, strict=True, err_msg=name)
    for name in ("lower_bound_", "n_iter_", "converged_", "n_features_in_"):
        if hasattr(model, name):
            assert getattr(back, name) == getattr(model, name)
            assert type(getattr(back, name)) is type(getattr(model, name))


def test_a_fitted_model(tmp_path):
    X, X_std = table()
    model = quick().fit(X, X_std=X_std)
    back = returned(model, tmp_path)
    assert_identical(back, model)
    assert_array_equal(back.score_samples(X, X_std=X_std), model.score_samples(X, X_std=X_std))
    assert back.get_params() == model.get_params()
    assert_array_equal(back.sample(5)[0], model.sample(5)[0])
    with pytest.warns(MissingNoiseWarning):  # it still knows that there were errors
        back.predict(X)


@pytest.mark.parametrize(
    "settings",
    [
        {"dof": np.inf},
        {"dof": [3.0, np.inf]},
        {"dof": np.array([3.0, 0.1 + 0.2])},
        {"dof": "shared"},
        {"scatter": "diag"},
        {"scatter": DiagScatter()},
        {"engine": "structured"},
        {"engine": Structured()},
        {"engine": Exact(rtol=1e-10)},
        {"weights_init": np.array([0.1, 0.9]), "locations_init": pd.DataFrame([[0, 0], [3, 3]])},
        {"random_state": None, "n_jobs": -1, "verbose": 0, "accelerate": False},
        {"random_state": np.int64(3)},
    ],
    ids=str,
)
def test_settings(tmp_path, settings):
    X, _ = table()
    model = quick(**settings).fit(X)
    back = returned(model, tmp_path)
    assert_identical(back, model)
    for name, value in settings.items():
        stored = getattr(back, name)
        if isinstance(value, str | float | int | bool | None | Exact | Structured | DiagScatter):
            assert stored == value
        else:
            assert_array_equal(stored, np.asarray(value))
    assert back.fit(X).n_iter_ == model.n_iter_  # and it can be fitted again


def test_a_generator_is_no_setting(tmp_path):
    X, _ = table()
    back = returned(quick(random_state=np.random.default_rng(0)).fit(X), tmp_path)
    assert back.random_state is None


def test_a_ready_model(tmp_path):
    model = ready_model()
    back = returned(model, tmp_path)
    assert_identical(back, model)
    assert not hasattr(back, "lower_bound_")
    assert_identical(returned(back, tmp_path), model)


def test_feature_names(tmp_path):
    X, _ = table()
    names = ["inf", "µ_α* [mas/yr]\n"]  # a name that looks like a number, and one that is not ASCII
    model = quick().fit(pd.DataFrame(X, columns=names))
    back = returned(model, tmp_path)
    assert back.feature_names_in_.tolist() == names
    back.predict(pd.DataFrame(X, columns=names))
    with pytest.raises(ValueError, match="unseen at fit time"):
        back.predict(pd.DataFrame(X, columns=["a", "b"]))


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_collapsed_model(tmp_path):
    X, _ = table()
    model = quick().fit(np.column_stack([X, X[:, 0] + X[:, 1], 1e6 * X[:, 1]]))
    assert_identical(returned(model, tmp_path), model)
    fewer_rows_than_features = np.random.default_rng(0).standard_normal((15, 20))
    model = quick(n_components=1, max_iter=30).fit(fewer_rows_than_features)
    assert_identical(returned(model, tmp_path), model)


def test_extreme_numbers(tmp_path):
    tiny, huge = np.nextafter(1e-290, 1), np.nextafter(1e290, 1)
    model = RobustMixture.from_parameters(
        [np.nextafter(0.5, 1), 0.5], [[5e-324], [-1.7e308]], [[[tiny]], [[huge]]], [0.1 + 0.2, 1e6]
    )
    assert_identical(returned(model, tmp_path), model)


def test_a_dead_component(tmp_path):
    model = RobustMixture.from_parameters([1.0, 0.0], [[0.0], [1.0]], np.ones((2, 1, 1)), 3)
    back = returned(model, tmp_path)
    assert_identical(back, model)
    assert np.isfinite(back.score_samples([[0.5]])).all()


def test_the_file_is_plain_text_and_no_pickle(tmp_path):
    path = tmp_path / "model.peculiar"
    ready_model().save(path)
    document = json.loads(path.read_text(encoding="ascii"))
    assert list(document) == ["format", "format_version", "written_by", "sha256", "content"]
    assert document["format"] == "peculiar model"
    assert document["format_version"] == 1
    with pytest.raises(ValueError, match="opcode"):
        list(pickletools.genops(path.read_bytes()))


def test_loading_never_unpickles(tmp_path, monkeypatch):
    path = tmp_path / "model.peculiar"
    ready_model().save(path)

    def forbidden(*_, **__):
        raise AssertionError("unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(f"pickle.{name}", forbidden)
    assert_identical(RobustMixture.load(path), ready_model())


def test_an_engine_of_ones_own_cannot_be_stored(tmp_path):
    class Mine:
        name = "mine"

        def summarise(self):
            """Never called."""

    model = ready_model(engine=Mine())
    with pytest.raises(
        ModelFileError, match=r"^Mine cannot be stored in a model file: <.*Mine object"
    ):
        model.save(tmp_path / "model.peculiar")
    assert list(tmp_path.iterdir()) == []
