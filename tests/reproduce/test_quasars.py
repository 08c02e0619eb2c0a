"""Figure 6: e is not robust, the tail probability is."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.reproduce.claims.quasars import at_high_redshift
from peculiar.reproduce.quasars import FEW, THRESHOLDS, _thresholds
from tests.real_data import needs_data

pytestmark = needs_data


def test_e_is_not_robust_in_the_number_of_components(run):
    numbers = run("quasars")[0].numbers
    for score in ("structured", "exact"):
        e = at_high_redshift(numbers, "diagonal", score)
        assert e[1].min() > 0.9
        assert e[2].max() < 0.8
    tail = at_high_redshift(numbers, "full", "tail")
    assert min(values.min() for values in tail.values()) > 0.88


def test_strange_groups_are_judged_beside_all_components(run):
    numbers = run("quasars")[0].numbers
    everybody, groups = (
        at_high_redshift(numbers, "full", name, "ap") for name in ("tail", "groups")
    )
    assert_array_equal(groups[1], everybody[1])  # one component is ordinary
    assert groups[2].mean() > everybody[2].mean()


def test_trivial_scores_are_shown(run):
    baselines = run("quasars")[0].numbers["baselines"]["auc"]
    where = int(np.argmin(np.abs(run("quasars")[0].numbers["thresholds"] - 2.5)))
    assert THRESHOLDS[where] == pytest.approx(2.5)
    assert baselines["u-r"][where] > 0.95
    assert baselines["u_err"][where] > 0.85


def test_thresholds_with_nobody_beyond_are_left_out(run):
    redshift = np.concatenate([np.full(50, 0.5), np.full(FEW, 2.04), np.full(FEW - 1, 4.04)])
    kept = _thresholds(redshift)
    assert kept.min() == pytest.approx(1.0)
    assert kept.max() == pytest.approx(2.0)
    numbers = run("quasars")[0].numbers
    assert numbers["n_above"].min() >= FEW
    assert len(numbers["thresholds"]) < len(THRESHOLDS)
