"""Of a big file only the columns that are needed are read."""

import numpy as np
import pytest
from astropy.table import Table
from numpy.testing import assert_array_equal

from peculiar.catalogue import measure, read, write
from peculiar.catalogue.formats import FORMATS as REGISTERED
from tests.catalogue.helpers import FORMATS, mask_of, sample


@pytest.mark.parametrize("form", FORMATS)
def test_columns_in_the_order_asked_for(tmp_path, form):
    write(sample(), tmp_path / "a", format=form)
    table = read(tmp_path / "a", format=form, columns=["flux", "name", "flux"])
    assert table.colnames == ["flux", "name"]
    assert list(table["name"]) == list(sample()["name"])


@pytest.mark.parametrize("form", FORMATS)
def test_a_part_is_the_same_as_in_the_whole(tmp_path, form):
    names = sample().colnames[::-1]
    write(sample(), tmp_path / "a", format=form)
    part, whole = (read(tmp_path / "a", format=form, columns=c) for c in (names, None))
    for name in names:
        assert part[name].dtype == whole[name].dtype
        assert part[name].unit == whole[name].unit
        assert part[name].description == whole[name].description
        assert_array_equal(mask_of(part[name]), mask_of(whole[name]))
        seen = ~mask_of(part[name])
        assert_array_equal(np.asarray(part[name])[seen], np.asarray(whole[name])[seen])
    assert dict(part.meta) == dict(whole.meta)


def test_parts_of_unusual_fits_tables(tmp_path):
    from astropy.io import fits

    lists = np.array([np.array([1, 2]), np.array([3])], dtype=object)
    columns = [
        fits.Column("id", format="K", array=np.array([1, 2**64 - 1], dtype=np.uint64), bzero=2**63),
        fits.Column("lists", format="PJ()", array=lists),
        fits.Column("is_good", format="L", array=np.array([True, False])),
        fits.Column("n", format="J", null=-99, array=np.array([5, -99])),
        fits.Column("scaled", format="I", array=np.array([1, 2], dtype=np.int16)),
    ]
    path = tmp_path / "a.fits"
    fits.BinTableHDU.from_columns(columns).writeto(path)
    fits.setval(path, "TSCAL5", value=0.5, ext=1)
    table = read(path, columns=["scaled", "n", "is_good", "lists", "id"])
    assert int(table["id"][1]) == 2**64 - 1
    assert_array_equal(table["lists"][0], [1, 2])
    assert_array_equal(table["is_good"], [True, False])
    assert_array_equal(mask_of(table["n"]), [False, True])
    assert_array_equal(table["scaled"], [0.5, 1.0])


def test_a_column_that_is_not_utf8_does_not_hurt(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("u,remark\n1.5,Weiß\n".encode("latin-1"))
    assert read(path, columns=["u"])["u"][0] == 1.5


def test_csv_converts_no_other_column(tmp_path, monkeypatch):
    from peculiar.catalogue.formats import delimited

    path, seen = tmp_path / "a.csv", []
    write(sample(), path)
    convert = delimited.from_arrow
    monkeypatch.setattr(
        delimited, "from_arrow", lambda t: seen.append(t.column_names) or convert(t)
    )
    read(path, columns=["flux"])
    assert seen == [["flux"]]


def test_fits_touches_no_other_column(tmp_path, monkeypatch):
    from astropy.io.fits import fitsrec

    path, touched = tmp_path / "a.fits", []
    write(Table({name: np.arange(3.0) for name in "abcd"}), path)
    original = fitsrec.FITS_rec.field

    def field(self, key):
        if len(self.columns) == 4:  # the file's own, not the table that is made of the chosen ones
            touched.append(key)
        return original(self, key)

    monkeypatch.setattr(fitsrec.FITS_rec, "field", field)
    assert read(path, columns=["b"]).colnames == ["b"]
    assert set(touched) <= {"b", 1}


def test_damage_in_another_column_of_parquet_does_not_hurt(tmp_path):
    import pyarrow.parquet as pq

    path, n = tmp_path / "a.parquet", 5000
    rng = np.random.default_rng(0)
    write({"a": rng.normal(size=n), "b": rng.normal(size=n)}, path)
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    damaged = bytearray(path.read_bytes())
    damaged[start : start + 2000] = b"\xff" * 2000
    path.write_bytes(damaged)
    assert len(read(path, columns=["a"])) == n
    with pytest.raises(ValueError, match=r"row group 0 .* cannot be read"):
        read(path, columns=["b"])


def test_hdf5_reads_fields(tmp_path, monkeypatch):
    import h5py

    path, asked = tmp_path / "a.h5", []
    write(Table({name: np.arange(3.0) for name in "abcd"}), path)
    original = h5py.Dataset.fields
    monkeypatch.setattr(
        h5py.Dataset,
        "fields",
        lambda self, key, **kw: asked.append(key) or original(self, key, **kw),
    )
    read(path, columns=["c"])
    assert asked == ["c"]


@pytest.mark.parametrize("form", [f for f in FORMATS if not REGISTERED[f].reads_whole])
def test_measuring_a_file_reads_what_the_features_need(tmp_path, monkeypatch, form):
    write(
        {"name": ["x"], "u": [1.0], "u_err": [0.1], "g": [2.0], "g_err": [0.2], "r": [3.0]},
        tmp_path / "a",
        format=form,
    )
    asked, kind = [], type(REGISTERED[form])
    original = kind.read
    monkeypatch.setattr(
        kind,
        "read",
        lambda self, path, columns: asked.append(columns) or original(self, path, columns),
    )
    measured = measure(tmp_path / "a", "u - g", format=form)
    assert asked == [["u", "u_err", "g", "g_err"]]
    assert measured.X.tolist() == [[-1.0]]
