"""Names that clash, files that are not ours, and text that would drive a terminal."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import read
from peculiar.cli.printable import printable
from tests.cli.conftest import QUICK

NAMED = ["--features", "r = u - g, row = g - i", *QUICK[2:]]


def test_features_named_like_other_columns_are_kept(peculiar, catalogue, tmp_path):
    done = peculiar("rank", catalogue, *NAMED, "--out", tmp_path / "out.ecsv")
    assert done.code == 0, done.err
    ranked, sky = read(tmp_path / "out.ecsv"), read(catalogue)
    order = np.asarray(ranked["row"])
    assert_array_equal(np.sort(order), np.arange(len(sky)))
    assert_allclose(ranked["r"], sky["r"][order])  # of the catalogue
    colour = np.ma.filled(sky["u"] - sky["g"], np.nan)[order]
    assert_allclose(np.ma.filled(ranked["peculiar_r"], np.nan), colour, atol=1e-12)
    assert "peculiar_row" in ranked.colnames


def test_by_outlier_probabilities_discoveries_come_first(peculiar, catalogue, tmp_path):
    settings = "-k", "3", "--method", "bayes", "--fdr", "0.4", "--out", tmp_path / "out.ecsv"
    done = peculiar("rank", catalogue, *QUICK, *settings)
    assert done.code == 0, done.err
    found = np.asarray(read(tmp_path / "out.ecsv")["is_discovery"], dtype=bool)
    assert 0 < found.sum() < len(found)
    assert found[: found.sum()].all()


@pytest.mark.parametrize(
    "options",
    [("--method", "bayes", "--wild", "0"), ("--method", "Storey"), ("--fdr", "nan")],
    ids=" ".join,
)
def test_discoveries_that_cannot_be_are_refused_before_the_fit(peculiar, catalogue, options):
    done = peculiar("rank", catalogue, *QUICK, *options)
    assert done.code == 2
    assert done.out == ""


def test_a_demo_does_not_replace_what_is_not_its_own(peculiar, tmp_path):
    (tmp_path / "catalogue.csv").write_text("precious")
    done = peculiar("demo", "--out", tmp_path)
    assert done.code == 1
    assert "already has catalogue.csv, and not from an earlier demo" in done.err
    assert (tmp_path / "catalogue.csv").read_text() == "precious"


def test_control_characters_do_not_reach_the_terminal(peculiar, tmp_path):
    lines = [f"s{i}\x1b[2J,{i % 7},.1" for i in range(40)]
    (tmp_path / "sky.csv").write_text("\n".join(["name,u,u_err", *lines, ""]))
    done = peculiar("rank", tmp_path / "sky.csv", "--features", "u", *QUICK[2:])
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert printable("a\x1b]0;b\nc") == "a\N{REPLACEMENT CHARACTER}]0;b\nc"
    assert "\n" not in printable("a\nb", one_line=True)


def test_a_model_forgets_what_an_option_contradicts(peculiar, catalogue, tmp_path):
    saved = tmp_path / "model.peculiar"
    exact = "--no-error", "r", "--save-model", saved, "--top", "1"
    assert peculiar("rank", catalogue, *QUICK, *exact).code == 0
    done = peculiar("score", saved, catalogue, "--error", "r=r_err", "--top", "1")
    assert done.code == 0, done.err
