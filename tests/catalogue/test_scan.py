"""A catalogue read in parts gives the features, notes and warnings of one in memory, however it is cut."""

import pickle
import warnings

import numpy as np
import pyarrow as pa
import pytest
from astropy.io import fits
from astropy.table import MaskedColumn, Table
from astropy.time import Time
from pyarrow import parquet

from peculiar.catalogue import count_rows, measure, read, scan, write
from peculiar.catalogue.formats.arrow import to_arrow
from peculiar.catalogue.formats.writable import writable
from peculiar.errors import CatalogueError, PropagationWarning

FORMS = ("parquet", "fits", "hdf5")
ENDS = {"parquet": ".parquet", "fits": ".fits", "hdf5": ".h5"}


def stars(n=230, seed=0):
    rng = np.random.default_rng(seed)
    flag = np.array([""] * n, dtype="U2")
    flag[150:155] = "<"
    table = Table(
        {
            "name": [f"star {i}" for i in range(n)],
            "u": rng.normal(size=n),
            "u_err": rng.uniform(0.1, 0.5, size=n),
            "g": rng.normal(size=n).astype("f4"),
            "g_err": rng.uniform(0.1, 0.5, size=n).astype("f4"),
            "r": rng.normal(size=n),
            "r_err": np.round(rng.uniform(0.005, 0.5, size=n), 2),
            "flux": rng.lognormal(size=n),
            "flux_ivar": rng.uniform(1, 50, size=n),
            "l_r": flag,
            "class": rng.integers(0, 3, size=n),
        }
    )
    table["u"].unit = "mag"
    table["u"][[3, 200]] = -9999
    table["r_err"][[180, 199]] = 0.0  # in the last parts only
    table["flux"][220] = -1.0
    table["g"] = MaskedColumn(table["g"], mask=np.arange(n) % 50 == 7)
    return table


def store(table, folder, form):
    path = folder / f"stars{ENDS[form]}"
    write(table, path)
    return path


def joined(found):
    """The batches of a scan, put together."""
    parts = [batch.measured for batch in found.batches()]
    arrays = {}
    for name in ("X", "X_std", "X_cov"):
        given = [getattr(part, name) for part in parts]
        arrays[name] = None if given[0] is None else np.concatenate(given)
    return arrays


def assert_same(found, memory):
    for name, array in joined(found).items():
        np.testing.assert_array_equal(array, getattr(memory, name))
    assert found.notes == memory.notes
    assert found.pairing == memory.pairing


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", [1000, 64])
def test_parts_are_the_whole(tmp_path, form, rows):
    path = store(stars(), tmp_path, form)
    features, options = "u - r, g - r, u", {"missing": [-9999], "error_floor": {"g": 0.15}}
    memory = measure(path, features, **options)
    found = scan(path, features, rows_at_a_time=rows, **options)
    assert found.n_rows == 230
    assert_same(found, memory)
    assert any("flags limits" in note for note in found.notes)
    assert any("multiples of 0.01" in note for note in found.notes)


def test_several_files_are_one_catalogue(tmp_path):
    table = stars()
    for i, start in enumerate(range(0, 230, 50)):
        write(table[start : start + 50], tmp_path / f"part{i}.parquet")
    memory = measure(read(tmp_path), "u, r", missing=[-9999])
    assert_same(scan(tmp_path, "u, r", missing=[-9999], rows_at_a_time=30), memory)
    pattern = str(tmp_path / "part*.parquet")
    chosen = "source_file != 'x' and u > 0"
    found = scan(pattern, "u, r", where=chosen, rows_at_a_time=30)
    rows = np.concatenate([batch.rows for batch in found.batches()])
    np.testing.assert_array_equal(rows, np.flatnonzero(table["u"] > 0))
    assert found.n_rows == len(rows)


@pytest.mark.parametrize("form", FORMS)
def test_a_condition_chooses_rows(tmp_path, form):
    path = store(stars(), tmp_path, form)
    where = "class == 1 and u > -3"
    memory = measure(read(path, where=where), "u - r, g - r")
    assert_same(scan(path, "u - r, g - r", where=where, rows_at_a_time=20), memory)
    with pytest.raises(CatalogueError, match="no row of 230 is chosen"):
        _ = scan(path, "u", where="class == 9", rows_at_a_time=20).n_rows


