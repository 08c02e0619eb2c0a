"""`peculiar report`: what it says, and what it refuses."""

import pytest

from peculiar.catalogue import write
from tests.scene.made import make_catalogue, make_ranked


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranked")
    made = make_ranked(make_catalogue())
    write(made.ranked, folder / "ranked.fits")
    made.model.save(folder / "ranked.model")
    return folder


def test_it_writes_one_file(peculiar, ranked, tmp_path):
    out = tmp_path / "page.html"
    done = peculiar(
        "report",
        ranked / "ranked.fits",
        "--model",
        ranked / "ranked.model",
        "--out",
        out,
        "--top",
        30,
    )
    assert done.code == 0, done.err
    assert "30 of 400 objects one by one" in " ".join(done.out.split())
    assert "note:" not in done.out  # nothing is absent
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert out.read_text().startswith("<!DOCTYPE html>")


def test_it_says_what_is_absent(peculiar, ranked, tmp_path):
    done = peculiar("report", ranked / "ranked.fits", "--out", tmp_path / "page.html", "--top", 5)
    assert done.code == 0
    assert "give the model with --model" in " ".join(done.out.split())
    quiet = peculiar(
        "report", ranked / "ranked.fits", "--out", tmp_path / "quiet.html", "--top", 5, "-q"
    )
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_a_file_is_not_replaced_unasked(peculiar, ranked, tmp_path):
    out = tmp_path / "page.html"
    out.write_text("mine")
    done = peculiar("report", ranked / "ranked.fits", "--out", out)
    assert done.code == 1
    assert "say --overwrite to replace it" in done.err
    assert out.read_text() == "mine"


def test_what_is_no_ranked_list(peculiar, tmp_path):
    (tmp_path / "stars.csv").write_text("u,u_err\n1,0.1\n2,0.1\n")
    done = peculiar("report", tmp_path / "stars.csv", "--out", tmp_path / "page.html")
    assert done.code == 1
    assert "no column 'rank', so this is no ranked list" in done.err
    assert not (tmp_path / "page.html").exists()


def test_an_unknown_column(peculiar, ranked, tmp_path):
    done = peculiar(
        "report", ranked / "ranked.fits", "--show", "redshif", "--out", tmp_path / "page.html"
    )
    assert done.code == 1
    assert "redshif" in done.err


def test_without_bokeh(peculiar, ranked, tmp_path, monkeypatch):
    monkeypatch.setattr("peculiar.cli.report.find_spec", lambda name: None)
    done = peculiar("report", ranked / "ranked.fits", "--out", tmp_path / "page.html")
    assert done.code == 1
    assert "pip install '.[explore]'" in done.err
