"""Every type of column through every format: the same values, in the same type or the nearest one there is."""

import json

import numpy as np
import pytest
from astropy.table import Column, MaskedColumn, Table

from peculiar.catalogue import read, write
from peculiar.catalogue.formats import WRITTEN
from peculiar.errors import CatalogueError

GONE = np.array([False, True, False, True])
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i8", ">u8"]
OTHERS = ["f2", "f4", "f8", ">f4", "f16", "c8", "c16", "?"]
formats = pytest.mark.parametrize("form", list(WRITTEN))
masks = pytest.mark.parametrize("is_masked", [False, True], ids=["whole", "masked"])


def mask_of(cells):
    return np.broadcast_to(np.asarray(getattr(cells, "mask", False)), cells.shape)


def column(cells, *, is_masked):
    cells = np.asarray(cells)
    if not is_masked:
        return Column(cells)
    gone = np.broadcast_to(GONE.reshape(-1, *[1] * (cells.ndim - 1)), cells.shape)
    return MaskedColumn(cells, mask=gone)


def back(folder, form, cells, *, some=False):
    path = folder / "x.any"
    write(Table({"n": np.arange(len(cells)), "x": cells}), path, format=form)
    return read(path, format=form, columns=["x"] if some else None)["x"]


@formats
@masks
def test_integers_keep_every_digit(tmp_path, form, is_masked):
    ends = {dtype: np.iinfo(np.dtype(dtype)) for dtype in INTEGERS}
    cells = {d: np.array([ends[d].max, 0, ends[d].min, 1], d) for d in INTEGERS}
    given = Table({d: column(each, is_masked=is_masked) for d, each in cells.items()})
    write(given, tmp_path / "x.any", format=form)
    after = read(tmp_path / "x.any", format=form)
    for name in INTEGERS:
        found, seen = after[name], ~mask_of(given[name])
        assert mask_of(found).tolist() == (~seen).tolist(), name
        assert found.dtype.kind in "iu" or (form == "votable" and "u8" in name)
        assert [int(n) for n in found[seen]] == [int(n) for n in cells[name][seen]], name


@formats
@masks
@pytest.mark.parametrize("some", [False, True], ids=["all", "some"])
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # NumPy, of 1e20 as f2
def test_other_numbers(tmp_path, form, is_masked, some):
    cells = {d: np.array([1.5, 0, -2, 1]).astype(d) for d in OTHERS}
    given = Table({d: column(each, is_masked=is_masked) for d, each in cells.items()})
    write(given, tmp_path / "x.any", format=form)
    after = read(tmp_path / "x.any", format=form, columns=OTHERS if some else None)
    for name in OTHERS:
        found, seen = after[name], ~mask_of(given[name])
        assert mask_of(found).tolist() == (~seen).tolist(), name
        assert [complex(n) for n in found[seen]] == cells[name][seen].astype(complex).tolist(), name


@formats
@masks
@pytest.mark.parametrize(
    "cells",
    [
        np.array(["a", "ü☃", 'q"u,o', "007"]),
        np.array(["a", "b", "zz", "y"]).astype("S"),
        np.array(["new\nline", "nan", "NA", "1e5"]),
    ],
    ids=["unicode", "bytes", "words"],
)
def test_text(tmp_path, form, is_masked, cells):
    given = column(cells, is_masked=is_masked)
    after = back(tmp_path, form, given)
    assert after.dtype.kind == "U"
    assert mask_of(after).tolist() == mask_of(given).tolist()
    seen = ~mask_of(given)
    assert after[seen].tolist() == cells[seen].astype("U").tolist()


@formats
def test_bytes_that_are_no_text_are_shown(tmp_path, form):
    assert back(tmp_path, form, np.array([b"a\xff", b"b"])).tolist() == [r"a\xff", "b"]


@pytest.mark.parametrize("form", ["fits", "hdf5"])
def test_files_of_others_with_such_bytes_are_read(tmp_path, form):
    path = tmp_path / "x.any"
    where = {"path": "table"} if form == "hdf5" else {}
    Table({"x": np.array([b"Sm\xe5", b"b"])}).write(path, format=form, **where)
    assert read(path, format=form)["x"].tolist() == [r"Sm\xe5", "b"]


@formats
@masks
def test_dates_and_durations(tmp_path, form, is_masked):
    days = np.array(["2020-01-01T01:02:03", "1999-12-31", "2001-01-01", "2000-01-01"], "M8[s]")
    after = back(tmp_path, form, column(days, is_masked=is_masked))
    assert mask_of(after).tolist() == (GONE & is_masked).tolist()
    assert [after[0], after[2]] == ["2020-01-01T01:02:03", "2001-01-01T00:00:00"]
    (tmp_path / "x.any").unlink()
    spans = back(tmp_path, form, column(np.array([1500, 2, 3, 4], "m8[ms]"), is_masked=is_masked))
    assert [spans[0], spans[2]] == [1.5, 0.003]


@pytest.mark.parametrize("form", sorted(set(WRITTEN) - {"csv"}))
@masks
@pytest.mark.parametrize("dtype", ["f8", "i8", "?", "U1"])
def test_several_values_in_a_row(tmp_path, form, is_masked, dtype):
    cells = column(np.arange(16).reshape(4, 2, 2).astype(dtype), is_masked=is_masked)
    after = back(tmp_path, form, cells)
    if form == "votable" and dtype == "U1":  # astropy has no way to write it: JSON
        assert json.loads(after[0]) == cells[0].tolist()
        return
    assert mask_of(after).tolist() == mask_of(cells).tolist()
    assert after[~mask_of(cells)].tolist() == cells[~mask_of(cells)].tolist()


def test_csv_has_room_for_one_value(tmp_path):
    with pytest.raises(CatalogueError, match=r"'x' has .* values in a row"):
        back(tmp_path, "csv", np.zeros((4, 2)))


@formats
def test_objects_of_one_kind(tmp_path, form):
    words = back(tmp_path, form, np.array(["x", None, "y", "z"], object))
    assert mask_of(words).tolist() == [False, True, False, False]
    assert words[~mask_of(words)].tolist() == ["x", "y", "z"]
    (tmp_path / "x.any").unlink()
    numbers = back(tmp_path, form, np.array([2**62 + 1, None, 3, 4], object))
    assert numbers[~mask_of(numbers)].tolist() == [2**62 + 1, 3, 4]


@pytest.mark.parametrize("form", ["fits", "votable", "hdf5", "csv"])
def test_lists_and_records_are_json_where_there_is_no_place_for_them(tmp_path, form):
    cells = np.empty(3, dtype=object)
    cells[:] = [[1, 2], None, {"ra": 1.5}]
    after = back(tmp_path, form, cells)
    assert mask_of(after).tolist() == [False, True, False]
    assert [json.loads(after[0]), json.loads(after[2])] == [[1, 2], {"ra": 1.5}]
