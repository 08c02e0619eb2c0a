"""Strange groups on the command line: the sentence, the table, the column, and a list that takes them in turns."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar import read, validation
from peculiar.catalogue import write
from peculiar.cli.options import RARITY
from peculiar.cli.show_groups import headline
from peculiar.population import groups
from peculiar.population.calibration import count_small
from peculiar.report.candidates import Candidates, Totals, in_turns

OPTIONS = ("--features", "u, v", "-k", "3", "--jobs", "1", "--tol", "1e-4")


@pytest.fixture(scope="module")
def clumpy(tmp_path_factory):
    """Two ordinary clusters, a diffuse group, and a few that are far from everything."""
    rng = np.random.default_rng(0)
    clean = np.vstack(
        [
            rng.standard_normal((300, 2)),
            rng.standard_normal((200, 2)) + 3.0,
            3.0 * rng.standard_normal((60, 2)) + [12.0, -8.0],
            [[80.0, 90.0], [-60.0, 40.0], [50.0, -70.0]],
        ]
    )
    std = rng.uniform(0.1, 0.6, clean.shape)
    seen = clean + std * rng.standard_normal(clean.shape)
    path = tmp_path_factory.mktemp("groups") / "clumpy.csv"
    columns = {"u": seen[:, 0], "v": seen[:, 1], "u_err": std[:, 0], "v_err": std[:, 1]}
    write({**columns, "kind": np.repeat([0, 1, 2, 3], [300, 200, 60, 3])}, path)
    return path


def test_groups_are_named_before_the_list(peculiar, clumpy, tmp_path):
    done = peculiar("rank", clumpy, *OPTIONS, "--out", tmp_path / "ranked.fits")
    assert done.code == 0, done.err
    ranked = read(tmp_path / "ranked.fits")
    group = np.array([str(letter).strip() for letter in ranked["group"]])
    n = (group == "A").sum()
    assert n == pytest.approx(60, abs=8)
    assert f"1 strange group: A, {n} objects ({100 * n / 563:.2g} %), " in done.out
    assert done.out.index("1 strange group") < done.out.index("are discoveries")
    assert (ranked["kind"][group == "A"] == 2).mean() > 0.9
    assert "expected if all were ordinary" in done.out


def test_groups_alone(peculiar, clumpy):
    done = peculiar("rank", clumpy, *OPTIONS, "--groups")
    assert done.code == 0, done.err
    assert "tolerance" not in done.out
    line = next(line for line in done.out.splitlines() if " A " in line and "%" in line)
    assert "high" in line or "low" in line
    assert done.out.count("ordinary ") >= 2
    assert "expected objects" in next(line for line in done.out.splitlines() if " z " in line)
    assert "expected objects: its share of all." in done.out


@pytest.mark.parametrize(
    ("sides", "n_more", "said"),
    [
        (["high", "high", "high", "low"], 0, "u high or low"),
        (["high", "high", "high", "high", "low"], 0, "u high"),
        (["low", "low"], 0, "u low"),
        ([], 0, "u low"),  # other features betray its members
        (["high", "high"], 1, "u low"),  # the rest of the list is not at hand
    ],
)
def test_the_side_of_a_group_is_that_of_nearly_all_its_members(sides, n_more, said):
    n = len(sides) + 3
    group = np.zeros(1, groups.GROUPS)
    group["group"], group["feature_1"], group["side_1"] = "A", "u", "low"
    verdict = {
        "rank": np.arange(n) + 1,
        "group": np.array(["A"] * (n - 1) + [""], dtype=object),
        "main_feature": np.array(["u"] * len(sides) + ["v", "v", "u"], dtype=object),
        "main_side": np.array([*sides, "low", "low", "low"], dtype=object),
    }
    totals = Totals(n + n_more, 0, count_small(np.zeros(1)), {"A": n - 1 + n_more})
    line = headline(Candidates(np.arange(n), verdict, {}, None, totals, group))
    assert line.endswith(f" %), {said}.\n")


def test_rarity_inf_takes_all_for_ordinary(peculiar, clumpy):
    done = peculiar("rank", clumpy, *OPTIONS, "--rarity", "inf", "--json")
    found = json.loads(done.out)
    assert all(line["is_ordinary"] for line in found["groups"])
    assert {entry["group"] for entry in found["candidates"]} == {""}
    assert [line["p"] for line in found["calibration"]] == [0.1, 0.01, 1e-3, 1e-4]


def test_score_judges_by_the_groups_of_the_fit(peculiar, clumpy, tmp_path):
    saved = tmp_path / "model.peculiar"
    ranked = peculiar("rank", clumpy, *OPTIONS, "--save-model", saved, "--json")
    scored = peculiar("score", saved, clumpy, "--json")
    first, second = json.loads(ranked.out), json.loads(scored.out)
    for name in ("groups", "candidates", "calibration", "n_discoveries"):
        assert second[name] == first[name]


def test_mixed_order_takes_the_groups_in_turns(peculiar, clumpy):
    plain, mixed = (
        json.loads(peculiar("rank", clumpy, *OPTIONS, "--order", order, "--top", "6", "--json").out)
        for order in ("plain", "mixed")
    )
    assert [entry["rank"] for entry in plain["candidates"]] == [1, 2, 3, 4, 5, 6]
    groups = [entry["group"] for entry in mixed["candidates"]]
    assert {*groups[:2]} == {*groups[2:4]} == {"", "A"}
    assert plain["n_discoveries"] == mixed["n_discoveries"]


def test_the_table_is_checked_for_the_fit_and_for_the_list(peculiar, clumpy, monkeypatch):
    counted, real = [], validation.check_values

    def check_values(estimator, X, **settings):
        counted.append(len(X))
        return real(estimator, X, **settings)

    monkeypatch.setattr(validation, "check_values", check_values)
    assert peculiar("rank", clumpy, *OPTIONS).code == 0
    assert counted == [563, 563]


def test_in_turns():
    ranking = np.array([4, 2, 0, 1, 3, 5])
    group = np.array(["A", "B", "A", "", "A", ""])
    is_discovery = np.array([True, True, True, False, True, False])
    assert_array_equal(in_turns(ranking, group, is_discovery), [4, 1, 2, 0, 3, 5])
    assert_array_equal(in_turns(ranking, group, np.zeros(6, dtype=bool)), ranking)


def test_the_default_is_that_of_the_library():
    assert RARITY == groups.RARITY  # written twice: help must not load the library
