"""CSV as people write it."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.catalogue import list_columns, read
from tests.catalogue.helpers import mask_of


@pytest.fixture
def csv(tmp_path):
    def make(text):
        path = tmp_path / "a.csv"
        path.write_bytes(text.encode())
        return read(path)

    return make


@pytest.mark.parametrize(
    "cells",
    [
        ["000123", "000124"],
        ["12", "007"],
        ["000009.26+151754.5", "000009.38+135618.4"],
        ["2020-01-01", "2020-02-01"],
        ["2020-01-01T00:00:00", "2020-01-02T12:30:00"],
        ["12:30:00", "13:00:00"],
        ["K00752.01", "12"],
    ],
)
def test_text_stays_text(csv, cells):
    table = csv("name,u\n" + "".join(f"{cell},1\n" for cell in cells))
    assert list(table["name"]) == cells


def test_identifiers_beyond_int64_keep_their_digits(csv):
    table = csv("id,u\n12345678901234567891,1\n,2\n")
    assert table["id"].dtype == np.uint64
    assert int(table["id"][0]) == 12345678901234567891
    assert_array_equal(mask_of(table["id"]), [False, True])


def test_large_floats_stay_floats(csv):
    assert csv("a\n1e17\n2.5\n")["a"].dtype == np.float64
    assert csv("a\n123456789012345678\n0.5\n")["a"].dtype == np.float64


@pytest.mark.parametrize("word", ["", "NaN", "nan", "NA", "N/A", "null", "--"])
def test_words_for_missing_numbers(csv, word):
    table = csv(f"a,b\n1,1.5\n{word},{word}\n3,2\n")
    assert table["a"].dtype.kind == "i"
    assert_array_equal(mask_of(table["a"]), [False, True, False])
    assert_array_equal(mask_of(table["b"]), [False, True, False])


def test_a_column_without_any_value(csv):
    table = csv("a,b\n1,\n2,\n")
    assert mask_of(table["b"]).all()


def test_header_with_byte_order_mark_spaces_and_quotes(csv):
    table = csv('\ufeffname , "u mag",g\na,1,2\n')
    assert table.colnames == ["name", "u mag", "g"]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_delimiters(csv, mark):
    assert csv(f"a{mark}b\n1{mark}2.5\n")["b"][0] == 2.5


def test_comments_before_the_header(csv):
    table = csv("# This file was produced by an archive\n#\na,b\n1,2\n")
    assert table.colnames == ["a", "b"]
    assert len(table) == 1


def test_lines_that_go_on_within_quotes(csv):
    assert csv('a,b\n1,"two\nlines"\n')["b"][0] == "two\nlines"


def test_lines_that_go_on_over_many_blocks(csv):
    n = 60_000
    table = csv("a,b\n" + '1,"' + "x" * 40 + '\nlines"\n' + f'2,"{"y" * 33}\n{"z" * 7}"\n' * n)
    assert len(table) == n + 1
    assert table["b"][n] == "y" * 33 + "\n" + "z" * 7


def test_windows_line_ends(csv):
    assert list(csv("a,b\r\n1,x\r\n2,y\r\n")["b"]) == ["x", "y"]


def test_many_columns_are_listed_without_types(tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(20_000)]
    path.write_text(",".join(names) + "\n" + ",".join(["1"] * 20_000) + "\n")
    assert [column.name for column in list_columns(path)] == names
    assert read(path, columns=["c5", "c19999"])["c19999"][0] == 1


def test_text_and_numbers_far_apart_are_text(csv):
    # Arrow first looks at one block; the word comes long after it.
    n = 200_000
    table = csv("a,b\n" + "1,2.5\n" * n + "word,3\n")
    assert table["a"][n] == "word"
    assert table["b"].dtype == np.float64
