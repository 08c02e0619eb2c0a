"""What goes wrong gives one short message, an exit code that means something, and no file."""

import gzip
import os
import re
import stat

import numpy as np
import pytest

from peculiar.catalogue import write
from tests.cli.conftest import QUICK

GOOD = "name,u,u_err,g,g_err\n" + "".join(f"s{i},{i % 7},.1,{i % 5},.2\n" for i in range(40))


def refused(done, code, message, folder=None):
    assert done.code == code, done
    assert re.search(message, done.err), done.err
    assert done.err.count("\n") <= 20
    assert "Traceback" not in done.err + done.out
    if folder is not None:
        assert sorted(path.name for path in folder.iterdir()) == ["cat"]


def second_header(text):
    return text.replace("name,u,u_err,g,g_err", "name,u,u_err,u,u_err", 1)


HOSTILE = {
    "wrong extension": ("cat.fits", GOOD, "is not fits, it looks like csv"),
    "no extension": ("cat", GOOD, "which format is"),
    "empty": ("cat.csv", "", "is empty"),
    "header only": ("cat.csv", GOOD.splitlines()[0] + "\n", "no rows"),
    "all masked": (
        "cat.csv",
        re.sub(r"(s\d+),\d,", r"\1,,", GOOD),
        "has no value in any of its 40 rows",
    ),
    "words": ("cat.csv", GOOD.replace("s3,3,", "s3,bright,"), "bright"),
    "two columns of one name": ("cat.csv", second_header(GOOD), "several columns of the same name"),
    "not UTF-8": ("cat.csv", GOOD.encode().replace(b"s3,3", b"s3,\xe9"), "UTF-8"),
    "negative errors": ("cat.csv", GOOD.replace("s3,3,.1", "s3,3,-.1"), "negative"),
    "binary": ("cat.csv", bytes(range(256)) * 10, "is not csv"),
    "cut off": ("cat.csv.gz", gzip.compress(GOOD.encode())[:60], "cannot be read|damaged"),
    "no errors": ("cat.csv", GOOD.replace("u_err", "u_x"), "--error"),
    "no such column": ("cat.csv", GOOD.replace(",u,u_err", ",v,v_err"), "no column 'u'"),
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("command", ["rank", "fit"])
def test_hostile_catalogues(peculiar, tmp_path, what, command):
    name, content, message = HOSTILE[what]
    folder = tmp_path / "cat"
    folder.mkdir()
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    out = tmp_path / ("out.csv" if command == "rank" else "out.peculiar")
    arguments = [command, path, "--features", "u, g", "-k", "1", "--out", out]
    refused(peculiar(*arguments), 1, message, tmp_path)
    refused(peculiar(*arguments, *(["--json"] if command == "rank" else [])), 1, message, tmp_path)


@pytest.mark.parametrize("what", ["wrong extension", "empty", "two columns of one name", "binary"])
def test_info_of_hostile_catalogues(peculiar, tmp_path, what):
    name, content, message = HOSTILE[what]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(peculiar("info", tmp_path / name), 1, message)


def test_no_such_file(peculiar, catalogue, tmp_path):
    nowhere = tmp_path / "nowhere.csv"
    refused(peculiar("rank", nowhere, *QUICK), 1, "there is no file")
    refused(peculiar("info", nowhere), 1, "there is no file")
    refused(peculiar("info", tmp_path / "no.peculiar"), 1, "no.peculiar: No such file")
    refused(peculiar("score", tmp_path / "no.peculiar", catalogue), 1, "no.peculiar: No such file")


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04\x95", b'{"format": "peculiar model"}'])
def test_hostile_models(peculiar, catalogue, tmp_path, content):
    path = tmp_path / "cat"
    path.write_bytes(content)
    out = ["--out", tmp_path / "out.csv"]
    refused(peculiar("score", path, catalogue, *out), 1, "peculiar model file|damaged", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--features", "u - r", "-k", "0"], "neither a number of components"),
        (["--features", "u - r", "-k", "many"], "neither a number of components"),
        (["--features", "u - r", "--dof", "low"], "is neither a number nor estimate or shared"),
        (["--features", "u - r", "--dof", "-1"], "dof must be"),
        (["--features", "u - r", "--wild", "2"], "wild_fraction must be"),
        (["--features", "u - r", "--fdr", "0"], "--fdr"),
        (["--features", "u - r", "--fdr", "2"], "--fdr"),
        (["--features", "u - r", "--method", "none"], "--method"),
        (["--features", "u - r", "--error", "u"], "--error u: say which column"),
        (["--features", "u - r", "--cov", "u=x"], "--cov u=x: say which two columns"),
        (["--features", "u - r", "--unknown"], "--unknown"),
        (["-k", "3"], "--features"),
    ],
)
def test_wrong_usage(peculiar, catalogue, arguments, message):
    refused(peculiar("rank", catalogue, *arguments), 2, message)


