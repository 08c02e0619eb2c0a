"""Options that say what errors mean, from the command line to the model file and to `info`."""

import json

import pytest

from peculiar import RobustMixture
from peculiar.report import to_csv

FIT = ["--features", "u, g", "-k", "1", "--tol", "1e-3", "--jobs", "1"]
MEANING = ["--sigma", "2", "--percent", "--error-floor", "u=0.05", "--limit", "u=none"]


@pytest.fixture
def path(table, tmp_path):
    file = tmp_path / "stars.csv"
    table |= {"l_u": ["<" if i < 3 else "" for i in range(60)], "RHO": [0.5] * 60}
    table |= {"mag": table["u"], "dmag_err": table["u_err"]}
    file.write_text(to_csv(table))
    return file


def test_limits_are_shown_counted_and_missing(peculiar, path):
    done = peculiar("rank", path, *FIT, "--top", "2")
    assert done.code == 0
    assert "u       l_u    limit flag   l_X" in done.out
    assert "u, g    RHO    correlation  RHO, with two columns" in done.out
    assert (
        "u: 3 values are missing because l_u flags limits ('<' 3 times); --limit u=none"
        in " ".join(done.out.split())
    )


def test_the_model_file_remembers(peculiar, path, tmp_path):
    model = tmp_path / "model.peculiar"
    fitted = peculiar("fit", path, *FIT, *MEANING, "--cov", "u,g=none", "--out", model)
    assert fitted.code == 0
    assert "flags limits" not in fitted.out
    recipe = RobustMixture.load(model).recipe_
    assert (recipe.sigma, recipe.percent, recipe.error_floor) == (2.0, True, {"u": 0.05})
    assert (recipe.limits, recipe.covariances) == ({"u": None}, {("u", "g"): None})
    said = peculiar("info", model).out
    assert "errors are: 2 sigma, in per cent, u at least 0.05" in said
    assert "limit flags: u=none" in said
    assert "covariances: u,g=none" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--error-floor", "u=x"], "--error-floor u=x: give a number, or X=NUMBER"),
        (["--error-floor", "1", "--error-floor", "u=1"], "one number for all columns, or X=NUMBER"),
        (["--limit", "u"], "--limit u: say which column, and which flags its limits"),
        (["--sigma", "0"], "--sigma"),
    ],
)
def test_usage(peculiar, path, words, message):
    done = peculiar("fit", path, *FIT, *words, "--out", path.with_suffix(".peculiar"))
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_info_offers_near_misses(peculiar, path):
    done = peculiar("info", path)
    assert "Is dmag_err the error of mag? Then say --error mag=dmag_err" in done.out
    said = json.loads(peculiar("info", path, "--json").out)
    assert said["near_misses"]["mag"] == ["dmag_err"]
