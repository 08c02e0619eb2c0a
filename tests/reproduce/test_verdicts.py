"""Verdicts and sentences go together, on numbers made by hand, on both sides of every line."""

import numpy as np
import pytest

from peculiar.reproduce.claims import convergence, illustration, lymphography, noise_levels, quasars


def verdicts(comparisons):
    return {entry.quantity: entry.agrees for entry in comparisons}


def sentence(comparisons, quantity):
    (found,) = [entry.sentence for entry in comparisons if entry.quantity.startswith(quantity)]
    return found


# ------------------------------------------------------------------------------ illustration


@pytest.mark.parametrize(("share", "words"), [(0.99, "are recovered, as"), (0.7, "not recovered")])
def test_groups_recovered_or_not(share, words):
    numbers = {
        "population": [0, 1, -1],
        "is_discovery": [False, True, True],
        "planted_among_strangest": {"tail": 1, "structured": 1, "base": 0},
        "rightly_grouped": share,
        "fdr": 0.1,
    }
    found = illustration.compare(numbers)
    assert verdicts(found)["groups"] is (share > 0.95)
    assert words in sentence(found, "groups")
    assert found[1].here == "2, of which 1 are outliers"


# ------------------------------------------------------------------------------- convergence


def engine(end, *, bound=None, auc=0.9, grouped=0.9, is_joint=False):
    return {
        "log_likelihood": [-9.0, end],
        "objective": [-9.0, end if bound is None else bound],
        "objective_is": "joint" if is_joint else "bound",
        "last_gain": 1e-6,
        "fluctuation": 1e-4,
        "auc": auc,
        "rightly_grouped": grouped,
    }


def engines(**changes):
    paths = {
        "exact": engine(-1.0),
        "structured": engine(-1.1, bound=-1.2, auc=0.95, grouped=0.99),
        "factorized": engine(-1.2, bound=-1.3),
        "monte_carlo": engine(-1.0),
        "map": engine(-2.0, is_joint=True),
    }
    return convergence.compare({"engines": paths | changes})


def test_engines_as_in_the_paper():
    found = engines()
    assert set(verdicts(found).values()) == {True, None}
    assert "They agree" in sentence(found, "exact against")
    assert "structured is ahead" in sentence(found, "whose parameters")


def test_engines_unlike_the_paper():
    found = engines(structured=engine(-0.9, bound=-1.4, auc=0.8, grouped=0.8), exact=engine(-1.1))
    assert set(verdicts(found).values()) == {False, None}
    assert "0.10000 apart" in sentence(found, "exact against")


def test_a_few_objects_decide_nothing():
    found = engines(structured=engine(-1.2, bound=-1.2, auc=0.902, grouped=0.905))
    assert verdicts(found)["outliers (AUC of e)"] is None
    assert verdicts(found)["groups (share of ordinary objects in the right one)"] is None
    assert "hardly in the parameters" in sentence(found, "whose parameters")


# ------------------------------------------------------------------------------ noise levels


def levels(structured, tail, outlier, oracle, p=1e-3, at=(1.0, 10.0)):
    """Areas by level; base has 0.9 everywhere."""

    def method(means):
        above = [mean - 0.9 for mean in means]
        return {"mean": means, "above_base": above, "p_value": [p] * len(means)}

    base = method([0.9] * len(at))
    methods = {"structured": structured, "tail": tail, "outlier": outlier, "oracle": oracle}
    sample = {name: method(means) for name, means in methods.items()} | {"base": base}
    return noise_levels.compare({"levels": at, "samples": {"in-sample": sample}})


def test_all_claims_about_errors_hold():
    found = levels([0.91, 0.92], [0.93, 0.94], [0.92, 0.95], [0.934, 0.969])
    assert set(verdicts(found).values()) == {True}
    assert found[1].here == "+0.0300 (tail), +0.0500 (outlier)"
    assert "below base at no level" in found[0].sentence


def test_no_claim_about_errors_holds():
    found = levels([0.91, 0.88], [0.89, 0.91], [0.88, 0.90], [0.93, 0.94], p=0.3)
    assert set(verdicts(found).values()) == {False}
    assert "0.880 against 0.900 (p = 0.3)" in found[0].sentence
    assert "Below base by 0.0100" in found[1].sentence
    assert found[3].sentence == "More than we allow for errors in [0, 1], [0, 10]."


def test_small_errors_are_held_to_more():
    for level, expected in ((0.5, False), (2.0, True)):
        found = levels([0.95], [0.95], [0.95], [0.96], at=(level,))
        assert found[3].agrees is expected


def test_one_realisation_cannot_be_tested():
    found = levels([0.91, 0.92], [0.93, 0.94], [0.92, 0.95], [0.93, 0.95], p=None)
    assert [entry.agrees for entry in found] == [None, True, None, True]
    assert "too few" in found[2].here


# ------------------------------------------------------------------------------ lymphography