def test_wrong_commands(peculiar):
    refused(peculiar("rnk"), 2, "rnk")
    refused(peculiar("rank"), 2, "CATALOGUE")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--features", "u - q"], "no column 'q'"),
        (["--features", "u - "], "u -"),
        (["--features", "__import__('os')"], "no meaning here|there is no"),
        (["--features", "u - r", "--error", "u=v_err"], "v_err"),
        (["--features", "u - r", "--show", "nme"], "did you mean name"),
        (["--features", "u - r", "--out", "a.xyz"], "extension '.xyz' is not known"),
        (["--features", "u - r", "--out", "no/where/a.csv"], "there is no folder"),
        (["--features", "u - r", "--save-model", "."], "is a folder"),
        (["--features", "u - r", "--format", "fits"], "is not fits"),
        (["--features", "u - r", "--format", "word"], "there is no format 'word'"),
    ],
)
def test_input_that_cannot_be_used(peculiar, catalogue, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    refused(peculiar("rank", catalogue, *arguments, "-k", "1"), 1, message)
    assert not list(tmp_path.iterdir())


def test_files_are_not_replaced_unless_asked(peculiar, catalogue, model, tmp_path):
    out = tmp_path / "cat"
    out.mkdir()
    there = out / "a.csv"
    there.write_text("precious")
    refused(peculiar("score", model, catalogue, "--out", there), 1, "say --overwrite")
    refused(peculiar("fit", catalogue, *QUICK, "--out", there), 1, "say --overwrite")
    refused(peculiar("rank", catalogue, *QUICK, "--save-model", there), 1, "say --overwrite")
    assert there.read_text() == "precious"
    assert peculiar("score", model, catalogue, "--out", there, "--overwrite").code == 0
    assert there.read_text().startswith("rank,row,p_value")


def test_the_input_is_never_replaced(peculiar, catalogue, model):
    before = catalogue.read_bytes(), model.read_bytes()
    arguments = ["--out", catalogue, "--overwrite"]
    refused(peculiar("score", model, catalogue, *arguments), 1, "is the input itself")
    refused(peculiar("fit", catalogue, *QUICK, *arguments), 1, "is the input itself")
    assert (catalogue.read_bytes(), model.read_bytes()) == before


def test_names_of_objects_that_look_like_markup(peculiar, table, tmp_path):
    table["name"] = [f"[bold]{i}[/x] \u2605" for i in range(60)]
    write(table, tmp_path / "a.csv")
    done = peculiar("rank", tmp_path / "a.csv", "--features", "u, g", "-k", "1", "--top", "3")
    assert done.code == 0, done.err
    assert done.out.count("[bold]") == 3


def test_warnings_are_remarks(peculiar, table, tmp_path):
    table["g"] = np.abs(table["g"]) + 0.01
    write(table, tmp_path / "a.csv")
    arguments = ["--features", "u, log10(g)", "-k", "1", "--top", "1"]
    done = peculiar("rank", tmp_path / "a.csv", *arguments)
    assert done.code == 0
    assert done.err.startswith("peculiar: warning: feature 'log10(g)': the error of g is more than")
    assert "warning" not in done.out


def test_a_defect_is_not_a_traceback_unless_asked(peculiar, catalogue, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("peculiar.cli.reading.read_catalogue", broken)
    refused(
        peculiar("rank", catalogue, *QUICK), 3, "should not have happened.*ZeroDivisionError: oh"
    )
    with pytest.raises(ZeroDivisionError):
        peculiar("rank", catalogue, *QUICK, "--debug")
    with pytest.raises(ZeroDivisionError):
        peculiar("--debug", "rank", catalogue, *QUICK)


def test_debug_shows_errors_as_they_are(peculiar, tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        peculiar("info", tmp_path / "nowhere.csv", "--debug")


def test_two_results_never_share_a_file(peculiar, catalogue, tmp_path, monkeypatch):
    def fit(*_, **__):
        raise AssertionError("the work began before the paths were checked")

    monkeypatch.setattr("peculiar.cli.reading.read_catalogue", fit)
    (tmp_path / "link.csv").symlink_to("a.csv")
    for other in ("a.csv", "link.csv"):
        arguments = ["--out", tmp_path / "a.csv", "--save-model", tmp_path / other]
        done = peculiar("rank", catalogue, *QUICK, *arguments, "--overwrite")
        refused(done, 1, r"--out \S+ and --save-model \S+ are the same file")
    (tmp_path / "b.csv").write_text("x")
    (tmp_path / "c.csv").hardlink_to(tmp_path / "b.csv")
    arguments = ["--out", tmp_path / "b.csv", "--save-model", tmp_path / "c.csv", "--overwrite"]
    refused(peculiar("rank", catalogue, *QUICK, *arguments), 1, "are the same file")
    assert not (tmp_path / "a.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "CAT", *QUICK, "--out", "FIFO"], "is a pipe .FIFO.; only files are replaced"),
        (["rank", "CAT", *QUICK, "--save-model", "FIFO"], "is a pipe .FIFO."),
        (["rank", "CAT", *QUICK, "--out", "a.parquet.gz"], "is compressed internally"),
        (["fit", "CAT", *QUICK, "--out", "FIFO"], "is a pipe .FIFO."),
        (["score", "MODEL", "CAT", "--out", "FIFO"], "is a pipe .FIFO."),
    ],
)
def test_outputs_are_checked_before_the_work(
    peculiar, catalogue, model, tmp_path, monkeypatch, arguments, message
):
    def work(*_, **__):
        raise AssertionError("the work began before the paths were checked")

    monkeypatch.setattr("peculiar.cli.reading.read_catalogue", work)
    fifo = tmp_path / "pipe.csv"
    os.mkfifo(fifo)
    words = {"CAT": catalogue, "MODEL": model, "FIFO": fifo}
    done = peculiar(*(words.get(word, word) for word in arguments), "--overwrite")
    refused(done, 1, message)
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_columns_that_the_output_cannot_hold_are_refused_before_the_fit(peculiar, tmp_path):
    rng = np.random.default_rng(0)
    table = {"u": rng.normal(size=40), "u_err": np.full(40, 0.1), "spectrum": np.ones((40, 3))}
    write(table, tmp_path / "cat.fits")
    done = peculiar("rank", tmp_path / "cat.fits", "--features", "u", "--out", tmp_path / "r.csv")
    refused(done, 1, "'spectrum' has .* values in a row")
    assert "fitting" not in done.err
    assert not (tmp_path / "r.csv").exists()
