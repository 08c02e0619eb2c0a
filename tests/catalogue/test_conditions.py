"""Which rows: a small grammar, never Python. And elements of columns with several values in a row."""

import numpy as np
import pytest
from astropy.table import MaskedColumn, Table
from hypothesis import given
from hypothesis import strategies as st

from peculiar.catalogue import measure, pair_features, read, write
from peculiar.catalogue.expressions.conditions import choose_rows
from peculiar.errors import CatalogueError

TABLE = Table(
    {
        "class": ["QSO", "STAR ", "QSO", "GAL"],
        "r": MaskedColumn([18.0, 19.0, 20.0, 21.0], mask=[False, False, False, True]),
        "g": [18.5, 19.0, 22.0, 21.0],
        "B-V": [0.1, 0.2, 0.3, 0.4],
        "good": [True, False, True, True],
        "Flux": np.arange(8.0).reshape(4, 2),
    }
)


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ("class == 'QSO' and r < 19", [0]),
        ('class == "STAR"', [1]),
        ("class != 'QSO'", [1, 3]),
        ("r < 100", [0, 1, 2]),
        ("not r < 100", []),
        ("r < 100 or g > 20", [0, 1, 2, 3]),
        ("not (r >= 20 or class == 'STAR')", [0]),
        ("g - r > 0.4 and not good", []),
        ("(g - r) * 2 >= 1", [0, 2]),
        ("good", [0, 2, 3]),
        ("NOT good OR `B-V` >= 0.4", [1, 3]),
        ("log10(r) > 1.2788", [2]),
        ("Flux[1] > 4", [2, 3]),
        ("19 == g", [1]),
        ("((r)) == ((18))", [0]),
        ("r == 18 or r == 19 or r == 20", [0, 1, 2]),
        ("-r < -19", [2]),
        ("1 < 2", [0, 1, 2, 3]),
    ],
)
def test_rows_are_chosen(where, rows):
    assert list(np.flatnonzero(choose_rows(TABLE, where))) == rows


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("class = 'QSO'", r"'=' has no meaning here, write ==; allowed are.*\n.*\n {8}\^"),
        ("r < 19 & g < 3", "'&' has no meaning here, write and"),
        ("class == QSO", r"no column 'QSO'; there are .*\(A word goes in quotes: 'QSO'\)"),
        ("rr < 3", "no column 'rr'; did you mean r"),
        ("class < 'QSO'", "text can be compared with == and != only"),
        ("class == 3", "3.0 is a number and class is text; numbers stand without"),
        ("r == '3'", "r is a number and '3' is text"),
        ("r", "r is neither true nor false; compare it with something"),
        ("1 < r < 3", "'<' where and, or, a comparison or the end should be"),
        ("(r < 3) + 1 < 3", "a comparison, or text, stands where a number should be"),
        ("r <", "the text ends where a number, a column"),
        ("(r < 3", r"this '\(' is not closed"),
        ("class == 'QSO", "this quote is not closed"),
        ("", "where is a condition such as"),
        ("__import__('os').system('ls') == 0", "there is no function|no meaning here"),
        (
            "Flux[2] > 1",
            r"there is no 'Flux\[2\]': a row of 'Flux' has the shape \(2,\), from Flux",
        ),
        ("Flux > 1", "has .2,. values in each row"),
        ("(" * 60 + "r" + ")" * 60 + " < 3", "more than 40 nested"),
        (" or ".join(["r < 3"] * 300), "more than 200 terms"),
    ],
)
def test_what_is_refused(where, message):
    with pytest.raises(CatalogueError, match=message):
        choose_rows(TABLE, where)


@given(st.text(alphabet="rg<>=!'\"()[]&|~+-*/^., 19andortQ`", max_size=40))
def test_any_text_chooses_rows_or_is_refused(text):
    try:
        found = choose_rows(TABLE, text)
    except CatalogueError:
        return
    assert found.dtype == bool


