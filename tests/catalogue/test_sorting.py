"""Rows that are sorted on the disk: the order is that of one sort in memory, and what is kept is whole or not taken."""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from astropy.table import Table

from peculiar.catalogue.sorting import (
    PartFiles,
    bucket_of,
    cast,
    edges_of,
    files_of,
    filling,
    one_schema,
    one_type,
    run_folder,
    sorted_rows,
    thin,
)
from peculiar.errors import CatalogueError, OutputError


def keys_with_ties(n, seed):
    rng = np.random.default_rng(seed)
    return np.round(rng.exponential(size=n), 1), np.round(rng.random(n), 1), rng.permutation(n)


@pytest.mark.parametrize("n_buckets", [1, 2, 7])
def test_buckets_follow_each_other(n_buckets):
    """Sorting within buckets is sorting all, also where many keys are equal."""
    parts = [keys_with_ties(700, seed) for seed in range(3)]
    parts = [(a, b, c + 700 * i) for i, (a, b, c) in enumerate(parts)]
    whole = tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))
    edges = edges_of([thin(keys, 20) for keys in parts], n_buckets)
    bucket = np.concatenate([bucket_of(edges, keys) for keys in parts])
    order = sorted_rows(whole)
    assert (np.diff(bucket[order]) >= 0).all()
    sizes = np.bincount(bucket, minlength=n_buckets)
    assert len(sizes) == n_buckets
    assert sizes.max() < 2100 / n_buckets + 3 * 20 + 1


def test_one_value_may_fill_several_buckets():
    """Rows of which nothing is known all have the p-value 1."""
    keys = np.zeros(1000), np.arange(1000)
    edges = edges_of([thin(keys, 10)], 4)
    assert np.ptp(np.bincount(bucket_of(edges, keys))) <= 20


def test_parts_that_were_damaged_are_not_done(tmp_path):
    files = PartFiles(tmp_path)
    assert files.done(0) is None
    facts = {"n_rows": 0}

    def tables():
        for rows in ([1, 2], [3]):
            facts["n_rows"] += len(rows)
            yield Table({"x": rows, "name": [str(row) for row in rows]})

    files.write(0, tables(), facts)
    files.write(1, iter(()), {})
    assert files.done(0) == {"n_rows": 3}
    assert files.done(1) == {}
    (found,) = files.columns(0, ["name"])
    assert found["name"].tolist() == ["1", "2", "3"]
    assert list(files.columns(1, ["name"])) == []
    path = tmp_path / "000000.parquet"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + b"?")
    assert files.done(0) is None
    path.unlink()
    assert files.done(0) is None
    for text in ("", "{", "[]", '{"facts": 1, "sha256": ""}'):
        (tmp_path / "000000.json").write_text(text)
        assert files.done(0) is None


def test_a_part_that_fails_is_not_there(tmp_path):
    files = PartFiles(tmp_path)
    files.write(0, [Table({"x": [1.0]})], {})

    def tables():
        yield Table({"x": [1.0]})
        yield Table({"x": ["text"]})

    with pytest.raises(CatalogueError, match=r"column 'x' has cells of several types"):
        files.write(0, tables(), {})
    assert files.done(0) is None
    assert [path.name for path in tmp_path.iterdir()] == ["000000.parquet"]  # until it is replaced
    (found,) = files.columns(0, ["x"])
    assert found["x"].tolist() == [1.0]
    files.write(0, iter(()), {})
    assert list(files.read(0)) == []


def test_a_part_that_is_gone_is_not_a_part_without_rows(tmp_path):
    files = PartFiles(tmp_path)
    files.write(0, [Table({"x": [1.0]})], {})
    (tmp_path / "000000.parquet").unlink()
    for number in (0, 1):  # removed, and never there
        with pytest.raises(CatalogueError, match=rf"00000{number}.parquet is not there, though"):
            list(files.read(number))


def test_text_may_be_missing_in_the_first_rows(tmp_path):
    files = PartFiles(tmp_path)
    missing = Table({"name": np.ma.MaskedArray(["a"], mask=[True])})
    files.write(0, [missing, Table({"name": ["b"]})], {})
    assert next(files.read(0))["name"].to_pylist() == [None, "b"]


