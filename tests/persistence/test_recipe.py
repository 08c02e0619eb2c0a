"""How features are made is kept in the model file, and refused if it is not what a recipe can be."""

import numpy as np
import pytest

from peculiar import RobustMixture
from peculiar.catalogue.recipe import Recipe
from peculiar.errors import ModelFileError
from tests.persistence.helpers import ready_model, rewrite

RECIPE = Recipe(
    "a - b, log10(c), size = `d e`",
    errors={"a": "sig_a", "b": ("up", "low"), "c": 0.1},
    no_error=("d e",),
    covariances={("a", "b"): "cov_ab"},
    missing=(-9999.0, "none"),
    zero_errors="exact",
)


@pytest.fixture
def path(tmp_path):
    model = ready_model()
    model.recipe_ = RECIPE
    model.save(tmp_path / "model.peculiar")
    return tmp_path / "model.peculiar"


def test_round_trip(path, tmp_path):
    model = RobustMixture.load(path)
    assert model.recipe_ == RECIPE
    model.save(tmp_path / "again.peculiar")
    assert (tmp_path / "again.peculiar").read_text() == path.read_text()


def test_a_model_without_one(tmp_path):
    ready_model().save(tmp_path / "model.peculiar")
    assert not hasattr(RobustMixture.load(tmp_path / "model.peculiar"), "recipe_")


def test_files_of_before(path):
    rewrite(path, lambda document: document["content"].pop("recipe"))
    assert not hasattr(RobustMixture.load(path), "recipe_")


def test_a_new_fit_forgets_it(path):
    model = RobustMixture.load(path)
    model.fit(np.random.default_rng(0).normal(size=(50, 3)))
    assert not hasattr(model, "recipe_")


@pytest.mark.parametrize(
    "recipe",
    [
        "a - b",
        [],
        3,
        {},
        {"features": 3},
        {"features": None},
        {"features": "a, b"},
        {"features": "a, b, c, d"},
        {"features": "a, b, __import__('os').system('x')"},
        {"features": "a, b, " + "(" * 2000 + "c" + ")" * 2000},
        {"features": "a, b, c" + " " * 200_000},
        {"features": "a, b, c", "__class__": "x"},
        {"features": "a, b, c", "errors": ["a"]},
        {"features": "a, b, c", "errors": {"a": None}},
        {"features": "a, b, c", "errors": {"a": True}},
        {"features": "a, b, c", "errors": {"a": {"b": 1}}},
        {"features": "a, b, c", "errors": {"a": [1, 2]}},
        {"features": "a, b, c", "errors": {"a": 10**400}},
        {"features": "a, b, c", "no_error": "a"},
        {"features": "a, b, c", "no_error": [1]},
        {"features": "a, b, c", "covariances": {"a": "b"}},
        {"features": "a, b, c", "covariances": [["a", "b"]]},
        {"features": "a, b, c", "covariances": [["a", "b", 3]]},
        {"features": "a, b, c", "missing": -9999},
        {"features": "a, b, c", "missing": [[1]]},
        {"features": "a, b, c", "zero_errors": "ignore"},
        {"features": "a, b, c", "zero_errors": ["exact"]},
    ],
    ids=lambda recipe: str(recipe)[:60],
)
def test_hostile_recipes(path, recipe):
    rewrite(path, lambda document: document["content"].update(recipe=recipe))
    with pytest.raises(ModelFileError, match="is no usable RobustMixture: ") as caught:
        RobustMixture.load(path)
    assert len(str(caught.value)) < 1000
