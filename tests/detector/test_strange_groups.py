"""Strange groups of an OutlierDetector, and what its answers have to do with them."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from peculiar import OutlierDetector, RobustMixture
from peculiar.datasets import make_colours
from peculiar.errors import SettingError


@pytest.fixture(scope="module")
def grouped():
    """Two ordinary clusters, and a diffuse group."""
    rng = np.random.default_rng(0)
    clean = np.vstack(
        [
            rng.standard_normal((400, 2)),
            rng.standard_normal((300, 2)) + 3.0,
            4.0 * rng.standard_normal((80, 2)) + [12.0, -8.0],
        ]
    )
    std = rng.uniform(0.1, 0.6, clean.shape)
    table = pd.DataFrame(clean + std * rng.standard_normal(clean.shape), columns=["u", "v"])
    return table, std, np.arange(len(clean)) >= 700


def test_a_diffuse_group_is_strange(grouped):
    table, std, is_strange = grouped
    one = OutlierDetector(3, random_state=0).fit(table, X_std=std)
    assert sorted(one.groups_["group"]) == ["", "", "A"]
    (line,) = one.groups_[one.groups_["group"] == "A"]
    assert line["n_objects"] == pytest.approx(80, abs=10)
    assert line["z"] < -2
    assert line["p_value"] < 1e-3
    assert {line["feature_1"], line["feature_2"]} == {"u", "v"}
    found = one.discoveries(table, X_std=std).mask
    assert found[is_strange].mean() > 0.9
    assert found[~is_strange].mean() < 0.02
    assert one.outlier_probability(table, X_std=std)[is_strange].mean() > 0.9
    everybody = OutlierDetector(3, rarity=math.inf, random_state=0).fit(table, X_std=std)
    assert everybody.groups_["is_ordinary"].all()
    assert everybody.discoveries(table, X_std=std).mask[is_strange].mean() < 0.2


@pytest.mark.parametrize("width", [0.3, 1.0])
def test_a_dense_group_of_a_few_per_cent_leads_the_list(width):
    """With nothing set. As ordinary objects its members would be the last: they are where the table is densest."""
    rng = np.random.default_rng(1)
    clean = np.vstack(
        [rng.standard_normal((940, 3)), width * rng.standard_normal((60, 3)) + [7.0, 0.0, 0.0]]
    )
    std = rng.uniform(0.1, 0.5, clean.shape)
    X, is_strange = clean + std * rng.standard_normal(clean.shape), np.arange(1000) >= 940
    one = OutlierDetector(random_state=0).fit(X, X_std=std)
    (line,) = one.groups_[one.groups_["group"] == "A"]
    assert line["n_objects"] == pytest.approx(60, abs=5)
    first = np.argsort(one.p_values(X, X_std=std))[:60]
    assert is_strange[first].mean() > 0.9


def test_a_population_of_more_than_a_tenth_that_meets_others_is_ordinary():
    """The smallest of the demo has 15 %. For a tenth of all objects it would need two thirds of itself."""
    sky = make_colours(random_state=0)
    one = OutlierDetector(3, random_state=0).fit(sky.X, X_cov=sky.X_cov)
    assert one.groups_["is_ordinary"].all()


def test_groups_are_saved_with_the_model(grouped, tmp_path):
    table, std, _ = grouped
    one = OutlierDetector(3, random_state=0).fit(table, X_std=std)
    one.mixture_.save(tmp_path / "model.peculiar")
    mixture = RobustMixture.load(tmp_path / "model.peculiar")
    assert_array_equal(mixture.groups_, one.groups_)
    again = OutlierDetector.from_mixture(mixture)
    assert_array_equal(again.p_values(table, X_std=std), one.p_values(table, X_std=std))
    mixture.fit(table, X_std=std)
    assert not hasattr(mixture, "groups_")  # of another fit


def test_groups_of_a_fitted_mixture_are_looked_for_in_the_rows_given(grouped):
    table, std, _ = grouped
    mixture = RobustMixture(3, wild_fraction="estimate", random_state=0).fit(table, X_std=std)
    one = OutlierDetector.from_mixture(mixture, table, X_std=std)
    assert sorted(one.groups_["group"]) == ["", "", "A"]
    assert not hasattr(mixture, "groups_")  # it is used as it is
    assert not hasattr(OutlierDetector.from_mixture(mixture), "groups_")


def test_a_rarity_that_would_change_nothing_is_refused(grouped):
    table, std, _ = grouped
    mixture = OutlierDetector(3, random_state=0).fit(table, X_std=std).mixture_
    with pytest.raises(SettingError, match=r"rarity would change nothing; delete its groups_"):
        OutlierDetector.from_mixture(mixture, table, X_std=std, rarity=math.inf)
    del mixture.groups_
    one = OutlierDetector.from_mixture(mixture, table, X_std=std, rarity=math.inf)
    assert one.groups_["is_ordinary"].all()
