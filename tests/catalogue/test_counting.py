"""Rows are counted without reading a column, and files that claim more than they hold are refused early."""

import gzip
import importlib
import io
import threading

import h5py
import numpy as np
import pyarrow as pa
import pytest
from astropy.table import Table
from pyarrow import parquet

from peculiar.catalogue import count_rows, list_columns, list_tables, read, write
from peculiar.catalogue.formats import choose, delimited, odd_lines, text
from peculiar.catalogue.formats.text import open_bytes
from peculiar.cli.about_catalogue import find_errors
from peculiar.errors import CatalogueError
from tests.catalogue.helpers import FORMATS, sample


@pytest.mark.parametrize("form", FORMATS)
def test_rows_are_counted(tmp_path, form):
    for n in (0, 4):
        path = tmp_path / f"{n}.any"
        write(sample()[:n], path, format=form)
        assert count_rows(path, format=form) == n


@pytest.mark.parametrize("form", ["fits", "csv", "ecsv", "parquet", "hdf5"])
def test_no_column_is_read_to_count(tmp_path, form, monkeypatch):
    path = tmp_path / "a.any"
    write(sample(), path, format=form)

    def read_it(*_, **__):
        raise AssertionError("a column was read")

    for name in ("pyarrow.parquet.read_table", "pyarrow.csv.read_csv", "h5py.Dataset.__getitem__"):
        monkeypatch.setattr(name, read_it)
    for form_class in ("fits.Fits", "hdf5.Hdf5", "parquet.Parquet", "delimited.Csv", "ecsv.Ecsv"):
        monkeypatch.setattr(f"peculiar.catalogue.formats.{form_class}.read", read_it)
    assert count_rows(path, format=form) == 4