def parts_of(folder, *columns):
    files = PartFiles(folder)
    for number, column in enumerate(columns):
        files.write(number, [Table({"x": column})], {})
    return files, [f"file {number}" for number in range(len(columns))]


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        (([1, 2], [1.5]), "double"),
        ((np.array([1], "u8"), np.array([-1], "i8")), "double"),
        ((["a"], np.ma.MaskedArray([0.0], mask=[True])), "string"),
        ((np.ma.MaskedArray([0], mask=[True]), ["a"]), "string"),
        ((np.array([[1, 2]]), np.array([[1.5, 2.5]])), "fixed_size_list<item: double>[2]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_parts_of_several_types_have_one_that_holds_all(tmp_path, columns, name):
    files, places = parts_of(tmp_path, *columns)
    schema = one_schema(files, places, str)
    assert str(schema.field("x").type) == name
    for number, column in enumerate(columns):
        (table,) = (cast(table, schema) for table in files.read(number))
        wanted = column.tolist() if isinstance(column, np.ndarray) else column
        assert table["x"].to_pylist() == wanted


def test_text_and_numbers_have_no_type_in_common(tmp_path):
    files, places = parts_of(tmp_path, [1], ["a"])
    message = r"column 'X' is int64 in file 0 and string in file 1, .* give it one type in all"
    with pytest.raises(CatalogueError, match=message):
        one_schema(files, places, str.upper)


def test_lists_of_several_lengths():
    import pyarrow as pa

    assert one_type([pa.list_(pa.int64(), 2), pa.list_(pa.int64())]) == pa.list_(pa.int64())
    assert one_type([pa.list_(pa.int64()), pa.list_(pa.string())]) is None
    assert one_type([pa.null()]) == pa.null()


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks")
def test_two_processes_do_not_share_a_folder(tmp_path):
    """The lock is gone with the process that had it, however that ended."""
    out = tmp_path / "list.parquet"
    code = (
        "import pathlib, sys\nfrom peculiar.catalogue.sorting import run_folder\n"
        "with run_folder(pathlib.Path(sys.argv[1]), {}, {}) as folder:\n"
        "    (folder.path / 'part').write_text('done')\n"
        "    print('there', flush=True)\n    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, str(out)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    ) as other:
        assert other.stdout.readline() == b"there\n"
        message = r"another process is making this list \(.*list\.parquet\) now; wait until it has ended, or choose"
        with pytest.raises(OutputError, match=message), run_folder(out, {}, {}):
            pass
        other.kill()
        other.wait()
    with run_folder(out, {}, {}) as folder:
        assert folder.is_continued
        assert (folder.path / "part").read_text() == "done"
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_locks_refuses_nobody(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def without(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", without)
    with run_folder(tmp_path / "a.parquet", {}, {}) as folder:
        assert folder.path.is_dir()
    module = sys.modules[run_folder.__module__]
    monkeypatch.setattr(module, "fcntl", None)  # as on Windows
    with run_folder(tmp_path / "a.parquet", {}, {}) as folder:
        assert folder.path.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_removed_meanwhile_is_made_again(tmp_path, monkeypatch):
    """Whoever waits to open the lock may open that of a folder that is gone when it has it."""
    fcntl = pytest.importorskip("fcntl")
    lock, seen = fcntl.flock, []

    def removing(number, what):
        if not seen:
            (folder,) = tmp_path.iterdir()
            folder.rename(tmp_path / "aside")
        seen.append(number)
        lock(number, what)

    monkeypatch.setattr(fcntl, "flock", removing)
    with run_folder(tmp_path / "a.parquet", {}, {}) as folder:
        assert (folder.path / "lock").exists()
    assert len(seen) == 2


def test_a_folder_stays_until_its_run_ends(tmp_path):
    out, same = tmp_path / "list.parquet", {"model": "a", "files": [["x", 1]]}
    with contextlib.suppress(KeyboardInterrupt), run_folder(out, same, {"rows": 10}) as first:
        assert not first.is_continued
        (first.path / "part").write_text("done")
        raise KeyboardInterrupt
    with contextlib.suppress(KeyError), run_folder(out, {"model": "b"}, {"rows": 10}) as other:
        assert other.others == (first.path,)
        assert other.path != first.path
        raise KeyError
    with run_folder(out, same, {"rows": 99}) as again:
        assert again.path == first.path
        assert again.is_continued
        assert again.kept == {"rows": 10}  # as it was decided, whatever memory there is now
        assert (again.path / "part").read_text() == "done"
    assert not first.path.exists()
    (other.path / "run.json").write_text("{")
    with run_folder(out, {"model": "b"}, {"rows": 5}) as anew:
        assert anew.path == other.path
        assert not anew.is_continued
        assert json.loads((anew.path / "run.json").read_text())["kept"] == {"rows": 5}


def test_a_sample_of_rows_does_not_keep_all_of_them():
    keys = np.arange(1000.0)[::-1].copy(), np.arange(1000)
    for column in thin(keys, 100):
        assert len(column) == 10
        assert column.base is None


def test_without_an_output_nothing_stays():
    with contextlib.suppress(KeyError), run_folder(None, {}, {"rows": 1}) as folder:
        assert folder.path.is_dir()
        raise KeyError
    assert not folder.path.exists()


def test_another_content_is_another_catalogue(tmp_path):
    for name in ("a.parquet", "b.parquet"):
        (tmp_path / name).write_bytes(b"1")
    before = files_of(tmp_path)
    assert [row[0] for row in before] == [
        str(tmp_path / name) for name in ("a.parquet", "b.parquet")
    ]
    (tmp_path / "b.parquet").write_bytes(b"12")
    assert files_of(tmp_path) != before


def test_rows_of_several_buckets_are_put_together(tmp_path):
    import pyarrow as pa

    with filling(tmp_path, 4) as filled:
        for start in (0, 50):
            x = np.arange(start, start + 50)
            filled.add(pa.table({"x": x}), x % 3)
    buckets = filled.buckets()
    assert buckets.sizes == (34, 33, 33)  # the fourth is empty
    assert buckets.columns(1, ["x"])["x"].tolist() == list(range(1, 100, 3))
    found = buckets.gather([(0, np.array([1])), (2, np.array([0, 2]))], np.array([2, 0, 1]))
    assert found["x"].to_pylist() == [8, 3, 2]
