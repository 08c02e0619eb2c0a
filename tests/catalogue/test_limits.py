"""Values that a flag says are limits are no measurements."""

import numpy as np
import pandas as pd
import pytest
from astropy.table import MaskedColumn, Table

from peculiar.catalogue import measure, pair_errors
from peculiar.errors import CatalogueError

MASS = {"pl_mass": [1.0, 2.0, 3.0, 4.0], "pl_masserr1": [0.1] * 4, "pl_masserr2": [-0.1] * 4}
FE = {"Fe": [1.0, 2.0, 3.0, 4.0], "e_Fe": [0.1] * 4}


def missing(table, features, **options):
    sky = measure(table, features, **options)
    return np.flatnonzero(np.isnan(sky.X[:, 0])).tolist(), sky


@pytest.mark.parametrize(
    ("table", "flag", "rule"),
    [
        ({**MASS, "pl_masslim": [0, 1, -1, 0]}, "pl_masslim", "Xlim"),
        ({**MASS, "pl_mass_lim": [0.0, 1.0, -1.0, np.nan]}, "pl_mass_lim", "X_lim"),
        ({**FE, "l_Fe": ["", "<", ">", " "]}, "l_Fe", "l_X"),
        ({**FE, "l_Fe": [b"=", b"<", b">", b"~"]}, "l_Fe", "l_X"),
        ({**FE, "f_Fe": ["", "<", "u", ""]}, "f_Fe", "f_X"),
        ({**FE, "f_Fe": [0, 2, 1, 0]}, "f_Fe", "f_X"),
        ({**FE, "l_Fe": [False, True, True, False]}, "l_Fe", "l_X"),
    ],
)
def test_limits_are_missing(table, flag, rule):
    name = next(iter(table))
    rows, sky = missing(Table(table), name)
    assert rows == [1, 2]
    (note,) = sky.notes
    assert note.startswith(f"{name}: 2 values are missing because {flag} flags limits (")
    assert note.endswith(f"); --limit {name}=none takes them as measured")
    (line,) = [line for line in str(sky.pairing).splitlines() if "limit flag" in line]
    assert line.split()[:2] == [name, flag]
    assert line.endswith(rule)


def test_the_note_counts_the_marks():
    _, sky = missing({**FE, "l_Fe": ["<", "<", ">", ""]}, "Fe")
    assert "('<' 2 times, '>' 1 times)" in sky.notes[0]


@pytest.mark.parametrize(
    "flag",
    [
        {"f_Fe": [1.5, 2.5, 3.5, 4.5]},  # a flux
        {"f_Fe": np.arange(4.0) / 2},
        {"Felim": [22, 22, 23, 22]},  # the depth of a survey
    ],
)
def test_columns_that_only_have_the_name_of_a_flag(flag):
    rows, sky = missing({**FE, **flag}, "Fe")
    assert rows == []
    assert sky.notes == ()
    assert "limit flag" not in str(sky.pairing)


@pytest.mark.parametrize("kind", ["table", "file"])
def test_a_column_with_the_name_of_a_flag_does_not_hide_the_flag(tmp_path, kind):
    table = {"mag": [20.0, 21.0, 22.0, 23.0], "e_mag": [0.1] * 4, "f_mag": ["<", "", "", ""]}
    table["maglim"] = [24.5, 24.6, 24.7, 24.8]  # the depth of the survey
    if kind == "file":
        Table(table).write(tmp_path / "a.csv")
    rows, sky = missing(table if kind == "table" else tmp_path / "a.csv", "mag")
    assert rows == [0]
    assert "f_mag flags limits ('<' 1 times)" in sky.notes[0]
    assert "maglim" not in sky.pairing.needed()
    table["l_mag"] = ["", ">", "", ""]  # the first that is a flag
    assert missing(table, "mag")[0] == [1]


@pytest.mark.parametrize("kind", ["boolean", "Int64", object])
def test_a_flag_that_pandas_does_not_have(kind):
    flag = pd.Series([1, pd.NA, 0, pd.NA]).astype(kind)
    assert missing({**FE, "l_Fe": flag}, "Fe")[0] == [0]
    assert missing(pd.DataFrame({**FE, "l_Fe": flag}), "Fe")[0] == [0]


def test_six_different_numbers_are_no_flag():
    n = 12
    table = {"Fe": np.arange(n) + 1.0, "e_Fe": np.full(n, 0.1), "f_Fe": np.arange(n) % 6}
    assert missing(table, "Fe")[0] == []
    table["f_Fe"] = np.arange(n) % 5
    assert len(missing(table, "Fe")[0]) == 9


def test_a_masked_flag_flags_nothing():
    flag = MaskedColumn(["<", "<", ">", "<"], mask=[False, True, True, True])
    assert missing(Table({**FE, "l_Fe": flag}), "Fe")[0] == [0]


def test_as_the_user_says():
    table = {**FE, "l_Fe": ["", "<", "", ""], "quality": [0, 0, 0, 1]}
    assert missing(table, "Fe", limits={"Fe": None})[0] == []
    assert missing(table, "Fe", limits={"Fe": "quality"})[0] == [3]
    with pytest.raises(
        CatalogueError, match=r"^the table has no column 'qualty'; did you mean quality"
    ):
        measure(table, "Fe", limits={"Fe": "qualty"})
    with pytest.raises(
        CatalogueError, match=r"^a limit flag was given for 'x', which no feature uses"
    ):
        measure(table, "Fe", limits={"x": None})


def test_a_value_that_means_missing_still_flags():
    table = {**MASS, "pl_masslim": [0, 0, -1, 0]}
    assert missing(table, "pl_mass", missing=[-1])[0] == [2]


def test_a_column_that_is_used_is_no_flag():
    names = ["Fe", "e_Fe", "f_Fe", "e_f_Fe", "l_Fe"]
    pairing = pair_errors(names, ["Fe", "f_Fe"], errors={"f_Fe": "l_Fe"})
    assert pairing.limits == {}


def test_files_are_read_with_their_flags(tmp_path):
    path = tmp_path / "planets.csv"
    Table({**MASS, "pl_masslim": [0, 1, 0, 0], "other": [1, 2, 3, 4]}).write(path)
    assert missing(path, "log10(pl_mass)")[0] == [1]
