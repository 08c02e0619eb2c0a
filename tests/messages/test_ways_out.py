"""Ways out that are offered are ways out: no format that is only read, no column that is something else."""

import re

import numpy as np
import pytest

import peculiar
from peculiar.catalogue import measure, read, write
from peculiar.catalogue.columns.matching import near_misses
from peculiar.catalogue.formats import WRITTEN
from peculiar.errors import CatalogueError, InputError, SettingError

GAIA = ["ra", "dec", "pmra", "pmra_error", "bp_rp"]


@pytest.mark.parametrize("name", ["a.zip", "a"])
def test_a_file_to_write_has_a_format_that_is_written(tmp_path, name):
    with pytest.raises(CatalogueError, match=r"to be written in\?") as caught:
        write({"u": [1.0]}, tmp_path / name)
    offered = re.findall(r"(\w+): \.", str(caught.value))
    assert offered == list(WRITTEN)
    assert "--format" not in str(caught.value)  # of a command that is the format of what is read


def test_the_error_of_another_column_is_no_near_miss():
    with pytest.raises(CatalogueError, match=r"^no error was found for 'bp_rp'\. Say which"):
        measure({name: [1.0, 2.0] for name in GAIA}, "bp_rp")
    with pytest.raises(CatalogueError, match=r"for 'u'; did you mean du_err\?"):
        measure({name: [1.0, 2.0] for name in ("u", "g", "g_err", "du_err")}, "u")


def test_a_declination_is_no_error():
    assert near_misses("RA_ICRS", ["RA_ICRS", "DE_ICRS"]) == []
    assert near_misses("Plx", ["eplx", "se_Plx", "e_Plxa"]) == ["e_Plxa"]


def test_units_in_brackets_are_told_of_few_rows(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("u,g,n\n[mag],(mag),-\n18,19,x\n17,18,y\n")
    with pytest.raises(
        CatalogueError, match=r"line 2 has words \(\[mag\], \(mag\)\) .* a line of units\?"
    ):
        read(path)


@pytest.mark.parametrize("dashes", ["", "----\t---\n"])
def test_a_table_without_units_is_not_vizier(tmp_path, dashes):
    """Its first rows were taken for units and dashes, and were gone."""
    path = tmp_path / "a.tsv"
    path.write_text(f"u\te_u\n{dashes}1\t.1\n2\t.2\n3\t.3\n")
    with pytest.raises(CatalogueError, match=r"is not as VizieR writes tables: names, units and"):
        read(path, format="vizier")


def test_names_that_fits_has_not(tmp_path):
    table, path = {"größe": [1.0]}, tmp_path / "a.fits"
    with pytest.raises(
        CatalogueError, match=r"^column 'größe' cannot be written as FITS.*rename it, or write VOT"
    ):
        write(table, path)
    assert not path.exists()
    for other in ("vot", "ecsv", "parquet", "h5"):
        write(table, tmp_path / f"a.{other}")
        assert read(tmp_path / f"a.{other}").colnames == ["größe"]


def test_complex_numbers_are_no_feature():
    with pytest.raises(CatalogueError, match=r"^column 'u' has complex numbers.*amplitude and"):
        measure({"u": [1j, 2.0]}, "u", no_error=["u"])


@pytest.mark.parametrize("rarity", [float("nan"), -1.0, "high"])
def test_a_rarity_that_is_none(rarity):
    with pytest.raises(SettingError, match=r"^rarity must be a number from 0 on, or inf, not"):
        peculiar.rank({"u": np.arange(9.0)}, "u", no_error=["u"], rarity=rarity)


def test_a_command_names_the_feature_that_cannot_be_fitted():
    table = {"u": np.arange(9.0), "g": np.full(9, 3.0)}
    with pytest.raises(InputError, match=r"^column 1 \('twice'\) is constant \(6 in every row"):
        peculiar.rank(table, "u, twice = 2 * g", no_error=["u", "g"], n_components=1)