def test_a_small_parquet_file_of_many_rows(tmp_path):
    """40 million equal numbers take a few kilobytes on the disk, and 320 MB in memory."""
    path, n, parts = tmp_path / "a.parquet", 4_000_000, 10
    batch = pa.table({"u": pa.array(np.zeros(n))})
    with parquet.ParquetWriter(path, batch.schema) as file:
        for _ in range(parts):
            file.write_table(batch)
    before = pa.total_allocated_bytes()
    assert count_rows(path) == n * parts
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_lines_that_go_on_within_quotes_are_one_row(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('name,u\n"two\nlines",1\n\nb,2\n')
    assert count_rows(path) == len(read(path)) == 2


ECSV = "# %ECSV 1.0\n# ---\n{}# datatype:\n# - {{name: a, datatype: string}}\n# - {{name: b, datatype: float64}}\n"
BLANK, COMMA = ECSV.format(""), ECSV.format("# delimiter: ','\n")


@pytest.mark.parametrize(
    "content",
    [
        COMMA + 'a,b\nx,1\n\n"two\nlines",2\n#z,3\n',
        BLANK + 'a b\nx 1\n\n"t w" 2\n#z 3\n',
        BLANK + 'a b\n  \nx 1\n"" 2',
        BLANK + "a b\n",
        COMMA + "a,b\r\nx,1\r\n,\r\n",
    ],
)
def test_lines_of_ecsv_are_counted_as_astropy_reads_them(tmp_path, content):
    path = tmp_path / "a.ecsv"
    path.write_bytes(content.encode())
    assert count_rows(path) == len(Table.read(path, format="ascii.ecsv"))


@pytest.mark.parametrize(("form", "reader"), [("votable", "votable._tables"), ("text", None)])
def test_what_is_read_whole_is_read_once_for_all_questions(tmp_path, monkeypatch, form, reader):
    """And again as soon as the file is another."""
    name = reader or "astropy_text._by_astropy"
    module = importlib.import_module(f"peculiar.catalogue.formats.{name.partition('.')[0]}")
    read_it, calls = getattr(module, name.partition(".")[2]), []
    monkeypatch.setattr(module, read_it.__name__, lambda *a: calls.append(a) or read_it(*a))
    path = tmp_path / "a.any"
    for n in (2, 3):
        if form == "text":
            path.write_text("u v\n" + "1 2.5\n" * n)
        else:
            write(sample()[:n], path, format=form, overwrite=True)
        assert count_rows(path, format=form) == n
        assert len(list_columns(path, format=form)) > 1
        assert len(list_tables(path, format=form)) == (form == "votable")
        assert len(calls) == n - 1


@pytest.mark.parametrize("kind", ["compound", "group"])
def test_hdf5_that_claims_rows_it_does_not_have(tmp_path, kind):
    path, n = tmp_path / "a.h5", 4_000_000_000
    with h5py.File(path, "w") as file:
        if kind == "compound":
            file.create_dataset("t", (n,), np.dtype([("u", "f8")]), chunks=(1000,))
        else:
            file.create_dataset("u", (n,), "f8", chunks=(1000,))
    for function in (read, list_columns, count_rows):
        with pytest.raises(CatalogueError, match=r"claims 4,000,000,000 rows \(3.2e\+10 bytes\), "):
            function(path)


def test_hdf5_that_is_packed_well_is_read(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("u", data=np.zeros(15_000_000), compression="gzip")
    assert count_rows(tmp_path / "a.h5") == 15_000_000


class Counting(io.RawIOBase):
    """A file that notes how many bytes are taken from it. (Memory cannot be traced while threads of Arrow read.)"""

    def __init__(self, file, counted):
        self.file, self.counted = file, counted

    def readable(self):
        return True

    def readinto(self, buffer):
        content = self.file.read(len(buffer))
        buffer[: len(content)] = content
        self.counted.append(len(content))
        return len(content)

    def readline(self, size=-1):
        line = self.file.readline(size)
        self.counted.append(len(line))
        return line

    def close(self):
        self.file.close()
        super().close()


@pytest.mark.parametrize("name", ["a.csv", "a.ecsv", "a.csv.gz"])
@pytest.mark.parametrize("head", ["", "u,v\n"])
def test_a_line_without_end(tmp_path, monkeypatch, name, head):
    """Only as much of it is read as a line may have."""
    monkeypatch.setattr(text, "LONGEST_LINE", 1 << 20)
    start = "# %ECSV 1.0\n# ---\n" if name == "a.ecsv" else head
    content = start.encode() + b"x" * (60 << 20)
    path = tmp_path / name
    path.write_bytes(gzip.compress(content, 1) if name.endswith("gz") else content)
    del content
    counted = []
    for module in (text, delimited, odd_lines, choose):
        monkeypatch.setattr(module, "open_bytes", lambda path: Counting(open_bytes(path), counted))
    for function in (read, list_columns):
        with pytest.raises(CatalogueError, match=r"line \d+ is longer than 1 MB") as caught:
            function(path)
        assert len(str(caught.value)) < 500
    assert 0 < sum(counted) < 40 << 20  # Arrow has some blocks at hand


def test_errors_of_thousands_of_columns_are_found_together():
    """As many searches as columns: ten times the columns take about ten times as long, not a hundred."""
    from peculiar.catalogue import ColumnInfo

    names = [f"c{i}{end}" for i in range(2500) for end in ("", "_err")]
    found = find_errors([ColumnInfo(name, "float64") for name in names])
    assert len(found) == 2500
    assert found["c17"] == ("c17_err",)
    ucds = ["phot.mag;em.opt.U", "stat.error;phot.mag;em.opt.U"]
    columns = [ColumnInfo(name, "float64", ucd=ucd) for name, ucd in zip("uv", ucds)]
    assert find_errors(columns) == {"u": ("v",)}


def test_types_are_looked_at_without_reading_ahead(tmp_path, monkeypatch):
    """A process that ends while a thread of Arrow is within a file of Python is aborted (about one in thirty was)."""
    path, readers = tmp_path / "a.csv", set()
    path.write_text("u,g\n" + "1.5,2\n" * 20)

    class Noted(io.FileIO):
        def read(self, *size):
            readers.add(threading.get_ident())
            return super().read(*size)

    monkeypatch.setattr(delimited, "open_bytes", Noted)
    assert [column.dtype for column in list_columns(path)] == ["float64", "int64"]
    assert readers == {threading.get_ident()}


def test_a_long_csv_has_the_types_of_its_first_block(tmp_path, monkeypatch):
    """Also where the block cuts a row, and where what follows is otherwise."""
    monkeypatch.setattr(delimited, "_BLOCK", 1 << 10)
    path = tmp_path / "a.csv"
    path.write_text("u,name\n" + "".join(f'{i},"a\nb{i}"\n' for i in range(1000)) + "x,y\n" * 999)
    assert [column.dtype for column in list_columns(path)] == ["int64", "str"]
