"""Several files as one catalogue, and a catalogue from standard input."""

import io
import json
import sys

import numpy as np
import pytest
from astropy.table import Table

from peculiar.catalogue import count_rows, list_columns, list_tables, measure, read, write
from peculiar.errors import CatalogueError
from tests.catalogue.helpers import write_hats


@pytest.fixture
def fields(tmp_path):
    """field_1.fits and field_2.fits, with 2 and 3 rows."""
    for number, n in ((1, 2), (2, 3)):
        table = Table({"u": np.arange(n) + 10.0 * number, "u_err": np.full(n, 0.1)})
        table["u"].unit = "mag"
        write(table, tmp_path / f"field_{number}.fits")
    return tmp_path


def test_a_pattern(fields):
    table = read(fields / "field_*.fits")
    assert list(table["u"]) == [10.0, 11.0, 20.0, 21.0, 22.0]
    assert table.colnames == ["u", "u_err", "source_file"]
    assert [name[-12:] for name in table["source_file"]] == ["field_1.fits"] * 2 + [
        "field_2.fits"
    ] * 3
    assert str(table["u"].unit) == "mag"
    assert [column.name for column in list_columns(fields / "field_?.fits")] == table.colnames
    assert count_rows(fields / "field_[12].fits") == 5
    assert list_tables(fields / "field_*.fits") == ()
    assert read(fields / "field_*.fits", columns=["u_err"]).colnames == ["u_err"]
    assert read(fields / "field_*.fits", columns=["source_file"]).colnames == ["source_file"]
    assert measure(f"{fields}/field_*.fits[1]", "u").X.shape == (5, 1)


def test_a_hats_catalogue(peculiar, table, tmp_path):
    cells = {name: np.array(column) for name, column in table.items()}
    sky = write_hats(tmp_path / "sky", cells)
    write(cells, tmp_path / "sky.parquet")
    about = json.loads(peculiar("info", sky, "--json").out)
    assert (about["n_rows"], len(about["files"])) == (60, 5)
    settings = ["--features", "u, g", "-k", "1", "--tol", "1e-3"]
    model = tmp_path / "sky.peculiar"
    assert peculiar("fit", sky, *settings, "--out", model).code == 0
    found = []
    for number, command in enumerate(
        (["score", model, f"{sky}.parquet"], ["score", model, sky], ["rank", sky, *settings])
    ):
        assert peculiar(*command, "--out", tmp_path / f"{number}.fits").code == 0
        found.append(read(tmp_path / f"{number}.fits"))
    for ranked in found[1:]:
        for name in ("name", "row", "p_value", "log_density"):
            np.testing.assert_array_equal(ranked[name], found[0][name])


