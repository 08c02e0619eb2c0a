"""Tables of text that only astropy reads: by extension, by look, or as the user says; compressed or not."""

import bz2
import gzip
import io

import numpy as np
import pytest
from astropy.table import Table
from numpy.testing import assert_array_equal

from peculiar.catalogue import list_columns, measure, read, write
from peculiar.catalogue.formats.looks import sniff
from peculiar.errors import CatalogueError
from tests.catalogue.helpers import mask_of

SEXTRACTOR = """\
#   1 NUMBER                 Running object number
#   2 MAG_AUTO               Kron-like elliptical aperture magnitude            [mag]
#   3 MAGERR_AUTO            RMS error for AUTO magnitude                       [mag]
         1  18.5  0.10
         2  19.5  0.20
"""
VIZIER = """\
#RESOURCE=yCat_1239
#Name: I/239/hip_main
#Column\tHIP\t(I6)\tIdentifier (HIP number)\t[ucd=meta.id;meta.main]
#Column\tVmag\t(F5.2)\t? Magnitude in Johnson V\t[ucd=phot.mag;em.opt.V]
HIP\tVmag\te_Vmag
 \tmag\tmag
------\t-----\t---
     1\t 9.10\t0.10
     2\t     \t0.20
"""
IPAC = """\
\\catalog = 'allwise'
|  name  |   ra     | w1mpro | w1sigmpro |
|  char  |  double  | double |  double   |
|        |  deg     |  mag   |   mag     |
|  null  |  null    |  null  |   null    |
   a1       10.5      12.5      0.1
   a2       11.5      null      0.2
"""
COMMENTED = "# made by hand\n#  u   u_err\n1.5  0.1\n2.5  0.2\n"
BLANKS = "u   u_err name\n1.5  0.1 a\n2.5  0.2 b\n"
TABS = "u\tu_err\n1.5\t0.1\n2.5\t0.2\n"


def mrt():
    table = Table({"Name": ["a", "b"], "u": [1.5, 2.5], "e_u": [0.1, 0.2]}, units={"u": "mag"})
    text = io.StringIO()
    table.write(text, format="ascii.mrt")
    return text.getvalue()


