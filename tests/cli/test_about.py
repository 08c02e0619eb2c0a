"""`peculiar info`, `peculiar cite`, `peculiar demo`, and how far a fit is."""

import json
import math
import re
import shlex
import time

import pytest
from astropy.io import fits
from astropy.table import Table

from peculiar import RobustMixture, read
from peculiar.catalogue import measure, write
from peculiar.cli import progress
from peculiar.cli.progress import iterations_left
from peculiar.engines import ENGINES
from peculiar.estimators.progress import listening
from peculiar.references import REFERENCES
from tests.persistence.helpers import ready_model, rewrite


def test_info_of_a_catalogue(peculiar, catalogue):
    done = peculiar("info", catalogue)
    assert done.code == 0
    assert "csv, 300 rows, 12 columns" in done.out
    assert re.search(r"^u +float64 +u_err *$", done.out, flags=re.MULTILINE)
    assert re.search(r"^u_err +float64 +error of u *$", done.out, flags=re.MULTILINE)
    said = json.loads(peculiar("info", catalogue, "--json").out)
    assert said["n_rows"] == 300
    assert said["columns"][0] == {
        "column": "name",
        "type": "str",
        "shape": "",
        "unit": "",
        "UCD": "",
        "error": "",
        "limits": "",
    }


def test_info_of_a_model(peculiar, model):
    done = peculiar("info", model)
    assert done.code == 0
    for text in ("features: u - r, g - r", "wild fraction", "random_state 0", "iterations"):
        assert text in done.out
    said = json.loads(peculiar("info", model, "--json").out)
    assert said["recipe"]["features"] == "u - r, g - r"
    assert said["model"]["n_components"] == 1


def test_info_of_a_model_made_by_hand(peculiar, tmp_path):
    path = tmp_path / "hand.json"  # known by how it begins
    ready_model().save(path)
    done = peculiar("info", path)
    assert "features: 3; the file does not say how they were made" in done.out
    rewrite(path, lambda document: document.update(written_by="\x1b[31mevil"))
    assert "written by somebody unknown" in peculiar("info", path).out


def test_selection_is_shown(peculiar, table, tmp_path):
    from peculiar.catalogue import write

    write(table, tmp_path / "a.csv")
    arguments = ["--features", "u, g", "--max-components", "2", "--out", tmp_path / "m.peculiar"]
    done = peculiar("fit", tmp_path / "a.csv", *arguments)
    assert done.code == 0
    assert "Numbers of components that were met" in done.out


def test_cite(peculiar):
    done = peculiar("cite")
    assert done.out.count("@") == 2
    assert {key for engine in ENGINES.values() for key in engine.cite} <= set(REFERENCES)
    for text in REFERENCES.values():
        assert text.count("{") == text.count("}")


@pytest.mark.slow
def test_demo_as_make_runs_it(peculiar, tmp_path):
    done = peculiar("demo", "--out", tmp_path / "demo")
    assert done.code == 0
    found, planted, of = map(
        int, re.search(r"(\d+) objects are .*; (\d+) of .*of (\d+) in", done.out).groups()
    )
    assert of == 30
    assert found - planted <= 3
    assert planted >= 17


def test_demo(peculiar, tmp_path):
    folder = tmp_path / "new" / "demo"
    done = peculiar("demo", "--out", folder, "--objects", 400, "--peculiar", 8)
    assert done.code == 0, done.err
    assert "betrayed by" in done.out
    assert "of them were planted, of 8 in all." in done.out
    assert "ranked without the errors" in done.out
    assert sorted(path.name for path in folder.iterdir()) == [
        "catalogue.csv",
        "model.peculiar",
        "ranking.csv",
        "report.html",
        "report.md",
    ]
    ranking = read(folder / "ranking.csv")
    assert len(ranking) == 400
    assert ranking["planted"].sum() == 8
    said = json.loads(
        peculiar("score", folder / "model.peculiar", folder / "catalogue.csv", "--json").out
    )
    assert [c["columns"]["name"] for c in said["candidates"]] == list(ranking["name"][:20])
    assert peculiar("demo", "--out", folder, "--peculiar", 4000).code == 2


def test_listening_to_a_fit():
    import numpy as np

    class Listener:
        def __init__(self):
            self.iterations, self.levels, self.passes = [], [], []

        def on_iteration(self, iteration, bound, change):
            self.iterations.append((iteration, bound))

        def on_pass(self, n_components, n_passes, length):
            self.passes.append(n_components)

        def on_level(self, row, criterion, n_iter):
            self.levels.append(row.n_components)

    X, listener = np.random.default_rng(0).normal(size=(80, 2)), Listener()
    with listening(listener):
        model = RobustMixture(1).fit(X)
        assert [bound for _, bound in listener.iterations] == list(model.lower_bounds_)
        RobustMixture("mml", max_components=2, random_state=0).fit(X)
    assert 1 in listener.levels
    down = listener.passes[: listener.passes.index(1)]
    assert down == sorted(down, reverse=True)
    assert {1, 2, 5} <= set(listener.passes)
    n = len(listener.iterations)
    RobustMixture(1).fit(X)
    assert len(listener.iterations) == n