def test_a_folder_of_parquet(tmp_path):
    folder = tmp_path / "survey"
    for name, value in (("year=2001/b.parquet", 2.0), ("a.parquet", 1.0), ("_tmp/x.parquet", 9.0)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write({"u": [value], "u_err": [0.1]}, folder / name)
    assert list(read(folder)["u"]) == [1.0, 2.0]
    assert count_rows(folder) == 2
    (tmp_path / "empty").mkdir()
    with pytest.raises(CatalogueError, match=r"is a folder; give a file.*pattern, such as"):
        read(tmp_path / "empty")


@pytest.mark.parametrize("form", ["parquet", "fits", "hdf5", "csv"])
def test_a_file_without_rows_among_others(tmp_path, form):
    """It is left out: it was an error (text cannot follow no text) that nobody could understand."""
    rows = {"name": ["a", "b", "c"], "u": [1, 2, 3], "u_err": [0.1, 0.2, 0.3]}
    for number, some in enumerate([slice(0), slice(2), slice(0), slice(2, 3)]):
        table = Table(rows)[some]
        table["u"].unit = "mag"
        write(table, tmp_path / f"{number}.{form}")
    table = read(tmp_path / f"*.{form}")
    assert [*table["name"]] == ["a", "b", "c"]
    assert [name[-len(form) - 2 : -len(form) - 1] for name in table["source_file"]] == [*"113"]
    assert table["u"].dtype.kind == "i"
    assert (str(table["u"].unit) == "mag") == (form != "csv")
    empty = read(tmp_path / f"[02].{form}")
    assert (len(empty), empty.colnames) == (0, ["name", "u", "u_err", "source_file"])


@pytest.mark.parametrize(
    ("third", "message"),
    [
        ({"u": [1.0]}, r"field_3\.fits has no column 'u_err', but .*field_1\.fits has one; all fi"),
        ({"u": [1.0], "u_err": [0.1], "g": [1]}, r"field_1\.fits has no column 'g', but .*field_3"),
        ({"u": [1.0], "u_err": [0.1]}, r"the unit of column 'u' is none, but mag in .*field_1"),
    ],
)
def test_files_that_differ(fields, third, message):
    write(third, fields / "field_3.fits")
    for function in (read, list_columns):
        with pytest.raises(CatalogueError, match=message):
            function(fields / "field_*.fits")


def test_text_here_and_numbers_there(tmp_path):
    (tmp_path / "a1.csv").write_text("u,u_err\n1,.1\n")
    (tmp_path / "a2.csv").write_text("u,u_err\nbright,.1\n")
    with pytest.raises(CatalogueError, match=r"column 'u' has text in .*a2\.csv and numbers in "):
        read(tmp_path / "a*.csv")


def test_no_file_matches(tmp_path):
    with pytest.raises(CatalogueError, match=r"no file matches '.*field_\*\.fits'"):
        read(tmp_path / "field_*.fits")


def test_the_command_line_takes_a_pattern(peculiar, catalogue, model, tmp_path):
    lines = catalogue.read_text().splitlines()
    for number, part in enumerate((lines[1:150], lines[150:])):
        (tmp_path / f"part{number}.csv").write_text("\n".join([lines[0], *part]) + "\n")
    pattern, out = tmp_path / "part*.csv", tmp_path / "ranked.csv"
    assert "2 files, 300 rows, 13 columns" in peculiar("info", pattern).out
    assert len(json.loads(peculiar("info", pattern, "--json").out)["files"]) == 2
    assert peculiar("score", model, pattern, "--out", out, "-q").code == 0
    ranked = read(out)
    assert len(ranked) == 300
    assert set(ranked["source_file"]) == {str(tmp_path / f"part{number}.csv") for number in (0, 1)}
    done = peculiar("score", model, pattern, "--out", tmp_path / "part1.csv", "--overwrite")
    assert "is the input itself" in done.err


@pytest.mark.parametrize("form", ["csv", "fits", "parquet", "csv.gz"])
def test_standard_input(peculiar, catalogue, model, tmp_path, monkeypatch, form):
    path = tmp_path / f"a.{form}"
    write(Table.read(catalogue), path)

    def feed():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))

    feed()
    done = peculiar("info", "-")
    assert done.out.startswith(f"-: {form.removesuffix('.gz')}, 300 rows, 12 columns")
    feed()
    said = json.loads(peculiar("score", model, "-", "--json", "--top", "1").out)
    assert said["catalogue"] == "-"
    assert said["n_objects"] == 300


def test_a_standard_input_that_is_closed_or_empty(peculiar, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in peculiar("info", "-").err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    done = peculiar("info", "-")
    assert done.code == 1
    assert "standard input is empty; there is no catalogue to read" in done.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"u,u_err\n1,0.1\n")))
    done = peculiar("info", "-", "--format", "fits")
    assert "standard input is not fits" in done.err


@pytest.mark.parametrize("name", ["./-", "././-", "{here}/-"])
def test_a_file_with_the_name_of_standard_input(peculiar, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    (tmp_path / "-").write_text("u,u_err\n1,0.1\n2,0.1\n")
    done = peculiar("info", name.format(here=tmp_path), "--format", "csv")
    assert done.code == 0, done.err
    assert "csv, 2 rows, 2 columns" in done.out
    assert "standard input is closed" in peculiar("info", "-", "--format", "csv").err


def test_where(peculiar, catalogue, model, tmp_path):
    whole = read(catalogue)
    chosen = np.flatnonzero(np.ma.filled(whole["r"] < 19, fill_value=False))
    out = tmp_path / "ranked.csv"
    done = peculiar("score", model, catalogue, "--where", "r < 19", "--out", out)
    assert done.code == 0, done.err
    assert f"{len(chosen):,} of 300 rows are chosen by --where" in done.out
    ranked = read(out)
    assert sorted(ranked["row"]) == list(chosen)  # as they are counted in the catalogue
    assert list(ranked["name"]) == list(whole["name"][ranked["row"]])
    assert "no row of 300 is chosen" in peculiar("score", model, catalogue, "--where", "r < 0").err
    assert peculiar("score", model, catalogue, "--where", "q < 0").code == 1
