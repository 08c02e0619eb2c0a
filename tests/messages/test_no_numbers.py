"""Tables of what NumPy would make numbers of, though nobody meant that; and messages without the table in them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, refused

DAYS = pd.DataFrame({name: pd.date_range("2026-01-01", periods=9) for name in "ab"})


@pytest.mark.parametrize(
    "dates",
    [
        DAYS,
        DAYS - DAYS.min(),
        DAYS.to_numpy(),
        pl.from_pandas(DAYS),
        pa.Table.from_pandas(DAYS),
    ],
    ids=["pandas", "durations", "numpy", "polars", "arrow"],
)
def test_tables_of_nothing_but_dates(dates):
    """They were fitted as microseconds since 1970."""
    refused(r"^X has dates or times \((date|time).*\), not numbers; give them in a unit", dates)


def test_durations_as_errors():
    X = good_table()[0][:9, :2]
    refused(r"^X_std has dates or times \(timedelta", X, X_std=(DAYS - DAYS.min()).to_numpy())


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame], ids=["numpy", "pandas"])
def test_complex_numbers(make):
    X = good_table()[0]
    refused(r"^Complex data not supported: X has complex128; give two columns", make(X + 1j))
    refused(r"^Complex data not supported: X_std has complex128", X, X_std=X + 1j)


def test_the_message_about_a_single_column_does_not_show_it():
    text = r"^Expected 2D array, got 1D array instead: Reshape your data .* single sample\.$"
    refused(text, np.arange(900.0))


@pytest.mark.parametrize("shape", [(9,), (9, 1)])
def test_long_cells_are_cut(shape):
    with pytest.raises(InputError) as caught:
        mixture().fit(np.full(shape, "x" * 5000))
    assert len(str(caught.value)) <= 1000
