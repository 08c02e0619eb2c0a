"""Figure 4: what does not depend on luck."""

from numpy.testing import assert_allclose

from peculiar.reproduce.noise_levels import METHODS


def test_without_errors_all_that_use_e_agree(run):
    for methods in run("noise-levels")[0].numbers["samples"].values():
        for name in ("idealised", "structured", "exact"):
            assert_allclose(methods[name]["auc"][0], methods["base"]["auc"][0], atol=2e-4)


def test_nobody_sees_through_large_errors(run):
    for methods in run("noise-levels")[0].numbers["samples"].values():
        small, large = methods["oracle"]["mean"][0], methods["oracle"]["mean"][-1]
        assert small > 0.95
        assert large < 0.85
        assert methods["idealised"]["mean"][-1] > 0.93  # who sees the clean data does not care
        assert (
            max(methods[name]["mean"][-1] for name in ("tail", "outlier"))
            > methods["base"]["mean"][-1]
        )


def test_a_line_for_every_area(run):
    outcome, _ = run("noise-levels")
    table, samples = outcome.table, outcome.numbers["samples"]
    assert len(table["auc"]) == 3 * 2 * len(METHODS) * 2
    row = 1 + 2 * (METHODS.index("tail") + len(METHODS) * (1 + 2 * 2))  # the last of each, from 0
    place = [table[key][row] for key in ("largest_variance", "sample", "method", "realisation")]
    assert place == [100.0, "out-of-sample", "tail", 1]
    assert table["auc"][row] == samples["out-of-sample"]["tail"]["auc"][2, 1]
