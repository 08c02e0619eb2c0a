"""`peculiar rank` and `peculiar score`: what is shown, and what is written, is what the library says."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import OutlierDetector, RobustMixture, read
from peculiar.catalogue import measure, write
from peculiar.cli.options import ListWanted
from peculiar.cli.show_list import headline
from tests.cli.conftest import FEATURES, QUICK

PLAIN = {"u - r": "u_r", "g - r": "g_r"}


@pytest.fixture(scope="module")
def by_hand(catalogue):
    """The same by the library."""
    sky = measure(catalogue, FEATURES)
    mixture = RobustMixture(1, wild_fraction="estimate", tol=1e-3, random_state=0)
    detector = OutlierDetector(mixture=mixture, fdr=0.05).fit(**sky.arguments())
    return sky, detector


def test_what_is_written_is_what_the_library_says(peculiar, catalogue, by_hand, tmp_path):
    done = peculiar("rank", catalogue, *QUICK, "--out", tmp_path / "ranked.fits")
    assert done.code == 0, done.err
    sky, detector = by_hand
    ranked, arguments = read(tmp_path / "ranked.fits"), sky.arguments()
    p = detector.p_values(**arguments)
    order = np.argsort(p, kind="stable")
    assert_array_equal(ranked["rank"], np.arange(1, 301))
    assert_array_equal(ranked["row"], order)
    assert_array_equal(ranked["p_value"], p[order])
    found = detector.discoveries(**arguments)
    assert_array_equal(ranked["q_value"], found.q_values[order])
    assert_array_equal(ranked["is_discovery"], found.mask[order])
    for column, method in {
        "outlier_probability": detector.outlier_probability,
        "log_density": detector.mixture_.score_samples,
        "robust_weight": detector.mixture_.robust_weights,
        "error_tolerance": detector.error_tolerance,
    }.items():
        expected = method(**arguments)[order]
        assert_allclose(ranked[column], expected, rtol=1e-9, atol=1e-9, err_msg=column)
    shares = detector.mixture_.predict_proba(**arguments)
    assert_allclose(ranked["component_probability"], shares.max(axis=1)[order], rtol=1e-9)
    why = detector.explain(**arguments)
    seen = ~np.isnan(sky.X)[order]
    for j, name in enumerate(sky.names):
        surprise = np.where(seen[:, j], why.surprise[order, j], np.nan)
        assert_array_equal(np.ma.filled(ranked[f"{PLAIN[name]}_surprise"], np.nan), surprise)
        assert_allclose(np.ma.filled(ranked[PLAIN[name]], np.nan), sky.X[order, j])
    assert_array_equal(ranked["main_feature"], np.array(sky.names)[why.main_feature[order]])
    clean, cov = detector.mixture_.predict_latent(**arguments, return_cov=True)
    assert_array_equal(ranked["u_r_clean"], clean[order, 0])
    assert_allclose(ranked["g_r_clean_err"], np.sqrt(cov[order, 1, 1]))
    original = read(catalogue)
    for name in original.colnames:
        assert_array_equal(ranked[name].astype(str), original[name][order].astype(str))
    assert ranked.meta["MADE_BY"].startswith("peculiar ")
    assert ranked.meta["COMMAND"].startswith(f"peculiar rank {catalogue} --features 'u - r, g - r'")
    assert "1 components, wild fraction" in ranked.meta["MODEL"]
    assert ranked.meta["FEATURES"] == FEATURES


def test_score_gives_what_rank_gave(peculiar, catalogue, tmp_path):
    saved = tmp_path / "model.peculiar"
    ranked = peculiar("rank", catalogue, *QUICK, "--save-model", saved, "--json")
    scored = peculiar("score", saved, catalogue, "--json")
    assert (ranked.code, scored.code) == (0, 0), scored.err
    first, second = json.loads(ranked.out), json.loads(scored.out)
    for name in ("candidates", "n_discoveries", "errors", "features", "model"):
        assert first[name] == second[name]


def test_json_is_the_only_thing_on_standard_output(peculiar, catalogue):
    done = peculiar("rank", catalogue, *QUICK, "--json", "--show", "name,planted", "--top", 3)
    said = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert len(said["candidates"]) == 3
    first = said["candidates"][0]
    assert first["rank"] == 1
    assert set(first["columns"]) == {"name", "planted"}
    assert set(first["features"]["u - r"]) == {"value", "error", "surprise", "clean", "clean_error"}
    assert said["errors"][0] == {
        "column": "u",
        "error": "u_err",
        "kind": "std",
        "found by": "X_err",
    }
    assert said["n_objects"] == 300
    assert said["model"]["settings"]["random_state"] == 0


def test_the_list_reads_well_in_100_columns(peculiar, catalogue):
    done = peculiar("rank", catalogue, *QUICK, "--show", "name,planted")
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "u       u_err  std   X_err" in done.out  # errors first
    header = next(line for line in lines if line.startswith("rank"))
    assert header.split() == (
        ["rank", "name", "planted", "p-value", "q-value", "betrayed", "by", "value", "tolerance"]
    )
    assert "at a false-discovery rate of 5 % (bh)" in done.out
    assert len([line for line in lines if line[:4].strip().isdigit()]) == 20


def test_objects_are_named_by_the_column_that_names_them_or_by_their_row(peculiar, table, tmp_path):
    path = tmp_path / "a.csv"
    write(table, path)
    arguments = ["--features", "u, g", "-k", "1", "--top", "2"]
    assert " name " in peculiar("rank", path, *arguments).out
    del table["name"]
    write(table, path, overwrite=True)
    assert " row " in peculiar("rank", path, *arguments).out


@pytest.mark.parametrize(
    "name", ["a.csv", "a.csv.gz", "a.ecsv", "a.vot", "a.parquet", "a.h5", "a.fits.gz"]
)
def test_formats(peculiar, catalogue, model, tmp_path, name):
    done = peculiar("score", model, catalogue, "--out", tmp_path / name, "--quiet")
    assert done == (0, "", "")
    ranked = read(tmp_path / name)
    assert list(ranked["rank"][:3]) == [1, 2, 3]
    assert {"p_value", "name", "u_r_clean", "planted"} <= set(ranked.colnames)
    if name.endswith(("ecsv", "parquet", "h5", "fits.gz")):
        assert "colours.peculiar" in ranked.meta["MODEL"]


def test_columns_of_the_same_name_and_units_are_kept(peculiar, table, tmp_path):
    from astropy.table import Table

    rows = Table(table | {"rank": np.arange(60), "P_Value": np.ones(60)}, meta={"TELESCOP": "ours"})
    rows["u"].unit = rows["u_err"].unit = rows["g"].unit = rows["g_err"].unit = "mag"
    write(rows, tmp_path / "a.fits")
    arguments = ["--features", "u, colour = g - u", "-k", "1", "--out", tmp_path / "b.fits"]
    done = peculiar("rank", tmp_path / "a.fits", *arguments)
    assert done.code == 0, done.err
    ranked = read(tmp_path / "b.fits")
    assert_array_equal(ranked["rank"], ranked["row"])
    assert_array_equal(ranked["P_Value"], 1.0)
    assert_array_equal(ranked["peculiar_rank"], np.arange(1, 61))
    assert "peculiar_p_value" in ranked.colnames
    assert ranked.colnames.count("u") == 1
    assert ranked["colour_clean"].unit == "mag"
    assert ranked["u_clean"].unit == "mag"
    assert ranked.meta["TELESCOP"] == "ours"


def test_without_a_wild_tail(peculiar, catalogue):
    done = peculiar("rank", catalogue, *QUICK, "--wild", "0", "--json")
    assert "outlier_probability" not in json.loads(done.out)["candidates"][0]
    done = peculiar("rank", catalogue, *QUICK, "--wild", "0", "--method", "bayes")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "needs a model with a wild tail" in done.err


@pytest.mark.parametrize("method", ["storey", "bayes"])
def test_methods(peculiar, catalogue, by_hand, method):
    done = peculiar("rank", catalogue, *QUICK, "--method", method, "--fdr", "0.2", "--json")
    sky, detector = by_hand
    found = detector.discoveries(**sky.arguments(), fdr=0.2, method=method)
    assert json.loads(done.out)["n_discoveries"] == found.mask.sum()


def test_overrides_of_errors(peculiar, table, tmp_path):
    path = tmp_path / "a.csv"
    table["w"], table["cov_u_g"] = np.full(60, 25.0), np.full(60, 0.001)
    table["u"][3] = -9999
    write(table, path)
    done = peculiar(
        *(
            "rank",
            path,
            "--features",
            "u, g, w",
            "-k",
            "1",
            "--error",
            "g=ivar:w",
            "--no-error",
            "w",
        ),
        *("--cov", "u,g=cov_u_g", "--missing", "-9999,99", "--json"),
    )
    assert done.code == 1  # w is constant: no spread
    arguments = ["--features", "u, g", "-k", "1", "--error", "g=ivar:w", "--cov", "u,g=cov_u_g"]
    done = peculiar("rank", path, *arguments, "--missing", "-9999,99", "--json")
    said = json.loads(done.out)
    assert {row["kind"] for row in said["errors"]} == {"std", "ivar", "covariance"}
    assert said["notes"] == ["u: 1 value is missing, as asked for"]


def test_the_model_remembers_the_overrides(peculiar, table, tmp_path):
    path = tmp_path / "a.csv"
    table["plus"], table["minus"] = table["u_err"], table["u_err"]
    table["u"][3] = -9999
    write(table, path)
    arguments = ["--features", "u, log10(g + 10)", "--error", "u=plus,minus", "--no-error", "g"]
    fit = (
        "fit",
        path,
        *arguments,
        "--missing",
        "-9999",
        "-k",
        "1",
        "--out",
        tmp_path / "m.peculiar",
    )
    done = peculiar(*fit)
    assert done.code == 0, done.err
    said = json.loads(peculiar("score", tmp_path / "m.peculiar", path, "--json").out)
    assert [row["error"] for row in said["errors"]] == ["plus, minus", "-"]
    assert said["notes"] == ["u: 1 value is missing, as asked for"]
    info = peculiar("info", tmp_path / "m.peculiar").out
    for line in ("errors given: u=plus,minus", "exact: g", "missing values: -9999"):
        assert line in info
    said = json.loads(
        peculiar("score", tmp_path / "m.peculiar", path, "--json", "--error", "u=0.5").out
    )
    assert said["errors"][0]["kind"] == "constant"


def test_a_model_without_a_recipe_needs_features(peculiar, catalogue, by_hand, tmp_path):
    path = tmp_path / "bare.peculiar"
    by_hand[1].mixture_.save(path)
    done = peculiar("score", path, catalogue, "--out", tmp_path / "a.csv")
    assert done.code == 1
    assert "does not say how its 2 features are made" in done.err
    assert "--features" in done.err
    assert not (tmp_path / "a.csv").exists()
    assert peculiar("score", path, catalogue, "--features", FEATURES, "--top", 1).code == 0
    done = peculiar("score", path, catalogue, "--features", "u - r")
    assert (done.code, "--features makes 1 features" in done.err) == (2, True)


def test_a_model_that_knows_other_names(peculiar, catalogue, tmp_path):
    """Fitted to a frame in Python: its columns have names, which need not be those of the features."""
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["u_r", "g_r"])
    RobustMixture(1).fit(frame).save(tmp_path / "framed.peculiar")
    done = peculiar(
        "score", tmp_path / "framed.peculiar", catalogue, "--features", FEATURES, "--top", 1
    )
    assert done.code == 0, done.err


def test_columns_to_show_are_as_in_the_catalogue(peculiar, table, tmp_path):
    table |= {"ra": 152.1234567 + np.arange(60) / 1e6, "dec": np.linspace(-12.25, 47.0, 60)}
    table |= {
        "source": 4_318_465_066_420_528_000 + np.arange(60),
        "night": np.full(60, 2_459_000.5),
    }
    table["note"] = ["seen twice " * 9] * 60
    write(table, tmp_path / "a.fits")
    options = ["--features", "u, g", "-k", "1", "--top", "60", "--show", "ra,dec,source,night,note"]
    lines = peculiar("rank", tmp_path / "a.fits", *options).out.splitlines()
    cells = {cell for line in lines for cell in line.split()}
    assert {"152.123457", "-12.25", "47", "4318465066420528007", "2459000.5"} <= cells
    assert any("seen twice seen twice" in line and "..." in line for line in lines)
    assert "seen twice " * 9 not in "".join(lines)


def test_nothing_is_announced_that_does_not_follow(peculiar, catalogue):
    none = peculiar("rank", catalogue, *QUICK, "--top", "0").out
    assert "The strangest" not in none
    assert "below the line" not in none
    assert "q-value" not in none
    assert "p-values up to 0.1, 0.01" in none


def test_all_of_a_short_list_may_be_discoveries():
    wanted = ListWanted(0.05, "bh", 20, "plain", groups=False, show=None, out=None)
    line = headline(3, 3, wanted)
    assert line.endswith("discoveries at a false-discovery rate of 5 % (bh). The strangest:")
    assert "; those below the line are not." in headline(3, 2, wanted)


def test_quiet(peculiar, catalogue, model, tmp_path):
    done = peculiar("score", model, catalogue, "--quiet")
    assert done.code == 2
    assert "--quiet without a file to write" in done.err
    assert peculiar("fit", catalogue, *QUICK, "-q", "--out", tmp_path / "m.peculiar") == (0, "", "")


def test_no_column_of_a_list_is_lost_on_a_narrow_screen(peculiar, catalogue, monkeypatch):
    wanted = ["rank", catalogue, *QUICK, "--show", "u,g,r,u_err,g_err,r_err", "--top", "3"]
    monkeypatch.delenv("COLUMNS")
    lines = peculiar(*wanted).out.splitlines()
    (wide,) = (line for line in lines if line.startswith("rank"))
    assert wide.split()[-6:] == ["p-value", "q-value", "betrayed", "by", "value", "tolerance"]
    monkeypatch.setenv("COLUMNS", "60")
    lines = peculiar(*wanted).out.splitlines()
    rule = next(
        n for n, line in enumerate(lines) if line.startswith("---") and "rank" in lines[n - 1]
    )
    assert sorted(" ".join(lines[rule - 2 : rule]).split()) == sorted(wide.split())
    assert "±" in lines[rule + 1].split()
    assert len(lines[rule + 1].split()) >= len(wide.split()) - 1
