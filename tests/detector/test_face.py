"""How an OutlierDetector is set up, and what it warns about."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import OutlierDetector, RobustMixture
from peculiar.errors import NoWildTailWarning, PiledUpWarning, SettingError


def test_settings_of_the_mixture_may_be_given_directly(sky, fitted):
    one = OutlierDetector(3, random_state=0).fit(**sky.measured)
    assert_allclose(one.p_values(**sky.measured), fitted.p_values(**sky.measured), atol=0.01)
    settings = {"scatter": "diag", "wild_fraction": 0.05, "engine": "exact", "n_init": 2}
    other = OutlierDetector(2, **settings).fit(**sky.measured).mixture_
    assert other.n_components == 2
    assert {name: getattr(other, name) for name in settings} == settings


def test_a_mixture_in_the_first_place_is_a_thing_of_the_past(sky, fitted):
    mixture = RobustMixture(3, wild_fraction="estimate", random_state=0)
    with pytest.warns(FutureWarning, match="give it as mixture="):
        one = OutlierDetector(mixture).fit(**sky.measured)
    assert_array_equal(one.p_values(**sky.measured), fitted.p_values(**sky.measured))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 2}, "n_components=2 is given beside mixture="),
        ({"scatter": "diag"}, "scatter='diag' is given beside mixture="),
        ({"wild_fraction": 0.1}, "wild_fraction=0.1 is given beside mixture="),
    ],
)
def test_both_is_an_error(sky, settings, message):
    with pytest.raises(SettingError, match=message):
        OutlierDetector(mixture=RobustMixture(1), **settings).fit(**sky.measured)


def test_two_mixtures_are_an_error(sky):
    two = OutlierDetector(RobustMixture(1), mixture=RobustMixture(1))
    with pytest.warns(FutureWarning), pytest.raises(SettingError, match="two mixtures are given"):
        two.fit(**sky.measured)


def test_a_fit_without_a_wild_tail_warns(sky):
    with pytest.warns(NoWildTailWarning, match=r"no wild tail.*wild_fraction='estimate'"):
        OutlierDetector(3, wild_fraction=0.0).fit(**sky.measured)
    OutlierDetector(3, wild_fraction=0.0, contamination=0.1).fit(**sky.measured)


@pytest.mark.parametrize("rarity", [-1.0, math.nan, "2", None])
def test_rarities_that_cannot_be(sky, rarity):
    with pytest.raises(SettingError, match="rarity must be a number from 0 on, or inf, not"):
        OutlierDetector(2, rarity=rarity).fit(**sky.measured)


def test_values_piled_up_at_a_bound_are_named():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(0.5, 0.3, (400, 2)), columns=["index", "size"])
    table["index"] = table["index"].clip(upper=1.0)
    count = int((table["index"] == 1.0).sum())
    with pytest.warns(PiledUpWarning, match=f"index is 1 in {count} rows") as heard:
        OutlierDetector(1).fit(table)
    assert "size" not in str(heard[0].message)
    whole_numbers = pd.DataFrame(rng.integers(0, 9, (400, 2)).astype(float))
    OutlierDetector(1).fit(whole_numbers)  # nothing to say: all values repeat
