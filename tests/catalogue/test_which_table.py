"""Which table of a file: by number or name, in brackets or beside the path."""

import h5py
import numpy as np
import pytest
from astropy.io import fits
from astropy.io.votable import from_table
from astropy.io.votable.tree import Resource
from astropy.table import Table

from peculiar.catalogue import count_rows, list_columns, list_tables, measure, read, write
from peculiar.errors import CatalogueError

STARS = Table({"u": [1.0, 2.0], "u_err": [0.1, 0.1]})
GALAXIES = Table({"z": [0.1, 0.2, 0.3], "z_err": [0.01, 0.01, 0.01]})


@pytest.fixture
def path(request, tmp_path):
    """A file with the table STARS, and then GALAXIES."""
    path = tmp_path / f"survey.{request.param}"
    if request.param == "fits":
        stars, galaxies = fits.table_to_hdu(STARS), fits.table_to_hdu(GALAXIES)
        stars.name, galaxies.name = "STARS", "GALAXIES"
        image = fits.ImageHDU(np.zeros((2, 2)), name="IMAGE")
        fits.HDUList([fits.PrimaryHDU(), stars, image, galaxies]).writeto(path)
    elif request.param == "vot":
        document = from_table(STARS, table_id="stars")
        other = Resource()
        other.tables.append(from_table(GALAXIES, table_id="galaxies").get_first_table())
        document.resources.append(other)
        document.to_xml(str(path))
    else:
        with h5py.File(path, "w") as file:
            file["deep/stars"] = STARS.as_array()
            file["galaxies"] = GALAXIES.as_array()
    return path


NUMBERS = {"fits": (1, 3), "vot": (0, 1), "h5": (0, 1)}
several = pytest.mark.parametrize("path", ["fits", "vot", "h5"], indirect=True)


@several
def test_tables_are_listed(path):
    listed = list_tables(path)
    names = [each.name.lower().rpartition("/")[2] for each in listed]
    assert names == ["stars", "galaxies"]
    assert tuple(each.number for each in listed) == NUMBERS[path.suffix[1:]]
    assert [(each.n_rows, each.n_columns) for each in listed] == [(2, 2), (3, 2)]


@several
def test_a_table_is_chosen(path):
    number = NUMBERS[path.suffix[1:]][1]
    assert read(path).colnames == STARS.colnames
    for which in (f"{path}[{number}]", f"{path}[galaxies]", f"{path}[GALAXIES]"):
        assert list(read(which)["z"]) == [0.1, 0.2, 0.3]
        assert list(read(which, columns=["z_err"])["z_err"]) == [0.01] * 3
        assert [column.name for column in list_columns(which)] == GALAXIES.colnames
        assert count_rows(which) == 3
        assert measure(which, "z").X.shape == (3, 1)
    assert read(path, table=number).colnames == GALAXIES.colnames
    assert read(path, table="galaxies").colnames == GALAXIES.colnames
    with pytest.raises(CatalogueError, match=r"\[1\] and --hdu 2 both name a table"):
        read(f"{path}[1]", table=2)


@several
def test_no_such_table(path):
    for which in (7, "quasars"):
        message = rf"survey\.\w+ has no table '{which}'; it has \d \(.*stars\), \d \(.*galaxies\)"
        with pytest.raises(CatalogueError, match=f"(?i){message}"):
            read(path, table=which)


@pytest.mark.parametrize("path", ["h5"], indirect=True)
def test_a_path_within_hdf5(path):
    for name in ("/deep/stars", "deep/stars"):
        assert read(path, table=name).colnames == STARS.colnames


def test_hdus_of_the_same_name(tmp_path):
    path = tmp_path / "a.fits"
    units = [fits.table_to_hdu(table) for table in (STARS, GALAXIES)]
    for version, unit in enumerate(units, 1):
        unit.name, unit.ver = "SCI", version
    fits.HDUList([fits.PrimaryHDU(), *units]).writeto(path)
    assert read(f"{path}[SCI,2]").colnames == GALAXIES.colnames
    with pytest.raises(CatalogueError, match=r"no table 'SCI'; it has 1 \(SCI,1\), 2 \(SCI,2\)"):
        read(f"{path}[SCI]")


def test_a_name_that_ends_in_brackets(tmp_path):
    path = tmp_path / "a.csv[1]"
    write(STARS, path, format="csv")
    assert len(read(path, format="csv")) == 2


def test_formats_with_one_table(tmp_path):
    write(STARS, tmp_path / "a.csv")
    assert list_tables(tmp_path / "a.csv") == ()
    with pytest.raises(
        CatalogueError, match=r"has one table in each file; leave out \[2\] \(--hdu"
    ):
        read(f"{tmp_path / 'a.csv'}[2]")


@pytest.mark.parametrize("form", ["fits", "votable", "ecsv", "parquet", "hdf5"])
def test_shapes_are_listed(tmp_path, form):
    path = tmp_path / "a.any"
    write({"u": [1.0, 2.0], "v": np.zeros((2, 3))}, path, format=form)
    assert [column.shape for column in list_columns(path, format=form)] == [(), (3,)]
    assert {column.dtype for column in list_columns(path, format=form)} == {"float64"}