TEXTS = {
    "sextractor": (SEXTRACTOR, "cat", ["NUMBER", "MAG_AUTO", "MAGERR_AUTO"]),
    "vizier": (VIZIER, "tsv", ["HIP", "Vmag", "e_Vmag"]),
    "ipac": (IPAC, "tbl", ["name", "ra", "w1mpro", "w1sigmpro"]),
    "text": (COMMENTED, "dat", ["u", "u_err"]),
    "mrt": (mrt(), "txt", ["Name", "u", "e_u"]),
}
PACK = {"": lambda content: content, ".gz": gzip.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("packed", PACK)
@pytest.mark.parametrize("form", TEXTS)
def test_read_by_extension_by_look_or_as_said(tmp_path, form, packed):
    text, extension, names = TEXTS[form]
    content = PACK[packed](text.encode())
    assert sniff(text.encode()) == form
    for name, options in (
        (f"a.{extension}{packed}", {}),
        (f"a.TXT{packed}", {}),
        (f"a.any{packed}", {"format": form}),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        table = read(path, **options)
        assert table.colnames == names
        assert len(table) == 2
        assert [column.name for column in list_columns(path, **options)] == names
        assert read(path, columns=names[1:2], **options).colnames == names[1:2]


@pytest.mark.parametrize("packed", PACK)
@pytest.mark.parametrize("form", ["fits", "votable", "ecsv", "csv"])
def test_the_other_formats_are_decompressed_too(tmp_path, form, packed):
    write({"u": [1.5, 2.5]}, tmp_path / "plain", format=form)
    extension = {"votable": "vot"}.get(form, form)
    path = tmp_path / f"a.{extension}{packed}"
    path.write_bytes(PACK[packed]((tmp_path / "plain").read_bytes()))
    assert list(read(path)["u"]) == [1.5, 2.5]


def written(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_what_vizier_says(tmp_path):
    table = read(written(tmp_path, "a.tsv", VIZIER))
    assert_array_equal(mask_of(table["Vmag"]), [False, True])
    assert str(table["e_Vmag"].unit) == "mag"
    assert table["Vmag"].description == "? Magnitude in Johnson V"
    assert table["HIP"].meta["ucd"] == "meta.id;meta.main"
    sky = measure(tmp_path / "a.tsv", "Vmag")
    assert sky.units == ("mag",)
    twice = written(tmp_path, "b.tsv", VIZIER + VIZIER)
    with pytest.raises(CatalogueError, match="has 2 tables one below the other; ask VizieR"):
        read(twice)


def test_what_ipac_says(tmp_path):
    table = read(written(tmp_path, "a.tbl", IPAC))
    assert_array_equal(mask_of(table["w1mpro"]), [False, True])
    assert str(table["ra"].unit) == "deg"
    assert table.meta == {"catalog": "allwise"}
    assert measure(tmp_path / "a.tbl", "w1mpro").X_std[0, 0] == 0.1


def test_what_sextractor_and_mrt_say(tmp_path):
    table = read(written(tmp_path, "a.cat", SEXTRACTOR))
    assert str(table["MAG_AUTO"].unit) == "mag"
    assert measure(tmp_path / "a.cat", "MAG_AUTO").X_std[1, 0] == 0.2
    table = read(written(tmp_path, "a.mrt", mrt()))
    assert str(table["u"].unit) == "mag"
    assert list(table["Name"]) == ["a", "b"]


def test_columns_between_blanks(tmp_path):
    table = read(written(tmp_path, "a.txt", BLANKS))
    assert list(table["name"]) == ["a", "b"]
    assert list(read(written(tmp_path, "b.txt", TABS))["u"]) == [1.5, 2.5]
    assert list(read(written(tmp_path, "c.txt", "u,v\n1,2\n"))["v"]) == [2]
    with pytest.raises(CatalogueError, match="only numbers where the names of the columns should"):
        read(written(tmp_path, "d.dat", "1.5 2.5\n3.5 4.5\n"))
    with pytest.raises(CatalogueError, match="several columns of the same name: 'u'"):
        read(written(tmp_path, "e.dat", "u u\n3.5 4.5\n"))
    (tmp_path / "f.dat").write_bytes(b"u v\n1.5 \xe9\n")
    with pytest.raises(CatalogueError, match=r"f\.dat, line 2: byte 4 is 0xe9, which is not UTF-8"):
        read(tmp_path / "f.dat")


def test_they_are_read_but_not_written(tmp_path):
    for name in ("a.txt", "a.tbl", "a.mrt"):
        with pytest.raises(
            CatalogueError, match=r"is read, but not written; write one of fits, vo"
        ):
            write({"u": [1.0]}, tmp_path / name)
    with pytest.raises(CatalogueError, match=r"\.bz2 is read, but not written; use \.gz"):
        write({"u": [1.0]}, tmp_path / "a.csv.bz2")


def test_a_file_without_extension_is_read_if_its_look_leaves_no_doubt(tmp_path):
    write({"u": [1.5]}, tmp_path / "data", format="fits")
    assert read(tmp_path / "data")["u"][0] == 1.5
    assert read(written(tmp_path, "table", IPAC)).colnames[0] == "name"


ARCHIVE = """\
# This file was produced by the NASA Exoplanet Archive
# COLUMN koi_period:      Orbital Period [days]
# COLUMN koi_period_err1: Orbital Period Upper Unc. [hrs]
# COLUMN koi_period_err2: Orbital Period Lower Unc. [hrs]
# COLUMN koi_prad:        Planetary Radius [Earth radii]
# COLUMN koi_time0bk:     Transit Epoch [BJD - 2,454,833.0]
#
koi_period,koi_period_err1,koi_period_err2,koi_prad,koi_time0bk
9.5,2.4,-2.4,2.3,170.5
"""


def test_the_exoplanet_archive_tells_units(tmp_path):
    path = written(tmp_path, "a.csv", ARCHIVE)
    units = {column.name: column.unit for column in list_columns(path)}
    assert units["koi_period"] == "d"
    assert units["koi_prad"] == "earthRad"
    assert units["koi_time0bk"] == ""
    table = read(path)
    assert str(table["koi_period"].unit) == "d"
    assert table["koi_time0bk"].description == "Transit Epoch [BJD - 2,454,833.0]"
    sky = measure(path, "koi_period")
    assert sky.X_std[0, 0] == pytest.approx(0.1)  # hours, in days
    assert np.isfinite(sky.X).all()
