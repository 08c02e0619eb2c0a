"""A small list with everything in it, made without a fit: the model is known."""

from typing import NamedTuple

import numpy as np

from peculiar import RobustMixture
from peculiar.catalogue import as_table
from peculiar.catalogue.recipe import Recipe
from peculiar.report import describe_run, rank, ranked_table

FEATURES = "u - r, g - r"
N = 400


class Made(NamedTuple):
    table: object
    ranked: object
    model: object
    recipe: object


def make_catalogue(n=N, seed=3):
    """Stars of one population with errors, a clump of eight strange ones, and some far away."""
    rng = np.random.default_rng(seed)
    clean = rng.multivariate_normal([1.0, 0.5], [[0.09, 0.03], [0.03, 0.04]], size=n)
    clean[:8] = rng.normal([3.0, 2.0], 0.05, size=(8, 2))
    clean[8:12] = [[-2.0, 1.0], [1.0, 3.0], [4.0, -1.0], [-1.0, -2.0]]
    error = rng.uniform(0.02, 0.3, size=(n, 3))
    r = rng.normal(18.0, 0.5, size=n)
    noise = rng.normal(size=(n, 3)) * error
    magnitudes = np.column_stack([clean[:, 0] + r, clean[:, 1] + r, r]) + noise
    columns = {"name": [f"star {i}" for i in range(n)], "ra": rng.uniform(0, 360, n)}
    columns["dec"] = rng.uniform(-90, 90, n)
    for j, band in enumerate("ugr"):
        columns |= {band: magnitudes[:, j], f"{band}_err": error[:, j]}
    columns["u"][50] = -9999.0
    columns["kind"] = ["ordinary"] * n
    return columns


def known_model(recipe):
    model = RobustMixture.from_parameters(
        [0.98, 0.02],
        [[1.0, 0.5], [3.0, 2.0]],
        [[[0.09, 0.03], [0.03, 0.04]], [[0.01, 0.0], [0.0, 0.01]]],
        [30.0, 30.0],
        0.01,
    )
    model.recipe_ = recipe
    return model


def make_ranked(columns, recipe=None, **by):
    from peculiar.estimators.judging import tell_groups
    from peculiar.estimators.rows import observe

    recipe = recipe or Recipe(FEATURES, missing=(-9999.0,))
    table = as_table(columns)
    measured = recipe.measure(table)
    model = known_model(recipe)
    _, obs = observe(model, **measured.arguments())
    model.groups_ = tell_groups(model, obs, 2.0, recipe.names)
    by = {"fdr": 0.05, "method": "bh"} | by
    candidates = rank(model, measured, **by)
    about = describe_run("peculiar rank ...", "stars.csv", "known", candidates, recipe, **by)
    return Made(table, ranked_table(table, candidates, about), model, recipe)
