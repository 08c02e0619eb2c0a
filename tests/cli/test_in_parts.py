"""A catalogue that is read in parts has the list that it has in memory, from all formats; and a run can be killed."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from astropy.table import MaskedColumn
from pyarrow import parquet

from peculiar.catalogue import as_table, read, write
from peculiar.catalogue.formats.arrow import to_arrow

FEATURES = "u - r, g - r, r"
SMALL = ["--memory", "1MB"]
N = 1500


def sky(n=N, seed=0):
    """Two populations, a dense group far away, some strange objects; values missing, errors of all sizes."""
    rng = np.random.default_rng(seed)
    clean = rng.normal(size=(n, 3)) * [1.0, 0.7, 1.5]
    clean[: n // 3] += [4.0, 3.0, 0.0]
    clean[n // 3 : n // 3 + 40] = rng.normal(size=(40, 3)) * 0.1 + [-9.0, 9.0, -9.0]
    clean[-20:] += rng.normal(size=(20, 3)) * 15
    order = rng.permutation(n)
    columns = {"name": [f"object {i}" for i in range(n)]}
    for j, band in enumerate("ugr"):
        errors = rng.uniform(0.05, 0.4, n)
        columns[band] = clean[order, j] + errors * rng.normal(size=n)
        columns[f"{band}_err"] = errors
    table = as_table(columns)
    table["u"][rng.random(n) < 0.1] = np.nan
    table["shared"] = 0.3 * np.asarray(table["u_err"]) * np.asarray(table["g_err"])
    table["field"] = MaskedColumn(rng.integers(0, 4, n), mask=rng.random(n) < 0.1)
    table["g"].unit = "mag"
    table["g"].description = "brightness"
    for band in "ugr":
        table[band][7] = np.nan  # nothing is known of it
    table.meta["SURVEY"] = "a test"
    return table


@pytest.fixture(scope="module")
def skies(tmp_path_factory):
    """The same catalogue in all formats that can be read in parts."""
    folder, table = tmp_path_factory.mktemp("skies"), sky()
    paths = {name: folder / f"sky.{name}" for name in ("parquet", "fits", "h5")}
    for path in paths.values():
        write(table, path)
    paths["folder"] = folder / "many"
    paths["folder"].mkdir()
    for i, rows in enumerate((slice(0, 600), slice(600, 601), slice(601, N))):
        parquet.write_table(
            to_arrow(table[rows]), paths["folder"] / f"{i}.parquet", row_group_size=300
        )
    return paths


@pytest.fixture(scope="module")
def fitted(skies):
    """A model file of that catalogue, which knows of a strange group."""
    from peculiar.cli import main

    path = skies["parquet"].with_name("sky.peculiar")
    settings = ["--features", FEATURES, "-k", "3", "--tol", "1e-4", "--jobs", "1", "-q"]
    assert main(["fit", str(skies["parquet"]), *settings, "--out", str(path)]) == 0
    return path


def both(run, tmp_path, *arguments, out=True):
    """What a command says and writes with all rows in memory, and in parts."""
    found = []
    for name, more in (("memory", []), ("parts", SMALL)):
        path = tmp_path / f"{name}.parquet"
        target = ["--out", path, "--overwrite"] if out else []
        done = run(*arguments, *target, *more, "--json")
        assert done.code == 0, done.err
        found.append((json.loads(done.out), read(path) if out else None))
    return found


def assert_same_lists(one, other):
    assert one.colnames == other.colnames
    for name in one.colnames:
        a, b = one[name], other[name]
        assert (a.unit, a.description, a.dtype.kind) == (b.unit, b.description, b.dtype.kind)
        np.testing.assert_array_equal(
            np.ma.getmaskarray(np.ma.asarray(a)), np.ma.getmaskarray(np.ma.asarray(b))
        )
        if name == "error_tolerance":  # a root, as exact as the steps that led to it
            np.testing.assert_allclose(a, b, rtol=1e-6)
        else:
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b), err_msg=name)


def assert_same_words(one, other):
    for key in ("n_objects", "n_discoveries", "groups", "calibration", "notes", "errors"):
        assert one[key] == other[key], key
    assert len(one["candidates"]) == len(other["candidates"]) > 0
    for mine, theirs in zip(one["candidates"], other["candidates"], strict=True):
        tolerances = mine.pop("error_tolerance"), theirs.pop("error_tolerance")
        assert tolerances[0] == pytest.approx(tolerances[1], rel=1e-6)
        assert mine == theirs


@pytest.mark.parametrize("form", ["parquet", "folder", "fits", "h5"])
def test_the_same_list_from_all_formats(peculiar, skies, fitted, tmp_path, form):
    """To the last digit: what is found about a row does not depend on the others, and ranks are exact."""
    (one, memory), (other, parts) = both(
        peculiar, tmp_path, "score", fitted, skies[form], "--show", "name,field"
    )
    assert one["n_discoveries"] > 10
    assert {line["group"] for line in one["groups"]} == {"", "A"}
    assert_same_words(one, other)
    assert_same_lists(memory, parts)
    for key in ("MADE_BY", "MODEL", "CATALOG", "FEATURES", "FDR", "RECIPE", "SURVEY"):
        assert memory.meta.get(key) == parts.meta.get(key), key
    assert not list(tmp_path.glob(".*"))  # nothing is left behind


@pytest.mark.parametrize(
    "more",
    [
        ["--method", "storey", "--where", "field != 2 and r < 3"],
        ["--method", "bayes", "--order", "mixed", "--where", "g > -99"],
        ["--order", "mixed", "--fdr", "0.3"],
        ["--features", "u, g, r", "--cov", "u,g=shared", "--error", "r=0.2"],
    ],
    ids=lambda more: " ".join(more[:4]),
)
def test_the_same_list_by_all_rules(peculiar, skies, fitted, tmp_path, more):
    (one, memory), (other, parts) = both(
        peculiar, tmp_path, "score", fitted, skies["folder"], *more
    )
    assert one["n_discoveries"] > 0
    assert_same_words(one, other)
    assert_same_lists(memory, parts)


def test_a_list_for_the_screen_alone(peculiar, skies, fitted, tmp_path):
    """Then nothing is written but what ranks the rows, and that is gone in the end."""
    arguments = "score", fitted, skies["folder"], "--top", "7", "--show", "name"
    (one, _), (other, _) = both(peculiar, tmp_path, *arguments, out=False)
    assert_same_words(one, other)
    texts = [peculiar(*arguments, *more).out for more in ([], SMALL)]
    start = "1 strange group"
    assert texts[0][texts[0].index(start) :] == texts[1][texts[1].index(start) :]


def test_rank_and_fit_find_the_same(peculiar, skies, tmp_path):
    """The sample from which a fit starts, and its sums, do not depend on how the table is cut."""
    settings = "--features", FEATURES, "-k", "3", "--max-iter", "8", "--jobs", "1"
    (one, memory), (other, parts) = both(peculiar, tmp_path, "rank", skies["folder"], *settings)
    assert one["n_discoveries"] == other["n_discoveries"] > 10
    np.testing.assert_array_equal(memory["row"][:50], parts["row"][:50])
    np.testing.assert_allclose(memory["p_value"], parts["p_value"], rtol=1e-6)
    model = tmp_path / "fitted.peculiar"
    done = peculiar("fit", skies["h5"], *settings, *SMALL, "--out", model, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["model"]
    assert found["mean_log_likelihood"] == pytest.approx(
        one["model"]["mean_log_likelihood"], abs=1e-6
    )
    assert found["groups"]["group"] == one["model"]["groups"]["group"]


def test_the_choice_is_said(peculiar, skies, fitted):
    small = peculiar("score", fitted, skies["folder"], *SMALL, "--top", "1")
    assert "many: 1,500 rows, about 2 MB in memory, --memory 1 MB: read in parts" in small.out
    large = peculiar("score", fitted, skies["folder"], "--memory", "2GB", "--top", "1")
    assert "--memory 2 GB: read whole" in large.out
    usual = peculiar("score", fitted, skies["folder"], "--top", "1")
    assert "in memory," not in usual.out


@pytest.mark.parametrize("command", ["rank", "fit", "score"])
def test_a_dry_run_does_nothing(peculiar, skies, fitted, tmp_path, monkeypatch, command):
    """It says what would be done; nothing but headers is read, and nothing is written."""
    monkeypatch.setattr("peculiar.cli.loading.load", None)
    before = sorted(tmp_path.iterdir())
    out = tmp_path / ("model.peculiar" if command == "fit" else "list.parquet")
    given = [fitted] if command == "score" else ["--features", FEATURES, "-k", "4"]
    arguments = command, *given, skies["folder"], "--out", out, "--dry-run", *SMALL
    done = peculiar(*arguments)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "many: 1,500 rows" in said
    assert "read in parts" in said
    assert "features: u - r, g - r, r" in said
    assert ("fit: 4 components, at most 1,000 iterations; about" in said) == (command != "score")
    assert ("judge: " in said) == (command != "fit")
    assert f"write: {out}" in said
    assert "Nothing was done" in said
    assert sorted(tmp_path.iterdir()) == before
    told = json.loads(peculiar(*arguments, "--json").out)
    assert (told["dry_run"], told["in_parts"], told["n_rows"]) == (True, True, N)
    assert told["seconds"] > 0


def test_a_run_that_was_killed_goes_on(peculiar, start, skies, fitted, tmp_path):
    """SIGKILL in the middle of judging: what was done is not done again, and the list is the same."""
    out, whole = tmp_path / "list.parquet", tmp_path / "whole.parquet"
    arguments = "score", fitted, skies["folder"], *SMALL, "--top", "3", "--jobs", "1"
    slow = (
        "import time\nfrom peculiar.report.in_parts.pieces import JudgePiece\n"
        "judge = JudgePiece.__call__\n"
        "def slowly(self, number, piece, advance=None):\n"
        "    if number == 3: time.sleep(100)\n"
        "    return judge(self, number, piece, advance)\n"
        "JudgePiece.__call__ = slowly\n"
        "from peculiar.cli import __main__\n"
    )
    process = start(*arguments, "--out", out, code=slow)
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(".list.parquet.parts-*/judged/000002.json")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    (folder,) = tmp_path.glob(".list.parquet.parts-*")
    kept = {path: path.stat().st_mtime_ns for path in (folder / "judged").glob("*.parquet")}
    assert len(kept) == 3

    damaged = folder / "judged" / "000001.parquet"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 255
    damaged.write_bytes(content)
    worked = []
    from peculiar.report.in_parts.pieces import JudgePiece

    judge = JudgePiece.__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            JudgePiece,
            "__call__",
            lambda self, number, *rest: worked.append(number) or judge(self, number, *rest),
        )
        done = peculiar(*arguments, "--out", out)
    assert done.code == 0, done.err
    assert "Going on with what an earlier run has left" in done.out
    assert worked[:2] == [1, 3]  # damaged, and the first that was not done
    assert not folder.exists()
    assert peculiar(*arguments, "--out", whole).code == 0
    assert_same_lists(read(out), read(whole))


def test_parts_of_another_run_are_not_taken(peculiar, skies, fitted, tmp_path, monkeypatch):
    """Other rows, or another model, have a folder of their own; the one that is left is named."""
    out = tmp_path / "list.parquet"

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("peculiar.report.in_parts.listing.sort", stop)
        stopped = peculiar("score", fitted, skies["folder"], *SMALL, "--out", out)
    (left,) = tmp_path.glob(".list.parquet.parts-*")
    assert stopped.code == 130
    assert f"what is done is kept in {left}; the same command goes on" in stopped.err
    done = peculiar(
        "score", fitted, skies["folder"], *SMALL, "--where", "r > 0", "--out", out, "--top", "1"
    )
    assert done.code == 0, done.err
    assert left.name in done.out.replace("\n", "")
    assert left.exists()
    assert (read(out)["r"] > 0).all()


def test_a_full_disk_leaves_what_was_there(peculiar, skies, fitted, tmp_path, monkeypatch):
    out = tmp_path / "list.parquet"
    out.write_text("of yesterday")
    arguments = "score", fitted, skies["folder"], *SMALL, "--out", out, "--overwrite"
    from peculiar.catalogue.sorting.appended import Appended

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Appended, "add", full)
        done = peculiar(*arguments)
    assert done.code == 1
    assert f"{out} cannot be written: no space is left on the disk" in done.err
    assert out.read_text() == "of yesterday"
    assert len([*tmp_path.glob(".list.parquet.parts-*/judged/*.parquet")]) > 3
    assert peculiar(*arguments).code == 0
    assert len(read(out)) == N


def several_types(skies, tmp_path, *columns):
    """The folder of the catalogue, with another column that is of another type in each of two files."""
    folder = tmp_path / "several"
    folder.mkdir()
    table = read(skies["parquet"])
    for i, column in enumerate(columns):
        rows = table[i * N // 2 : (i + 1) * N // 2]
        rows["flag"] = column(len(rows))
        parquet.write_table(to_arrow(rows), folder / f"{i}.parquet")
    return folder


@pytest.mark.parametrize(
    "columns",
    [
        (np.arange, lambda n: np.arange(n) / 2),
        (lambda n: np.arange(n, dtype="u8"), lambda n: -np.arange(n)),
    ],
    ids=["integers and fractions", "with signs and without"],
)
def test_a_column_of_several_types_is_carried_along(peculiar, skies, fitted, tmp_path, columns):
    folder = several_types(skies, tmp_path, *columns)
    (one, memory), (other, parts) = both(
        peculiar, tmp_path, "score", fitted, folder, "--show", "flag"
    )
    assert_same_words(one, other)
    assert_same_lists(memory, parts)


def test_a_column_without_any_value_may_be_text_elsewhere(peculiar, skies, fitted, tmp_path):
    def numbers(n):
        return np.ma.MaskedArray(np.zeros(n), mask=True)

    folder, out = several_types(skies, tmp_path, numbers, lambda n: ["a"] * n), tmp_path / "o.pq"
    done = peculiar(
        "score", fitted, folder, *SMALL, "--show", "flag", "--top", N, "--out", out, "--json"
    )
    assert done.code == 0, done.err
    assert sorted(set(read(out)["flag"].filled("?"))) == ["?", "a"]


@pytest.mark.parametrize("more", [["--out", "list.parquet"], ["--show", "flag"]], ids=str)
def test_text_and_numbers_are_refused_before_any_work(
    peculiar, skies, fitted, tmp_path, monkeypatch, more
):
    folder = several_types(skies, tmp_path, np.arange, lambda n: ["a"] * n)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("peculiar.report.in_parts.list_in_parts", None)
    done = peculiar("score", fitted, folder, *SMALL, *more)
    assert done.code == 1
    said = f"column 'flag' has numbers in {folder}/0.parquet and text in {folder}/1.parquet, which"
    assert said in done.err
    assert "give it one type in all files, or leave it out of them" in done.err
    assert not list(tmp_path.glob(".*"))


def test_rows_do_not_vanish(peculiar, skies, fitted, tmp_path, monkeypatch):
    """A part file that is removed between two passes is missed; the same command makes it again."""
    from peculiar.report.in_parts import listing

    sort = listing.sort

    def losing(files, *more):
        (files.folder / "000001.parquet").unlink()
        return sort(files, *more)

    out = tmp_path / "list.parquet"
    arguments = "score", fitted, skies["folder"], *SMALL, "--out", out
    with monkeypatch.context() as patch:
        patch.setattr(listing, "sort", losing)
        done = peculiar(*arguments)
    assert done.code == 1
    assert "000001.parquet is not there, though its rows were worked on" in done.err
    assert peculiar(*arguments).code == 0
    assert len(read(out)) == N


def test_rows_are_counted(peculiar, skies, fitted, tmp_path, monkeypatch):
    """A part file that has fewer rows than were judged."""
    from peculiar.catalogue.sorting import PartFiles

    whole = PartFiles.read
    monkeypatch.setattr(
        PartFiles, "read", lambda self, *what: (table.slice(1) for table in whole(self, *what))
    )
    done = peculiar("score", fitted, skies["folder"], *SMALL, "--out", tmp_path / "list.parquet")
    assert done.code == 1
    assert "1,500 rows were judged, but 1,49" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks")
def test_the_same_list_is_not_made_twice_at_a_time(peculiar, skies, fitted, tmp_path, monkeypatch):
    arguments = "score", fitted, skies["folder"], *SMALL, "--out", tmp_path / "list.parquet"
    from peculiar.report.in_parts import listing

    sort, seen = listing.sort, []

    def meanwhile(*given):
        monkeypatch.setattr(listing, "sort", sort)
        seen.append(peculiar(*arguments))
        return sort(*given)

    monkeypatch.setattr(listing, "sort", meanwhile)
    assert peculiar(*arguments).code == 0
    assert seen[0].code == 1
    assert "another process is making this list" in seen[0].err


def test_what_cannot_be_done_in_parts_is_refused_at_once(peculiar, skies, fitted, tmp_path):
    done = peculiar("score", fitted, skies["fits"], *SMALL, "--out", tmp_path / "list.fits")
    assert done.code == 1
    assert "can only be written as Parquet, not as fits; let --out end in .parquet" in done.err
    table = tmp_path / "sky.csv"
    write(sky(20_000), table)
    done = peculiar("score", fitted, table, *SMALL)
    assert done.code == 1
    assert "--memory 1 MB; " in done.err
    assert "which can only be read whole; make it Parquet or FITS first" in done.err
    done = peculiar("score", fitted, skies["fits"], "--memory", "7")
    assert done.code == 2
    assert "'7' is no size; say it as 500MB, 2GB or 1.5GB" in done.err


def test_a_damaged_row_group_is_named(peculiar, skies, fitted, tmp_path):
    path = tmp_path / "sky.parquet"
    parquet.write_table(to_arrow(sky()), path, row_group_size=500)
    about = parquet.read_metadata(path).row_group(2).column(1)
    content = bytearray(path.read_bytes())
    start = about.dictionary_page_offset or about.data_page_offset
    content[start : start + about.total_compressed_size] = bytes(about.total_compressed_size)
    path.write_bytes(content)
    done = peculiar("score", fitted, path, *SMALL)
    assert done.code == 1
    assert "sky.parquet: row group 2 (rows 1,000 to 1,499) cannot be read" in done.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of a process from Linux")
def test_memory_does_not_grow_with_the_rows(fitted, tmp_path):
    """Five times the rows take hardly more memory, where these rows in memory would take some 80 MB more."""
    peaks = []
    for n in (15_000, 75_000):
        path = tmp_path / f"{n}.parquet"
        parquet.write_table(to_arrow(sky(n)), path, row_group_size=5_000)
        command = [
            "score",
            fitted,
            path,
            "--memory",
            "20MB",
            "--out",
            tmp_path / f"{n}.out.parquet",
        ]
        code = (
            "import resource, sys\nfrom peculiar.cli import main\ncode = main(sys.argv[1:])\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\nsys.exit(code)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, command)],
            capture_output=True,
            text=True,
            env=os.environ,
            check=True,
        )
        peaks.append(int(done.stderr.split()[-1]) / 1024)
    assert peaks[1] - peaks[0] < 30, peaks
