"""Any table will do."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from astropy import units as u
from astropy.table import QTable, Table
from numpy.testing import assert_array_equal

from peculiar.catalogue import as_table, measure, write
from peculiar.errors import CatalogueError
from tests.catalogue.helpers import mask_of

COLUMNS = {"name": ["a", "b", "c"], "u": [1.0, 2.0, 4.0], "u_err": [0.1, 0.2, 0.1], "n": [1, 2, 3]}


class FrameOfSomebody(pd.DataFrame):
    """As geopandas and nested-pandas have them."""


@pytest.mark.parametrize(
    "make",
    [
        Table,
        QTable,
        pd.DataFrame,
        FrameOfSomebody,
        pl.DataFrame,
        pa.table,
        pa.RecordBatch.from_pydict,
        dict,
        lambda columns: Table(columns).as_array(),
        lambda columns: pd.DataFrame(columns).set_index("name"),
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
        lambda columns: pd.DataFrame(columns).astype({"name": "category"}),
    ],
)
def test_every_kind_of_table(make):
    table = as_table(make(COLUMNS))
    assert type(table) is Table
    assert table.colnames == list(COLUMNS)
    for name, cells in COLUMNS.items():
        assert_array_equal(np.asarray(table[name]).astype(type(cells[0])), cells)
    assert_array_equal(measure(make(COLUMNS), "u").X_std[:, 0], COLUMNS["u_err"])


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(
            {"u": [1.0, np.nan], "n": pd.array([1, None], dtype="Int64"), "s": ["a", None]}
        ),
        pl.DataFrame({"u": [1.0, None], "n": [1, None], "s": ["a", None]}),
        pa.table({"u": [1.0, None], "n": [1, None], "s": ["a", None]}),
    ],
)
def test_nulls_are_masked(table):
    found = as_table(table)
    assert found["n"].dtype.kind == "i"
    for name in ("u", "n", "s"):
        assert_array_equal(mask_of(found[name]), [False, True])


def test_an_astropy_table_is_taken_as_it_is():
    table = Table(COLUMNS)
    assert as_table(table) is table


def test_quantities_keep_their_units():
    table = as_table(QTable({"d": [1.0, 2.0] * u.kpc}))
    assert table["d"].unit == u.kpc
    assert not isinstance(table["d"], u.Quantity)


def test_a_path(tmp_path):
    write(COLUMNS, tmp_path / "a.csv")
    assert as_table(str(tmp_path / "a.csv")).colnames == list(COLUMNS)


def test_dates_and_lists():
    table = pa.table({"t": pa.array([0], pa.date32()), "v": [[1.0, 2.0]], "w": [{"a": 1}]})
    found = as_table(table)
    assert found["t"][0] == "1970-01-01"
    assert found["v"].shape == (1, 2)
    assert found["w"].dtype == object


def test_numbers_and_words_in_one_column_of_pandas():
    assert list(as_table(pd.DataFrame({"a": [1, "x"]}))["a"]) == ["1", "x"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2], "^list is not a table we know: give one of astropy, pandas"),
        (np.eye(2), "^ndarray is not a table we know"),
        (pd.Series([1]), "^Series is not a table we know"),
        (None, "^NoneType is not a table we know"),
        (pl.LazyFrame({"a": [1]}), "^a LazyFrame has no rows yet; collect"),
        ({"a": [1, 2], "b": [1]}, "^these columns cannot form a table: "),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), r"^the frame has several columns .* 'a' \(2 times\); rename"),
    ],
)  # fmt: skip
def test_no_table(table, message):
    with pytest.raises(CatalogueError, match=message):
        as_table(table)
