"""A table to be looked at: the same cells, masks and features as astropy's. (test_processes: without loading that.)"""

import pytest
from numpy.testing import assert_array_equal

from peculiar.catalogue import measure, read
from peculiar.catalogue.expressions.conditions import row_numbers
from peculiar.catalogue.light import LightTable
from peculiar.catalogue.reading import look

TEXT = """\
name,id,u,u_err,g,g_err,seen,night
a,000123,1.5,0.1,2,0.2,true,2026-11-18
b,000124,,0.1,-9999,0.2,false,2026-11-19
,000125,2.5,NA,4,0.3,true,
d,000126,3.5,0.4,5,0.1,false,2026-11-20
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "sky.csv"
    path.write_text(TEXT)
    return path


def test_cells_and_masks(path):
    light, full = look(path, None), read(path)
    assert isinstance(light, LightTable)
    assert light.colnames == full.colnames
    assert len(light) == len(full)
    for name in full.colnames:
        assert light[name].dtype == full[name].dtype
        assert light[name].tolist() == full[name].tolist()


@pytest.mark.parametrize("missing", [(), (-9999,)])
def test_features(path, missing):
    light, full = (
        measure(table, "u - g, g", missing=missing) for table in (look(path, None), read(path))
    )
    assert_array_equal(light.X, full.X)
    assert_array_equal(light.X_cov, full.X_cov)
    assert light.notes == full.notes
    assert light.units == full.units


@pytest.mark.parametrize("where", ["name == 'd' or id == '000123'", "u > 2", "seen and g < 3"])
def test_rows(path, where):
    light = look(path, ["id", "name", "u", "g", "seen"])
    numbers = row_numbers(light, where)
    assert_array_equal(numbers, row_numbers(read(path), where))
    assert light[numbers]["id"].tolist() == read(path, where=where)["id"].tolist()


def test_units_are_kept(tmp_path):
    path = tmp_path / "sky.csv"
    path.write_text("# COLUMN u: Brightness [mag]\n# COLUMN r: Another [mag]\nu,r\n1,2\n3,4\n")
    assert [str(column.unit) for column in look(path, None).columns.values()] == ["mag", "mag"]


def test_one_more_format(path, tmp_path):
    """Whatever is not CSV is read as ever."""
    table = read(path)
    table.write(tmp_path / "sky.fits")
    assert not isinstance(look(tmp_path / "sky.fits", ["u"]), LightTable)
