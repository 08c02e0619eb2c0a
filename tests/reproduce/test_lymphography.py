"""Figure 5: curves and areas belong together."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.datasets import load_lymphography
from peculiar.errors import SettingError
from peculiar.reproduce import find_claims
from peculiar.reproduce.lymphography import split_rows
from tests.real_data import needs_data

pytestmark = needs_data


def test_curves_end_at_one_and_have_the_areas_below_them(run):
    numbers = run("lymphography")[0].numbers
    for methods in numbers["samples"].values():
        for result in methods.values():
            curve = result["true_positive_rate"]
            assert curve[-1] == 1.0
            assert np.diff(curve).min() >= -1e-12
            assert curve.mean() == pytest.approx(result["mean"], abs=0.02)


def test_the_paper_numbers_are_beside_ours(run):
    numbers = run("lymphography")[0].numbers
    comparisons = find_claims("lymphography")(numbers)
    expected = ["0.9391", "0.9005", "0.9555", "+0.0164, p = 0.39", "+0.0550, p = 9.6e-05"]
    assert [c.paper for c in comparisons[:5]] == expected
    fitted = numbers["samples"]["in-sample"]
    assert comparisons[0].here.startswith(f"{fitted['idealised']['mean']:.4f}")


def test_rows_are_split_as_in_the_paper():
    data = load_lymphography()
    splits = [split_rows(data, 93, np.random.default_rng(seed)) for seed in range(3)]
    for train, new in splits:
        assert (len(train), len(new)) == (93, 55)
        assert_array_equal(np.sort(np.concatenate([train, new])), np.arange(148))
        assert (data.is_outlier[train].sum(), data.is_outlier[new].sum()) == (4, 2)
    assert set(splits[0][0]) != set(splits[1][0])
    for n_train in (0, 3, 147, 148):
        with pytest.raises(SettingError, match=f"n_train={n_train} of 148 rows leaves"):
            split_rows(data, n_train, np.random.default_rng(0))
