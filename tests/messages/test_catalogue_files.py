"""Hostile files: each gives one short message that says what is wrong, where, and what to do."""

import gzip
import re
import time

import numpy as np
import pyarrow as pa
import pytest
from astropy.table import Table

from peculiar.catalogue import list_columns, measure, read, write
from peculiar.errors import CatalogueError

GOOD = "name,u,u_err\nx,1.5,.1\ny,2.5,.2\n"
EXTENSIONS = ["fits", "vot", "ecsv", "csv", "parquet", "h5", "csv.gz", "fits.gz"]


@pytest.fixture
def file(tmp_path):
    def make(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def refused(message, function, *arguments, **options):
    """That it is refused with this message, on one screen, and as a CatalogueError."""
    with pytest.raises(CatalogueError) as caught:
        function(*arguments, **options)
    text = str(caught.value)
    assert re.search(message, text), text
    assert text.count("\n") < 20
    assert len(text) < 1500
    return text


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_empty(file, extension):
    path = file(f"a.{extension}", b"")
    message = "^" + re.escape(f"{path} is empty; there is no catalogue to read") + "$"
    refused(message, read, path)
    refused(message, list_columns, path)


@pytest.mark.parametrize("extension", [e for e in EXTENSIONS if not e.startswith("csv")])
def test_text_under_another_name(file, extension):
    path = file(f"a.{extension}", GOOD)
    refused(r"a\.\S+ is not \w+, it looks like csv: say format='csv' \(--format csv\)$", read, path)
    assert len(read(path, format="csv")) == 2


@pytest.mark.parametrize("form", ["fits", "votable", "ecsv", "parquet", "hdf5"])
@pytest.mark.parametrize("extension", ["csv", "fits", "parquet"])
def test_wrong_extensions(tmp_path, form, extension):
    path = tmp_path / f"a.{extension}"
    write({"u": [1.0]}, path, format=form)
    if form == extension or (form, extension) == ("ecsv", "csv"):
        return  # ECSV is CSV, if one likes
    refused(f"is not {extension}, it looks like {form}: say format='{form}'", read, path)
    assert read(path, format=form)["u"][0] == 1.0


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_noise(file, extension):
    path = file(f"a.{extension}", np.random.default_rng(0).bytes(5000))
    refused(r"a\.\S+ is not \w+ \(it begins with b'_", read, path)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("extension", ["fits", "vot", "ecsv", "parquet", "h5", "csv.gz", "fits.gz"])
def test_cut_off(tmp_path, extension, share):
    path = tmp_path / f"a.{extension}"
    rng = np.random.default_rng(0)
    write({f"c{i}": rng.normal(size=2000) for i in range(4)}, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    refused(
        r"it may be damaged or cut off\. |is damaged: it cannot be decompressed|has no table",
        read,
        path,
    )


def test_a_fits_table_with_rows_that_are_not_there(tmp_path):
    path = tmp_path / "a.fits"
    write({"u": np.arange(5000.0)}, path)
    path.write_bytes(path.read_bytes()[:-8000])
    refused("cannot be read as fits; it may be damaged or cut off", read, path)
    refused("cannot be read as fits; it may be damaged or cut off", read, path, columns=["u"])


def test_no_such_file(file):
    path = file("stars.csv", GOOD)
    refused(
        r"^there is no file .*starts\.csv; did you mean stars\.csv\?$",
        read,
        path.with_name("starts.csv"),
    )
    refused(r"^there is no file nowhere/stars\.csv$", read, "nowhere/stars.csv")
    refused(r" is a folder; give a file", read, path.parent)


def test_unknown_extension(file):
    text = refused(
        r"^which format is .*a\.xlsx\? the extension '\.xlsx' is not known; say format= \(--format\), one of fits, "
        r"votable, ecsv, csv, parquet, hdf5",
        read,
        file("a.xlsx", GOOD),
    )
    assert ".csv .tsv" in text
    refused(r"^which format is .*a\? it has no extension; say", read, file("a", GOOD))
    refused(r"^there is no format 'cvs'; did you mean csv\?$", read, file("a", GOOD), format="cvs")
    refused(
        r"^there is no format 'x'; did you mean fits or votable or",
        write,
        {"a": [1]},
        "b",
        format="x",
    )


def test_compressed_where_it_makes_no_sense(file, tmp_path):
    write({"u": [1.0]}, tmp_path / "a.parquet")
    path = file("b.parquet", gzip.compress((tmp_path / "a.parquet").read_bytes()))
    refused(
        r"b\.parquet is compressed, which parquet does not need; decompress it first$", read, path
    )
    refused(
        r"c\.h5\.gz: hdf5 is compressed internally; leave out the \.gz$",
        write,
        {"u": [1]},
        tmp_path / "c.h5.gz",
    )


def test_header_only(file):
    for text in ("u,u_err\n", "u,u_err"):
        refused(
            r"^the table has no rows; there is nothing to measure$",
            measure,
            file("a.csv", text),
            "u",
        )


def test_no_header(file):
    refused(
        r"a\.csv, line 1 has only numbers where the names of the columns should be \(1, 2\.5\.\.\.\); write a line",
        read,
        file("a.csv", "1,2.5\n3,4\n"),
    )
    refused(
        r"a\.csv has no line with column names \(only 2 empty or", read, file("a.csv", "# x\n# y\n")
    )


@pytest.mark.parametrize("n_threads", [1, 4])
def test_rows_of_different_lengths(file, request, n_threads):
    before = pa.cpu_count()
    request.addfinalizer(lambda: pa.set_cpu_count(before))
    pa.set_cpu_count(n_threads)
    refused(
        r"cannot be read as csv.* Row #3: Expected 3 columns, got 2",
        read,
        file("a.csv", "a,b,c\n1,2,3\n4,5\n"),
    )


def test_a_row_of_another_length_far_down(file):
    n = 300_000
    path = file("a.csv", "a,b\n" + "1,2\n" * n + "3\n")
    refused(rf"cannot be read as csv.* Row #{n + 2}: Expected 2 columns, got 1", read, path)


def test_zipped_and_damaged_from_the_start(file):
    path = file("a.csv.gz", gzip.compress(GOOD.encode())[:12] + b"\xff" * 50)
    refused(r"a\.csv\.gz is damaged: it cannot be decompressed \(", read, path)


def test_columns_of_the_same_name(tmp_path, file):
    message = r"a\.\w+ has several columns of the same name: 'u' \(2 times\); rename them, as it is not clear which"
    refused(message, read, file("a.csv", "u,g,u\n1,2,3\n"))
    refused(message, list_columns, file("a.csv", "u,g,u\n1,2,3\n"))
    fields = '<FIELD name="u" datatype="int"/>' * 2
    data = "<DATA><TABLEDATA><TR><TD>1</TD><TD>2</TD></TR></TABLEDATA></DATA>"
    table = f'<VOTABLE version="1.3"><RESOURCE><TABLE>{fields}{data}</TABLE></RESOURCE></VOTABLE>'
    refused(message, read, file("a.vot", table))
    columns = "\n".join("# - {name: u, datatype: int64}" for _ in range(2))
    refused(
        message, read, file("a.ecsv", f"# %ECSV 1.0\n# ---\n# datatype:\n{columns}\nu u\n1 2\n")
    )


def test_columns_of_the_same_name_in_fits(tmp_path):
    from astropy.io import fits

    path = tmp_path / "a.fits"
    write({"u": [1.0], "v": [2.0]}, path)
    fits.setval(path, "TTYPE2", value="u", ext=1)
    refused(r"several columns of the same name: 'u' \(2 times\)", read, path)


def test_not_utf8(file):
    refused(
        r"a\.csv, row 1 \(line 3\), column 'name': byte 0xdf is not UTF-8 text \('Weiß' if it is Latin-1\); ",
        read,
        file("a.csv", "name,u\nx,1\nWeiß,2\n".encode("latin-1")),
    )
    refused(
        r"a\.csv, line 1: byte 5 is 0xdf, which is not UTF-8 text; save the file as UTF-8, or give its format if",
        read,
        file("a.csv", "u,Weiß\n1,2\n".encode("latin-1")),
    )
    refused(
        r"is UTF-16 text; save it as UTF-8 \(iconv -f utf16 -t utf8\)$",
        read,
        file("a.csv", GOOD.encode("utf-16")),
    )


def test_unknown_columns(file):
    path = file("a.csv", GOOD)
    refused(r"a\.csv has no column 'u_er'; did you mean u_err\?$", read, path, columns=["u_er"])
    refused(r"a\.csv has no column 'zz'; it has name, u, u_err$", read, path, columns=["zz"])
    refused(
        r"^feature 'w - u': there is no column 'w'; there are name, u, u_err$",
        measure,
        path,
        "w - u",
    )
    refused(r"^feature 'U': there is no column 'U'; did you mean u\?$", measure, path, "U")


def test_a_column_with_a_name_like_an_expression():
    refused(
        r"^feature 'B-V': there is no column 'B'; the column 'B-V' is meant if you put it in back-quotes: `B-V`$",
        measure,
        {"B-V": [1.0], "B-V_err": [0.1]},
        "B-V",
    )


def test_a_very_wide_table(file):
    n = 100_000
    path = file("wide.csv", ",".join(f"c{i}" for i in range(n)) + "\n" + ",".join(["1"] * n) + "\n")
    start = time.process_time()
    refused(
        r"has no column 'zz'; it has c0, c1, .* \.\.\. and 99,988 more$",
        read,
        path,
        columns=["zz"],
    )
    refused(r"^no error was found for 'c7'\. Say which", measure, path, "c7")
    same = file("same.csv", ",".join(["c"] * n) + "\n")
    refused(r"several columns of the same name: 'c' \(100000 times\)", read, same)
    assert time.process_time() - start < 10


def test_names_without_end(file):
    name = "x" * 100_000
    path = file("a.csv", f"{name},u\n1,2\n")
    refused(r"has no column 'zz'; it has x+\.\.\., u$", read, path, columns=["zz"])
    refused(r"no error was found for 'x+\.\.\.'", measure, path, name)


def test_words_in_a_column_of_numbers(file):
    path = file("a.csv", "u,u_err\n1,.1\nbright,.2\n")
    refused(
        r"^row 1, column 'u': 'bright' is not a number; if it means 'missing', say missing=\['bright'\] "
        r"\(--missing bright\)$",
        measure,
        path,
        "u",
    )
    refused(
        r"^row 0, column 't': 'x' is not a number",
        measure,
        Table({"t": ["x"]}),
        "t",
        no_error=["t"],
    )


def test_several_values_in_a_row():
    table = {"v": np.ones((3, 2)), "v_err": np.ones((3, 2))}
    refused(
        r"^column 'v' has \(2,\) values in each row; a feature needs one number: name one of them, such as v\[0\]$",
        measure,
        table,
        "v",
    )


def test_negative_errors(file):
    path = file("a.csv", "u,u_err\n1,.1\n2,-9999\n3,-1\n")
    refused(
        r"^row 1, column 'u_err': an error cannot be negative, and this is -9999 \(1 other is negative, too\); if that "
        r"means 'missing', say missing=\[-9999\] \(--missing -9999\)$",
        measure,
        path,
        "u",
    )
    refused(
        r"^row 0, column 'a_err1': an error",
        measure,
        {"a": [1.0], "a_err1": [-1.0], "a_err2": [1.0]},
        "a",
    )
    refused(r"^row 0, column 'a_ivar': an error", measure, {"a": [1.0], "a_ivar": [-1.0]}, "a")


def test_nothing_left():
    nan = float("nan")
    table = {"a": [nan, nan], "a_err": [1.0, 1.0], "b": [1.0, -2.0], "b_err": [nan, 0.1]}
    refused(r"^column 'a' has no value in any of its 2 rows; leave it out$", measure, table, "a")
    refused(
        r"^feature 'log10\(b\)' has no value in any of 2 rows\n  "
        r"b: 1 value is missing because the error is missing \(b_err\)"
        r"\n  feature 'log10\(b\)': 1 value is missing as b is not positive \(first: row 1, -2\)$",
        measure,
        table,
        "log10(b)",
    )


def test_files_that_are_there_are_not_replaced(file):
    path = file("a.csv", GOOD)
    refused(
        r"a\.csv is there already; say overwrite=True \(--overwrite\) to replace it$",
        write,
        {"a": [1]},
        path,
    )
    write({"a": [1]}, path, overwrite=True)
    assert path.read_text() == "a\n1\n"


@pytest.mark.parametrize("extension", ["fits", "csv", "parquet", "h5", "vot"])
def test_what_a_format_cannot_hold_leaves_the_old_file(tmp_path, extension):
    path = tmp_path / f"a.{extension}"
    write({"u": [1.0]}, path)
    before = path.read_bytes()
    half = {"u": ["half a character: \ud800"]}
    refused(r"^the table cannot be written as", write, half, path, overwrite=True)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_no_table_in_it(tmp_path):
    import h5py
    from astropy.io import fits

    fits.PrimaryHDU(np.zeros((3, 3))).writeto(tmp_path / "image.fits")
    refused(
        r"image\.fits is FITS, but has no table in it \(only PrimaryHDU\)$",
        read,
        tmp_path / "image.fits",
    )
    with h5py.File(tmp_path / "a.h5", "w") as made:
        made.attrs["x"] = 1
    refused(r"a\.h5 is HDF5, but has no table in it: neither a compound", read, tmp_path / "a.h5")


@pytest.mark.parametrize("package", ["astropy", "pyarrow", "h5py"])
def test_packages_that_are_not_installed(monkeypatch, tmp_path, package):
    from peculiar.catalogue.formats import installed

    write({"u": [1.0]}, tmp_path / "a.h5")
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name == package else name)
    message = rf"^catalogues need {package}, which is not installed: pip install '\.\[catalogue\]', in the folder"
    refused(message, read, tmp_path / "a.h5")
    if package != "h5py":
        refused(message, measure, {"u": [1.0]}, "u")