def test_warnings_are_added_up(tmp_path):
    table = stars()
    path = store(table, tmp_path, "parquet")
    with pytest.warns(PropagationWarning) as one:
        memory = measure(table, "log10(flux)")
    found = scan(path, "log10(flux)", rows_at_a_time=50)
    with pytest.warns(PropagationWarning) as parts:
        _ = found.survey
    assert found.notes == memory.notes
    assert len(one) == len(parts) == 1
    beginnings = [str(seen[0].message).partition(", or in asinhmag")[0] for seen in (one, parts)]
    assert beginnings[0] == beginnings[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(found.batches())  # once is enough


def test_what_the_first_rows_say_may_be_wrong(tmp_path):
    """Flags that turn out to be a flux, and errors that are all zero: both are known when all rows were read."""
    n = 60
    table = {"Fe": np.arange(n) * 1.0, "e_Fe": np.zeros(n), "f_Fe": np.zeros(n)}
    table["f_Fe"][50:] = np.arange(10) + 0.5
    path = store(Table(table), tmp_path, "parquet")
    found = scan(path, "Fe", rows_at_a_time=10)
    assert_same(found, measure(table, "Fe"))
    assert not found.pairing.limits
    assert not np.isnan(joined(found)["X"]).any()


def test_an_error_of_zero_is_refused_when_others_are_positive(tmp_path):
    table = stars()
    path = store(table, tmp_path, "parquet")
    with pytest.raises(CatalogueError) as memory:
        measure(table, "r", zero_errors="refuse")
    with pytest.raises(CatalogueError) as parts:
        _ = scan(path, "r", zero_errors="refuse", rows_at_a_time=9).survey
    assert str(parts.value) == str(memory.value)
    assert str(parts.value).startswith("row 180, column r_err: ")


def test_errors_that_are_correlated_in_some_rows_only(tmp_path):
    n = 40
    table = {name: np.ones(n) * 0.1 for name in ("ra_err", "dec_err")}
    table |= {"ra": np.arange(n) * 1.0, "dec": np.arange(n) * 2.0, "ra_dec_corr": np.zeros(n)}
    table["ra_dec_corr"][33] = 0.5
    path = store(Table(table), tmp_path, "parquet")
    assert_same(scan(path, "ra, dec", rows_at_a_time=10), measure(table, "ra, dec"))


def test_a_bad_row_is_named_by_its_number(tmp_path):
    table = stars()
    table["u_err"][[160, 161]] = -0.5
    for i in range(2):
        write(table[100 * i : 100 * i + 100], tmp_path / f"{i}.parquet")
    with pytest.raises(
        CatalogueError, match=r"^row 160 \(row 60 of .*1\.parquet\), column 'u_err'"
    ):
        _ = scan(tmp_path, "u", rows_at_a_time=30).survey
    with pytest.raises(CatalogueError, match=r"^row 160 \(row 60 of"):
        _ = scan(tmp_path, "u", rows_at_a_time=30, where="u < 100 and class > -1").survey


def test_a_damaged_row_group_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    columns = pa.table({"u": np.random.default_rng(0).normal(size=4000), "u_err": np.ones(4000)})
    parquet.write_table(columns, path, row_group_size=1000, compression="zstd")
    about = parquet.read_metadata(path).row_group(2).column(0)
    content = bytearray(path.read_bytes())
    start = about.dictionary_page_offset or about.data_page_offset
    content[start : start + about.total_compressed_size] = bytes(about.total_compressed_size)
    path.write_bytes(content)
    for look in (lambda: scan(path, "u", rows_at_a_time=500).survey, lambda: read(path)):
        with pytest.raises(
            CatalogueError, match=r"a\.parquet: row group 2 \(rows 2,000 to 2,999\)"
        ):
            look()
    assert len(read(path, columns=["u_err"])) == 4000


def test_small_row_groups_are_put_together(tmp_path):
    path = tmp_path / "a.parquet"
    columns = pa.table({"u": np.arange(4000.0), "u_err": np.ones(4000)})
    parquet.write_table(columns, path, row_group_size=10)
    sizes = [len(batch.rows) for batch in scan(path, "u", rows_at_a_time=1000).batches()]
    assert sizes == [1000] * 4


def test_unsigned_integers_with_a_null_are_judged_by_all_rows(tmp_path):
    """astropy writes TNULL of unsigned integers after TZERO; that it is so shows in all rows, not in some."""
    n = 50
    column = MaskedColumn(np.arange(n, dtype="u2"), mask=np.arange(n) == 40, fill_value=65535)
    path = tmp_path / "a.fits"
    write(Table({"u": column, "v": np.arange(n) * 1.0}), path)
    memory = measure(path, "u, v", no_error=["u", "v"])
    assert np.isnan(memory.X[40, 0])
    assert_same(scan(path, "u, v", no_error=["u", "v"], rows_at_a_time=8), memory)


@pytest.mark.parametrize("where", [None, "class != 1"])
@pytest.mark.parametrize("form", [*FORMS, "folder"])
def test_pieces_are_the_scan(tmp_path, form, where):
    """In their order, with the numbers of rows in the catalogue, also after a journey to another process."""
    path = tmp_path / "stars"
    if form == "folder":
        path.mkdir()
        for number, rows in enumerate((slice(0, 100), slice(100, 101), slice(101, 230))):
            table = writable(stars()[rows], "parquet")
            parquet.write_table(to_arrow(table), path / f"{number}.parquet", row_group_size=30)
    else:
        path = store(stars(), tmp_path, form)
    how = {"where": where, "missing": [-9999], "rows_at_a_time": 20}
    whole = scan(path, "u - r, r - g, g", **how)
    pieces = [pickle.loads(pickle.dumps(piece)) for piece in whole.pieces(50)]
    assert len(pieces) == {"parquet": 1, "folder": 8}.get(form, 5)
    found = [batch for piece in pieces for batch in piece.batches()]
    there = list(whole.batches())
    for name in ("X", "X_std", "X_cov"):
        one, other = (
            [getattr(batch.measured, name) for batch in batches] for batches in (found, there)
        )
        assert [each is None for each in one[:1]] == [each is None for each in other[:1]]
        if one[0] is not None:
            np.testing.assert_array_equal(np.concatenate(one), np.concatenate(other))
    np.testing.assert_array_equal(
        np.concatenate([batch.rows for batch in found]),
        np.concatenate([batch.rows for batch in there]),
    )


def test_pieces_without_a_chosen_row_are_empty(tmp_path):
    path = store(stars(), tmp_path, "fits")
    pieces = scan(path, "u", where="class == 7 or name == 'star 3'").pieces(100)
    assert [[len(batch.rows) for batch in piece.batches()] for piece in pieces] == [[1], [], []]


@pytest.mark.parametrize(("end", "way_out"), [(".csv", "write_dataset"), (".vot", "stilts")])
def test_formats_that_are_read_whole(tmp_path, end, way_out):
    path = tmp_path / f"a{end}"
    write(stars()[:5], path)
    with pytest.raises(CatalogueError, match=rf"can only be read whole.*{way_out}"):
        _ = scan(path, "u").survey


def test_compressed_fits_is_refused(tmp_path):
    path = tmp_path / "a.fits.gz"
    write(stars()[:5], path)
    with pytest.raises(CatalogueError, match="decompress it first"):
        _ = scan(path, "u").survey


def test_columns_that_astropy_took_apart(tmp_path):
    path = tmp_path / "a.parquet"
    table = Table({"u": [1.0, 2.0], "t": Time([1.0, 2.0], format="mjd")})
    table.write(path, format="parquet")
    assert scan(path, "u", no_error=["u"]).survey.tally.n_rows == 2
    masked = Table({"u": MaskedColumn([1.0, 2.0], mask=[True, False])})
    masked.write(path, format="parquet", overwrite=True)
    with pytest.raises(CatalogueError, match="in pieces"):
        _ = scan(path, "u", no_error=["u"]).survey


@pytest.mark.parametrize("form", FORMS)
def test_nothing_to_read(tmp_path, form):
    path = store(stars()[:0], tmp_path, form)
    with pytest.raises(CatalogueError, match="has no rows"):
        _ = scan(path, "u").survey
    table = stars()
    table["u"][:] = np.nan
    write(table, path, overwrite=True)
    with pytest.raises(CatalogueError, match="column 'u' has no value in any of its 230 rows"):
        _ = scan(path, "u", rows_at_a_time=100).survey


def test_rows_are_counted_without_reading(tmp_path, monkeypatch):
    path = store(stars(), tmp_path, "parquet")
    monkeypatch.setattr("peculiar.catalogue.scanning.read_parts", None)
    assert scan(path, "u").n_rows == count_rows(path) == 230


def test_fits_tables_are_chosen(tmp_path):
    path = tmp_path / "a.fits"
    first = fits.table_to_hdu(stars()["u", "u_err"][:3])
    second = fits.table_to_hdu(Table({"v": np.arange(9.0), "v_err": np.ones(9)}))
    fits.HDUList([fits.PrimaryHDU(), first, second]).writeto(path)
    assert scan(path, "v", table=2).n_rows == 9
    assert_same(scan(path, "v", table=2, rows_at_a_time=4), measure(f"{path}[2]", "v"))