def test_lines_for_a_log(capsys, monkeypatch):
    clock = iter(range(0, 10_000, 2))  # two seconds pass whenever somebody looks
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    work = progress.Lines("fitting")
    for n in range(1, 7):
        work.on_pass(20 - n, n, -100.0 * n)
    said = capsys.readouterr().err.splitlines()
    assert 1 < len(said) < 6
    assert said[0].startswith("peculiar: fitting: ")
    assert "components, pass " in said[0]
    assert " left; " in said[-1]


def test_short_work_leaves_no_lines(capsys):
    work = progress.Lines("judging")
    for n in range(1000):
        work.rows(n, 1000)
    assert capsys.readouterr().err == ""


def test_iterations_left():
    assert iterations_left([], 1e-6) == math.inf
    assert iterations_left([1.0, 2.0], 1e-6) == math.inf
    assert iterations_left([1e-3, 1e-5], 1e-4) == 0.0
    assert iterations_left([1e-1, 1e-2], 0.0) == math.inf


def test_info_of_a_file_with_several_tables(peculiar, tmp_path):
    path = tmp_path / "a.fits"
    units = [fits.table_to_hdu(Table({name: [1.0]})) for name in "uv"]
    units[1].name = "SECOND"
    fits.HDUList([fits.PrimaryHDU(), *units]).writeto(path)
    done = peculiar("info", path)
    assert "2 tables; FILE[TABLE] (or --hdu TABLE) names one, by number or name:" in done.out
    assert re.search(r"^ +1 +1 +1  shown below", done.out, flags=re.MULTILINE)
    assert re.search(r"^ +2  SECOND +1 +1 *$", done.out, flags=re.MULTILINE)
    for arguments in ([f"{path}[2]"], [path, "--hdu", "second"]):
        assert re.search(r"^v +float64 *$", peculiar("info", *arguments).out, flags=re.MULTILINE)
    said = json.loads(peculiar("info", path, "--json", "--hdu", "2").out)
    assert [table["name"] for table in said["tables"]] == ["", "SECOND"]
    assert said["table"] == 2


def test_info_of_very_many_columns(peculiar, tmp_path):
    names = [f"c{i}{end}" for i in range(2500) for end in ("", "_err")]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(names) + "\n" + ",".join(["1.5"] * 5000) + "\n")
    start = time.process_time()
    done = peculiar("info", path)
    spent = time.process_time() - start
    assert "1 rows, 5000 columns" in done.out
    assert "and 2,460 more" in done.out
    assert spent < 20  # 5 s on a machine of its own; it was 5 minutes


def test_rank_takes_a_table_of_a_file(peculiar, tmp_path, catalogue, model):
    stars = fits.table_to_hdu(Table.read(catalogue))
    other = fits.table_to_hdu(Table({"v": [1.0]}))
    fits.HDUList([fits.PrimaryHDU(), other, stars]).writeto(tmp_path / "a.fits")
    done = peculiar("score", model, f"{tmp_path / 'a.fits'}[2]", "--top", "1")
    assert done.code == 0, done.err
    assert peculiar("score", model, tmp_path / "a.fits", "--hdu", "2", "--top", "1").code == 0
    assert "no column 'u'" in peculiar("score", model, tmp_path / "a.fits").err


def test_info_lists_flags_of_limits(peculiar, tmp_path):
    table = {
        "Fe": [1.0, 2.0], "e_Fe": [0.1, 0.1], "l_Fe": ["<", ""],
        "koi_depth": [1.0, 2.0], "koi_depthlim": [0, 1],
        "K": [1.0, 2.0], "e_K": [0.1, 0.1], "f_K": [3.5, 4.5], "e_f_K": [0.1, 0.1],
    }  # fmt: skip
    write(table, tmp_path / "a.csv")
    done = peculiar("info", tmp_path / "a.csv")
    assert done.code == 0, done.err
    assert "flags limits of Fe" in done.out
    assert "may flag limits of koi_depth" in done.out
    said = json.loads(peculiar("info", tmp_path / "a.csv", "--json").out)
    assert said["limit_flags"] == {"Fe": "l_Fe", "koi_depth": "koi_depthlim"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [("u", '"u"'), ("207Pb", "'`207Pb`'"), ("it's", """'`it'"'"'s`'""")],
)
def test_the_example_is_one_that_a_shell_hands_over_and_features_take(
    tmp_path, peculiar, name, shown
):
    (tmp_path / "a.csv").write_text(f"{name},{name}_err\n1,0.1\n2,0.1\n")
    said = peculiar("info", tmp_path / "a.csv").out
    assert f"For instance: --features {shown}" in said
    features = shlex.split(said.partition("--features ")[2])[0]
    assert measure(read(tmp_path / "a.csv"), features).X.shape == (2, 1)


def test_the_example_of_info_names_one_of_several_values(peculiar, tmp_path):
    path = tmp_path / "a.fits"
    apertures = {"Flux": [[1.0, 2.0], [3.0, 5.0]], "Flux_err": [[0.1, 0.1], [0.1, 0.2]]}
    write({"u": [1.0, 2.0], "u_err": [0.1, 0.1], **apertures}, path)
    assert 'For instance: --features "u, Flux[0]"' in peculiar("info", path).out
    assert measure(path, "u, Flux[0]").names == ("u", "Flux[0]")
