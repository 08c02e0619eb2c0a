"""Keywords of FITS that speak of a column by its number follow the column."""

import numpy as np
import pytest
from astropy.io import fits
from astropy.table import Table

from peculiar.catalogue import list_columns, measure, read, write
from peculiar.estimators.verdict_columns import FEATURE
from peculiar.report import ranked_table
from peculiar.report.candidates import Candidates

OF_TWO = {  # by column: what is said of it
    "u": {"TLMIN": 10.0, "TLMAX": 30.0, "TDISP": "F8.3", "TBUCD": "phot.mag;em.opt.U", "TDMIN": 11.0},
    "x": {"TCTYP": "RA---TAN", "TCRVL": 180.0, "TCUNI": "deg", "TUTYP": "pos.x"},
    "y": {"TCTYP": "DEC--TAN", "TCRVL": -5.0, "TDISP": "E12.4"},
}  # fmt: skip
NAMES = ["id", "u", "x", "y"]


@pytest.fixture
def path(tmp_path):
    """A file whose columns u, x and y have keywords, with a matrix between x and y."""
    table = Table(
        {"id": np.arange(5), **{name: np.arange(5.0) + i for i, name in enumerate("uxy")}}
    )
    file = tmp_path / "pixels.fits"
    table.write(file)
    with fits.open(file, mode="update") as units:
        header = units[1].header
        for name, said in OF_TWO.items():
            for stem, value in said.items():
                header[f"{stem}{NAMES.index(name) + 1}"] = value
        header["TPC3_4"] = 0.25
        header["TPV3_1"] = 0.5
        header["TELESCOP"] = "eye"
        header["TEMP2"] = 20.0
    return file


def said_of_columns(path):
    """For each column what the keywords say of it, and all that is not said of columns."""
    header, found = fits.getheader(path, 1), {}
    names = [header[f"TTYPE{n}"] for n in range(1, header["TFIELDS"] + 1)]
    for name, said in OF_TWO.items():
        number = names.index(name) + 1 if name in names else 0
        found[name] = {stem: header.get(f"{stem}{number}") for stem in said}
    return names, found, header


def expected(names):
    return {n: s if n in names else dict.fromkeys(s) for n, s in OF_TWO.items()}


@pytest.mark.parametrize("columns", [None, ["y", "id", "x", "u"], ["x"]])
def test_they_follow_their_columns(path, tmp_path, columns):
    target = tmp_path / "out.fits"
    write(read(path, columns=columns), target)
    names, found, header = said_of_columns(target)
    assert found == expected(names)
    assert (header["TELESCOP"], header["TEMP2"]) == ("eye", 20.0)
    x = names.index("x") + 1
    assert header[f"TPV{x}_1"] == 0.5
    pairs = {key: header[key] for key in header if key.startswith("TPC")}
    assert pairs == ({f"TPC{x}_{names.index('y') + 1}": 0.25} if "y" in names else {})


def test_columns_in_front_move_them(path, tmp_path):
    table = read(path)
    order = np.arange(5)[::-1]
    candidates = Candidates(**dict.fromkeys(Candidates.__dataclass_fields__))
    for name, value in {
        "order": order,
        "verdict": {"rank": np.arange(5), "p_value": np.ones(5)},
        "features": {"z": dict.fromkeys(FEATURE, np.full(5, np.nan))},
        "measured": measure({"z": np.ones(5)}, "z", no_error=["z"]),
    }.items():
        object.__setattr__(candidates, name, value)
    target = tmp_path / "ranked.fits"
    write(ranked_table(table, candidates, {"MADE_BY": "test"}), target)
    names, found, header = said_of_columns(target)
    assert names[:3] == ["rank", "p_value", "id"]
    assert found == OF_TWO
    assert header["TPC5_6"] == 0.25
    assert "TLMIN2" not in header


def test_a_table_that_astropy_has_read_does_not_say_which_column_is_meant(path, tmp_path):
    table = Table.read(path)
    write(table[["y", "u"]], tmp_path / "out.fits")
    assert "TLMIN2" not in fits.getheader(tmp_path / "out.fits", 1)


def test_they_survive_other_formats(path, tmp_path):
    write(read(path), tmp_path / "out.ecsv")
    write(read(tmp_path / "out.ecsv")[["y", "u"]], tmp_path / "back.fits")
    names, found, _ = said_of_columns(tmp_path / "back.fits")
    assert found == expected(names)
    np.testing.assert_array_equal(read(tmp_path / "back.fits")["u"], read(path)["u"])


def test_a_ucd_in_the_other_keyword(path):
    ucds = {info.name: info.ucd for info in list_columns(path)}
    assert ucds["u"] == "phot.mag;em.opt.U"
