"""Text files that are not what their first line makes of them."""

import re

import pytest

from peculiar.catalogue import list_columns, measure, read
from peculiar.errors import CatalogueError


def refused(tmp_path, text, message, name="a.csv"):
    path = tmp_path / name
    path.write_text(text)
    for look in (read, list_columns):
        with pytest.raises(CatalogueError, match=message.format(path=re.escape(str(path)))):
            look(path)


ROWS = [(1.5, 2.5, 3.5), (1.25, 2.0, 3.0), (0.5, 7.0, 1e-3), (9.0, 1.0, 2.0)]


@pytest.mark.parametrize(
    ("mark", "word"),
    [(" ", "spaces"), ("   ", "spaces"), (" | ", "bars"), ("|", "bars"), (":", "colons")],
)
def test_columns_that_were_not_told_apart(tmp_path, mark, word):
    text = "\n".join(mark.join(map(str, row)) for row in [("u", "g", "r"), *ROWS]) + "\n"
    message = (
        r"^{path}, line 1: this gives a single column, 'u.*r'; its 3 names seem to be separated by "
        + word
        + r", and commas, semicolons or tabs are expected\. Replace them"
    )
    refused(tmp_path, text, message)


def test_a_table_that_has_one_column(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("name of object\nSirius\nVega\nBarnard's star\n")
    assert read(path).colnames == ["name of object"]
    path.write_text("u\n1\n2\n")
    assert list(read(path)["u"]) == [1, 2]


VIZIER = (
    "#Column u\n#Column name\nname\tu\te_u\n \tmag\tmag\n----\t-----\t-----\n"
    "A\t1.5\t0.1\nB\t2.5\t0.1\nC\t3.5\t0.1\n"
)


def test_a_line_of_dashes(tmp_path):
    message = (
        r"^{path}, line 5 has only dashes \(----;-----;-----\), and would be taken for a row: it ends a header, as "
        r"VizieR writes it\. Remove lines 4 to 5, or have it as VOTable or FITS$"
    )
    refused(tmp_path, VIZIER.replace("\t", ";"), message)
    text = "u,g\n---,---\n1,2\n3,4\n"
    refused(tmp_path, text, r"line 2 has only dashes \(---,---\).*Remove line 2, or")


def test_dashes_between_tabs_are_read_as_vizier_means_them(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(VIZIER)
    table = read(path)
    assert list(table["u"]) == [1.5, 2.5, 3.5]
    assert str(table["e_u"].unit) == "mag"


def test_a_line_of_units(tmp_path):
    text = "name,u,g\n,mag,mag\nA,1.5,2.5\nB,2.5,\nC,1.0,2.0\nD,1.0,NaN\n"
    message = (
        r"^{path}, line 2 has words \(mag, mag\) where all other rows have numbers: a line of units\? Remove it, or "
        r"begin it with # and put it above the names$"
    )
    refused(tmp_path, text, message)
    refused(tmp_path, text.replace(",mag,mag", "-,mag,"), r"line 2 has words \(mag\) where")


@pytest.mark.parametrize(
    "first", ["A,n/a,--", "A,,", "A,1.5,bad", "--,--,--", "A,1.0,2.0", '"A, B",1.0,2.0']
)
def test_first_rows_that_are_rows(tmp_path, first):
    path = tmp_path / "a.csv"
    path.write_text(f"name,u,g\n{first}\nB,2.5,3.0\nC,1.0,2.0\nD,1.0,4.0\n")
    assert len(read(path)) == 4


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("two rows.csv", "u,ra\nmag,deg\n1,2\n3,4\n"),
        ("one row.csv", "u,ra\nmag,deg\n1,2\n"),
        ("blanks.dat", "u ra\nmag deg\n1 2\n3 4\n5 6\n"),
        ("few.txt", "# a table\n\nu ra\nmag deg\n1 2\n"),
    ],
)
def test_lines_of_units_above_few_rows_and_between_blanks(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    line = text.splitlines().index(next(row for row in text.splitlines() if "deg" in row)) + 1
    with pytest.raises(CatalogueError, match=rf"line {line} has words \(mag, deg\)"):
        read(path)


def test_a_line_of_dashes_between_blanks(tmp_path):
    (tmp_path / "a.dat").write_text("u ra\n--- ---\n1 2\n3 4\n")
    with pytest.raises(CatalogueError, match="line 2 has only dashes"):
        read(tmp_path / "a.dat")


def test_a_word_by_chance_is_no_unit(tmp_path):
    (tmp_path / "a.csv").write_text("name,u\nbright,faint\n7,2\n8,3\n")
    assert len(read(tmp_path / "a.csv")) == 3


def test_long_unsigned_numbers_beside_words_for_missing_ones(tmp_path):
    (tmp_path / "a.csv").write_text("id,u\n18446744073709551615,1\nNA,2\n,3\n")
    assert read(tmp_path / "a.csv")["id"].tolist() == [18446744073709551615, None, None]


def test_hexadecimal_names_stay_as_they_are(tmp_path):
    (tmp_path / "a.csv").write_text("id,u\n0x1F,1\n0x20,2\n")
    assert read(tmp_path / "a.csv")["id"].tolist() == ["0x1F", "0x20"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [("1,5", "decimal comma"), ("1.5D+02", "Fortran's D"), ("bright", "--missing bright")],
)
def test_cells_that_are_almost_numbers(cell, message):
    with pytest.raises(CatalogueError, match=message):
        measure({"u": ["1.0", cell], "u_err": [0.1, 0.1]}, "u")
