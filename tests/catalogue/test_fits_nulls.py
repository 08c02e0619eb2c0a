"""TNULL is a number as the file has it: in columns with TSCAL or TZERO, too, its cells are missing."""

import numpy as np
import pytest
from astropy.io import fits
from astropy.table import MaskedColumn, Table
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.catalogue import read, write
from tests.catalogue.helpers import mask_of

RAW = np.array([-999, 1500, -32768, 32767], dtype=np.int16)


def file_with(folder, raw, form, **keywords):
    """One column x whose numbers in the file are these; and y, 0 to 3."""
    columns = [
        fits.Column("x", form, array=raw, dim=keywords.pop("TDIM1", None)),
        fits.Column("y", "E", array=np.arange(4.0)),
    ]
    path = folder / "a.fits"
    fits.BinTableHDU.from_columns(columns).writeto(path)
    for key, value in keywords.items():
        fits.setval(path, key, value=value, ext=1)
    return path


def x_of(path, columns):
    return read(path, columns=columns)["x"]


both = pytest.mark.parametrize("columns", [None, ["x"]], ids=["whole", "chosen"])


@both
def test_scaled(tmp_path, columns):
    path = file_with(tmp_path, RAW, "I", TSCAL1=0.01, TNULL1=-999, TUNIT1="mag")
    x = x_of(path, columns)
    assert_array_equal(mask_of(x), [True, False, False, False])
    assert_allclose(np.asarray(x)[1:], [15.0, -327.68, 327.67])
    assert str(x.unit) == "mag"


@both
@pytest.mark.parametrize(("form", "bits"), [("I", 16), ("J", 32), ("K", 64)])
def test_unsigned(tmp_path, columns, form, bits):
    low = -(2 ** (bits - 1))
    raw = np.array([low, low + 1, 0, -low - 1], dtype=f"i{bits // 8}")
    path = file_with(tmp_path, raw, form, TZERO1=-low, TNULL1=low)
    x = x_of(path, columns)
    assert x.dtype == np.dtype(f"u{bits // 8}")
    assert_array_equal(mask_of(x), [True, False, False, False])
    assert np.asarray(x)[1:].tolist() == [1, -low, 2**bits - 1]
    write(read(path), tmp_path / "again.fits")
    again = x_of(tmp_path / "again.fits", columns)
    assert_array_equal(mask_of(again), [True, False, False, False])
    assert np.asarray(again)[1:].tolist() == [1, -low, 2**bits - 1]


@both
@pytest.mark.parametrize("kind", ["u2", "u4", "u8"])
def test_unsigned_as_astropy_writes_it(tmp_path, columns, kind):
    # TNULL is the value after TZERO there, which is not what the standard says.
    values = np.array([1, 2, 3], dtype=kind)
    Table({"x": MaskedColumn(values, mask=[False, True, False])}).write(tmp_path / "a.fits")
    assert_array_equal(mask_of(x_of(tmp_path / "a.fits", columns)), [False, True, False])


@both
def test_a_scaled_value_that_equals_the_null(tmp_path, columns):
    path = file_with(tmp_path, RAW, "I", TZERO1=-2499, TNULL1=-32768)
    x = x_of(path, columns)
    assert_array_equal(mask_of(x), [False, False, True, False])
    assert np.asarray(x)[1] == -999
    fits.setval(path, "TNULL1", value=-999, ext=1)
    assert_array_equal(mask_of(x_of(path, columns)), [True, False, False, False])


@both
def test_several_values_in_a_row(tmp_path, columns):
    raw = np.arange(16, dtype=np.int16).reshape(4, 2, 2)
    path = file_with(tmp_path, raw, "4I", TDIM1="(2,2)", TSCAL1=0.5, TNULL1=5)
    x = x_of(path, columns)
    assert x.shape == (4, 2, 2)
    assert_array_equal(x.mask, raw == 5)


@both
def test_a_null_that_does_not_occur(tmp_path, columns):
    x = x_of(file_with(tmp_path, RAW, "I", TSCAL1=0.5, TNULL1=7), columns)
    assert not mask_of(x).any()
    assert_array_equal(np.asarray(x), RAW * 0.5)


def test_arrays_of_any_length_are_left_to_astropy(tmp_path):
    raw = np.array([np.arange(n, dtype=np.int16) for n in (1, 2, 3, 4)], dtype=object)
    path = file_with(tmp_path, raw, "PI()", TSCAL1=0.5, TNULL1=2)
    assert [len(cell) for cell in x_of(path, ["x"])] == [1, 2, 3, 4]