def lymph(above, p_value, *, shift=0.0, n_splits=6, gain=0.01, best="diag"):
    """Areas that are the paper's but for a shift, and tests of all splits alike."""
    wobble = np.linspace(-0.02, 0.02, n_splits)

    def result(mean):
        spread = wobble.std(ddof=1) if n_splits > 1 else None
        return {"mean": mean, "by_split": (mean + wobble).tolist(), "sd_between_splits": spread}

    areas = dict.fromkeys(("exact", "tail", "outlier"), 0.94) | lymphography.PAPER
    sample = {name: result(mean + shift) for name, mean in areas.items()}
    tests = {
        name: {"above": [above] * n_splits, "p_value": [p_value] * n_splits}
        for name in ("idealised", "base")
    }
    shrunk = {name: [one["mean"] + gain] * n_splits for name, one in sample.items()}
    shrunk["pseudo_rows"] = [18.0] * (n_splits - 1) + [72.0]
    curve = {
        name: {"held_out": held_out, "exact": 0.9, "tail": 0.9 + (name == best), "outlier": 0.9}
        for name, held_out in {"0": -19.0, "72": -17.0, "diag": -18.0}.items()
    }
    numbers = {
        "samples": {"in-sample": sample, "out-of-sample": sample},
        "tests": tests,
        "shrinkage": {"chosen": shrunk, "curve": curve},
        "n_new": [2, 55],
    }
    return lymphography.compare(numbers)


def test_shrinkage_helps_or_not():
    for gain in (0.01, -0.01):
        chosen = lymph(0.02, 1e-3, gain=gain)[-2]
        assert chosen.agrees == (gain > 0)
        assert "18 to 72 pseudo-rows" in chosen.sentence
        assert f"{gain:+.3f}, {gain:+.3f}" in chosen.sentence


def test_labels_and_new_data_agree_or_not():
    curve = lymph(0.02, 1e-3)[-1]
    assert "72: -17.00, 0.900, 0.900, 0.900" in curve.here
    assert (
        "likeliest with 72 pseudo-rows; the AUC of the tail is highest with diag" in curve.sentence
    )
    assert curve.sentence.endswith("what new data ask for.")
    assert lymph(0.02, 1e-3, best="72")[-1].sentence.endswith("Both ask for the same.")


def test_areas_near_the_paper_or_not():
    assert [entry.agrees for entry in lymph(0.02, 1e-3)[:3]] == [True] * 3
    assert [entry.agrees for entry in lymph(0.02, 1e-3, shift=-0.1)[:3]] == [False] * 3
    assert [entry.agrees for entry in lymph(0.02, 1e-3, n_splits=2)[:3]] == [None] * 3


@pytest.mark.parametrize(
    ("above", "p_value", "against_idealised", "against_base"),
    [
        (0.02, 1e-3, False, True),
        (0.02, 0.5, True, False),
        (-0.02, 1e-3, False, False),
        (0.02, None, None, None),
    ],
)
def test_tests_against_those_of_the_paper(above, p_value, against_idealised, against_base):
    idealised, base = lymph(above, p_value)[3:5]
    assert (idealised.agrees, base.agrees) == (against_idealised, against_base)
    assert idealised.here.startswith(f"{above:+.4f}")


def test_how_much_one_outlier_counts():
    assert "changes by 0.009 when" in sentence(lymph(0.02, 0.1), "out-of-sample")


# ------------------------------------------------------------------------------------ quasars


def redshifts(e, exact, tail, *, u_r=0.98, found=2, diagonal=None, groups=None):
    """One threshold; areas by number of components, one for each start. Precisions are as the areas."""

    def scores(tail):
        named = {"structured": e, "exact": exact, "tail": tail, "groups": groups or tail}
        return {name: as_curves(by_k) for name, by_k in named.items()}

    def as_curves(by_k):
        return {str(k): [[value] for value in starts] for k, starts in by_k.items()}

    curves = {"diagonal": scores(diagonal or tail), "full": scores(tail)}
    numbers = {
        "thresholds": [2.5],
        "auc": curves,
        "ap": curves,
        "baselines": {"auc": {"u-r": [u_r], "u_err": [0.9], "neighbour": [0.92]}},
        "mml": {"the paper's criterion": {"n_components": found}, "ours": {"n_components": 5}},
    }
    return quasars.compare(numbers)


def test_quasars_as_in_the_paper():
    good = {1: [0.95, 0.5], 2: [0.94, 0.95]}  # a start that fails is not the number of components
    found = redshifts(good, good, {1: [0.95], 2: [0.94]}, u_r=0.90)
    assert [entry.agrees for entry in found] == [True, None, True, True, True, None, True, None]
    assert found[1].sentence == "Robust in K."
    assert found[3].sentence.endswith("what the paper says of e holds for these p-values.")
    assert found[5].sentence.startswith("The best mixture has 0.950; from")
    assert found[2].sentence == "At least 0.940 for every K and start."


def test_quasars_unlike_the_paper():
    bad = {1: [0.95], 2: [0.5]}
    found = redshifts(
        bad,
        bad,
        {1: [0.95], 2: [0.94, 0.92]},
        found=1,
        diagonal={1: [0.9], 2: [0.94]},
        groups={1: [0.95], 2: [0.8]},
    )
    verdicts = [entry.agrees for entry in found]
    assert verdicts == [False, None, False, False, False, None, False, None]
    assert "0.950 for K = 1, but 0.500 for K = 2" in found[0].sentence
    assert "which is not reached for K = 2." in found[2].sentence
    assert "Areas differ by 0.150" in found[3].sentence
    assert "by up to 0.45 with e" in found[4].sentence
    assert "by 0.15 with strange groups" in found[4].sentence
    assert "less than u-r alone" in found[5].sentence
    assert "at most 0.050" in found[7].sentence


def test_one_number_of_components_is_not_robust():
    one = {1: [0.95]}
    found = redshifts(one, one, one)
    assert {found[i].agrees for i in (0, 3, 4)} == {None}
    silent = "One number of components says nothing about robustness."
    assert found[0].sentence == found[3].sentence == silent
