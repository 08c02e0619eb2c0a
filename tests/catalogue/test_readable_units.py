"""What is written can be read by astropy without a warning, and says what it cannot write as a unit."""

import warnings

import astropy.units as u
import numpy as np
import pytest
from astropy.io.fits import getheader
from astropy.io.votable import parse
from astropy.table import Table

from peculiar.catalogue import read, write
from peculiar.catalogue.formats.readable_units import readable

UNITS = {
    "plain": "mag",
    "composed": "km / s",
    "ab": "mag(AB)",
    "logarithm": "log10(Jy)",
    "words": "days",
    "scaled": "0.5 mag",
    "unknown": "nanomaggy per furlong",
    "angle": "hourangle",
}
EXTENSIONS = {"fits": "fits", "votable": "vot", "ascii.ecsv": "ecsv"}


@pytest.fixture(scope="module")
def table():
    columns = Table({name: np.arange(3.0) for name in UNITS}, meta={"AUTHOR": "me", "PAGES": 7})
    for name, unit in UNITS.items():
        columns[name].unit = u.Unit(unit, parse_strict="silent")
        columns[name].description = f"the {name} one"
        columns[name].meta["ucd"] = "stat.value"
    return columns


@pytest.mark.parametrize("form", ["fits", "votable"])
def test_astropy_reads_it_without_a_warning(table, tmp_path, form):
    path = tmp_path / f"a.{EXTENSIONS[form]}"
    write(table, path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = Table.read(path, format=form)
    assert (back["plain"].unit, back["composed"].unit) == (u.mag, u.km / u.s)
    assert back["words"].unit == u.d
    assert back["ab"].unit is None

    ours = read(path)
    assert ours["ab"].description == "the ab one [mag(AB)]"
    assert "[nanomaggy per furlong]" in ours["unknown"].description
    assert str(table["ab"].unit) == "mag(AB)"  # what was given stays as it was
    assert table["ab"].description == "the ab one"


@pytest.mark.parametrize("form", EXTENSIONS)
def test_descriptions_and_ucds_are_where_astropy_or_topcat_looks_for_them(table, tmp_path, form):
    path = tmp_path / f"a.{EXTENSIONS[form]}"
    write(table, path)
    back = Table.read(path, format=form)
    if form == "fits":
        header = getheader(path, 1)
        assert (header["TCOMM1"], header["TUCD1"]) == ("the plain one", "stat.value")
    else:
        assert back["plain"].description == "the plain one"
        assert back["plain"].meta["ucd"] == "stat.value"


@pytest.mark.parametrize("form", ["fits", "votable"])
@pytest.mark.parametrize("unit", ["Angstrom", "1e-17 erg / (s cm2 Angstrom)", "kG", "mbarn", "Ba"])
def test_units_that_a_standard_would_rather_not_have_are_kept_without_a_remark(
    tmp_path, form, unit
):
    table = Table({"flux": [1.0]})
    table["flux"].unit = unit
    path = tmp_path / f"a.{EXTENSIONS[form]}"
    write(table, path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = Table.read(path, format=form)["flux"]
    if (form, unit) != ("fits", "Ba"):  # FITS has no word for it
        assert back.unit == u.Unit(unit)


@pytest.mark.parametrize(
    ("unit", "text"),
    [("Angstrom", "0.1nm"), ("1e-17 erg / (s cm2 Angstrom)", "1e-23J.nm**-1.s**-1.cm**-2")],
)
def test_how_they_are_written_in_a_votable(unit, text):
    assert readable(u.Unit(unit), "vounit").to_string("vounit") == text


def test_metadata_of_a_votable_are_info(table, tmp_path):
    write(table, tmp_path / "a.vot")
    infos = parse(tmp_path / "a.vot").get_first_table().infos
    assert {info.name: info.value for info in infos} == {"AUTHOR": "me", "PAGES": "7"}


def test_a_description_that_is_not_english_is_no_obstacle_to_fits(tmp_path):
    table = Table({"a": [1.0]})
    table["a"].description = "Länge\nin Å"
    write(table, tmp_path / "a.fits")

    assert getheader(tmp_path / "a.fits", 1)["TCOMM1"] == r"L\xe4nge in \xc5"
