"""The contract of every format: what is written is read again, as far as the format has a place for it."""

import gzip

import numpy as np
import pytest
from astropy.table import Table
from numpy.testing import assert_array_equal

from peculiar.catalogue import list_columns, read, write
from peculiar.catalogue.formats import WRITTEN
from tests.catalogue.helpers import (
    EXTENSIONS,
    FORMATS,
    KEEPS_META,
    KEEPS_UNITS,
    mask_of,
    sample,
)

formats = pytest.mark.parametrize("form", FORMATS)


def written(folder, form, table=None):
    path = folder / "catalogue.any"
    write(sample() if table is None else table, path, format=form)
    return path


def test_the_tests_know_every_format_that_is_written():
    assert set(FORMATS) == set(WRITTEN)


@formats
def test_values_and_masks_come_back(tmp_path, form):
    before, after = sample(), read(written(tmp_path, form), format=form)
    assert after.colnames == before.colnames
    for name in before.colnames:
        assert_array_equal(mask_of(after[name]), mask_of(before[name]), err_msg=name)
        seen = ~mask_of(before[name])
        given, found = np.asarray(before[name])[seen], np.asarray(after[name])[seen]
        assert_array_equal(found.astype(given.dtype), given, err_msg=name)


@formats
def test_kinds_of_columns_come_back(tmp_path, form):
    after = read(written(tmp_path, form), format=form)
    kinds = {name: after[name].dtype.kind for name in after.colnames}
    truth = "i" if form == "fits" else "b"  # a masked truth is an integer there
    assert kinds == {
        "name": "U", "u_mag": "f", "flux": "f", "single": "f", "count": "i", "source_id": "i", "remark": "U",
        "good": truth,
    }  # fmt: skip


@formats
def test_units_and_descriptions_come_back(tmp_path, form):
    after = read(written(tmp_path, form), format=form)
    units = [str(after[name].unit) for name in ("u_mag", "flux", "count")]
    assert units == (["mag", "Jy", "None"] if form in KEEPS_UNITS else ["None"] * 3)
    assert after["u_mag"].description == ("brightness" if form in KEEPS_UNITS else None)


@formats
def test_metadata_come_back(tmp_path, form):
    meta = dict(read(written(tmp_path, form), format=form).meta)
    as_text = {"votable": {"AUTHOR": "me", "EPOCH": "2015.5"}}
    assert meta == (
        {"AUTHOR": "me", "EPOCH": 2015.5} if form in KEEPS_META else as_text.get(form, {})
    )


@formats
def test_the_table_that_is_written_stays_as_it_is(tmp_path, form):
    table, copy = sample(), sample()
    written(tmp_path, form, table)
    for name in copy.colnames:
        assert_array_equal(mask_of(table[name]), mask_of(copy[name]))
        assert_array_equal(np.asarray(table[name]), np.asarray(copy[name]))
    assert table.meta == copy.meta


@formats
def test_ucds_come_back(tmp_path, form):
    table = Table({"u": [1.0], "e": [0.1]})
    table["e"].meta["ucd"] = "stat.error;phot.mag"
    path = written(tmp_path, form, table)
    expected = "stat.error;phot.mag" if form in KEEPS_UNITS else ""
    assert [column.ucd for column in list_columns(path, format=form)] == ["", expected]
    assert read(path, format=form)["e"].meta.get("ucd", "") == expected


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_extensions(tmp_path, extension):
    path = tmp_path / f"Some.Name.{extension}"
    write(sample(), path)
    after = read(path)
    assert list(after["name"]) == list(sample()["name"])
    is_zipped = path.read_bytes()[:2] == b"\x1f\x8b"
    assert is_zipped == extension.endswith(".gz")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_zipped_whatever_the_name_says(tmp_path):
    path = tmp_path / "stars.csv"
    path.write_bytes(gzip.compress(b"u,u_err\n1,.1\n"))
    assert read(path)["u"][0] == 1