@pytest.mark.parametrize("name", ["a.fits", "a.parquet", "a.ecsv"])
def test_reading_with_a_condition(tmp_path, name):
    write(TABLE, tmp_path / name)
    table = read(tmp_path / name, where="class == 'QSO' and r < 19")
    assert list(table["g"]) == [18.5]
    table = read(tmp_path / name, columns=["g"], where="class == 'QSO'")
    assert table.colnames == ["g"]
    assert list(table["g"]) == [18.5, 22.0]
    assert list(read(tmp_path / name, columns=["g"], where="Flux[0] == 2")["g"]) == [19.0]


VECTORS = Table(
    {
        "Flux": np.array([[1.0, 10.0], [2.0, 20.0]]),
        "Flux_err": np.array([[0.1, 0.5], [0.2, 0.7]]),
        "Mag": np.array([[5.0, 6.0], [7.0, 8.0]]),
        "e_Mag": [0.3, 0.4],
    }
)


@pytest.mark.parametrize("name", [None, "a.fits", "a.h5", "a.vot", "a.ecsv", "a.parquet"])
def test_elements_are_features(tmp_path, name):
    table = VECTORS
    if name is not None:
        write(VECTORS, tmp_path / name)
        table = tmp_path / name
    sky = measure(table, "Flux[1], x = Flux[0] - Flux[1], Mag[0]")
    assert sky.names == ("Flux[1]", "x", "Mag[0]")
    assert sky.X.tolist() == [[10.0, -9.0, 5.0], [20.0, -18.0, 7.0]]
    np.testing.assert_allclose(sky.X_cov[0, 0, 0], 0.25)
    np.testing.assert_allclose(sky.X_cov[0, 1, 1], 0.26)
    np.testing.assert_allclose(sky.X_cov[1, 2, 2], 0.16)


def test_errors_of_elements_as_given():
    sky = measure(
        VECTORS, "Flux[0], Mag[1]", errors={"Mag[1]": "Flux_err[0]"}, no_error=["Flux[0]"]
    )
    assert sky.X_std[:, 1].tolist() == [0.1, 0.2]
    assert sky.X_std[:, 0].tolist() == [0.0, 0.0]
    pairing = pair_features("Flux[0]", VECTORS.colnames)
    assert pairing.needed() == ("Flux[0]", "Flux_err[0]")


def test_elements_that_are_not_there():
    with pytest.raises(
        CatalogueError, match=r"no 'Flux\[7\]': a row of 'Flux' has the shape \(2,\)"
    ):
        measure(VECTORS, "Flux[7]")
    with pytest.raises(CatalogueError, match=r"there is no column 'Fluxx\[0\]'"):
        measure(VECTORS, "Fluxx[0]")
    named = {"Flux[3]": [1.0], "Flux[3]_err": [0.1]}
    assert measure(named, "`Flux[3]`").X[0, 0] == 1.0  # a column of that very name


def test_identifiers_are_compared_to_the_last_digit():
    first = 1234567890123456780
    table = Table({"id": np.arange(first, first + 60), "other": np.arange(first, first + 60) + 1})
    for where, n in {"==": 1, "!=": 59, "<=": 10, ">": 50}.items():
        assert choose_rows(table, f"id {where} {first + 9}").sum() == n
    assert not choose_rows(table, "id == other").any()
    table["id"] = MaskedColumn(table["id"], mask=np.arange(60) < 5)
    assert choose_rows(table, f"id <= {first + 9}").sum() == 5
    assert choose_rows(table, f"{2**70} > id").sum() == 55


def test_units_are_converted_as_in_features():
    table = Table({"f": [1.0, 2.0], "g": [1000.0, 3000.0], "t": [1.0, 1.0]})
    table["f"].unit, table["g"].unit, table["t"].unit = "Jy", "mJy", "s"
    assert choose_rows(table, "f == g").tolist() == [True, False]
    assert choose_rows(table, "f < 1.5").tolist() == [True, False]
    with pytest.raises(CatalogueError, match=r"f is in Jy, t in s: they cannot be compared$"):
        choose_rows(table, "f < t")


def test_one_value_has_no_elements():
    message = r"^there is no 'r\[1\]': 'r' has one value in a row; leave out the brackets$"
    with pytest.raises(CatalogueError, match=message):
        choose_rows(TABLE, "r[1] < 19")
    with pytest.raises(CatalogueError, match=message):
        measure(TABLE, "r[1]", no_error=["r[1]"])
