"""Rows that are sorted on the disk: the order is that of one sort in memory, and what is kept is whole or not taken."""

import contextlib
import json

import numpy as np
import pytest
from astropy.table import Table

from peculiar.catalogue.sorting import (
    PartFiles,
    bucket_of,
    edges_of,
    files_of,
    filling,
    run_folder,
    sorted_rows,
    thin,
)
from peculiar.errors import CatalogueError


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
    assert list(tmp_path.iterdir()) == []


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