def test_zipping_twice_gives_the_same_bytes(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write({"u": [1.0]}, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


@formats
def test_listing(tmp_path, form):
    listing = list_columns(written(tmp_path, form), format=form)
    assert [column.name for column in listing] == sample().colnames
    kinds = {column.name: column.dtype for column in listing}
    assert kinds["name"] == kinds["remark"] == "str"
    assert kinds["u_mag"] == "float64"
    assert kinds["source_id"] == "int64"
    units = {column.name: column.unit for column in listing}
    assert units["flux"] == ("Jy" if form in KEEPS_UNITS else "")


@formats
def test_no_rows(tmp_path, form):
    table = read(written(tmp_path, form, sample()[:0]), format=form)
    assert len(table) == 0
    assert table.colnames == sample().colnames


@formats
def test_big_endian_and_small_types(tmp_path, form):
    table = Table({"a": np.array([1.5, -2.5], dtype=">f4"), "b": np.array([1, 200], dtype="u1")})
    after = read(written(tmp_path, form, table), format=form)
    assert_array_equal(after["a"], [1.5, -2.5])
    assert_array_equal(after["b"], [1, 200])


@pytest.mark.parametrize("form", ["fits", "ecsv", "parquet", "hdf5", "votable"])
def test_columns_of_several_values(tmp_path, form):
    table = Table({"a": np.arange(6.0).reshape(3, 2)})
    assert_array_equal(read(written(tmp_path, form, table), format=form)["a"], table["a"])


@pytest.mark.parametrize(
    ("form", "kwargs"), [("parquet", {}), ("hdf5", {"path": "x", "serialize_meta": True})]
)
def test_files_of_astropy(tmp_path, form, kwargs):
    path = tmp_path / "theirs"
    sample().write(path, format=form, **kwargs)
    after = read(path, format=form, columns=["count", "u_mag"])
    assert after.colnames == ["count", "u_mag"]
    assert str(after["u_mag"].unit) == "mag"
    assert_array_equal(mask_of(after["count"]), [False, True, False, False])
    assert_array_equal(np.asarray(after["count"])[2:], [999999, -5])


@pytest.mark.parametrize(("form", "kwargs"), [("parquet", {}), ("hdf5", {"path": "table"})])
def test_astropy_reads_ours(tmp_path, form, kwargs):
    table = sample()["flux", "source_id"]
    theirs = Table.read(written(tmp_path, form, table), format=form, **kwargs)
    assert str(theirs["flux"].unit) == "Jy"
    assert_array_equal(theirs["source_id"], table["source_id"])


def test_times_are_left_to_astropy(tmp_path):
    from astropy.time import Time

    table = Table({"t": Time([2451545.0], format="jd"), "u": [1.0]})
    for form in ("ecsv", "hdf5"):
        path = tmp_path / form
        write(table, path, format=form)
        assert read(path, format=form)["t"][0].jd == 2451545.0
        assert read(path, format=form, columns=["u"]).colnames == ["u"]


def test_hdf5_with_a_data_set_for_each_column(tmp_path):
    import h5py

    with h5py.File(tmp_path / "group.h5", "w") as file:
        group = file.create_group("survey/objects")
        group["u"] = np.arange(3.0)
        group["u"].attrs["unit"] = "mag"
        group["name"] = ["a", "b", "c"]
    table = read(tmp_path / "group.h5")
    assert sorted(table.colnames) == ["name", "u"]
    assert str(table["u"].unit) == "mag"
    assert list(table["name"]) == ["a", "b", "c"]


def test_masked_integers_of_every_value_in_fits(tmp_path):
    # TNULL has to be a number that is nobody's: the usual ones are taken.
    values = np.array([-32768, 32767, 999, 0], dtype=np.int16)
    table = Table({"a": np.ma.array(values, mask=[False, False, False, True])})
    after = read(written(tmp_path, "fits", table), format="fits")
    assert_array_equal(np.asarray(after["a"])[:3], values[:3])
    assert_array_equal(mask_of(after["a"]), [False, False, False, True])
