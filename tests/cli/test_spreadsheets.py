"""Text that a spreadsheet would run is marked; numbers never; and on demand all is written as it is."""

import numpy as np
import pytest
from astropy.table import MaskedColumn, Table

from peculiar.catalogue import read, write

HOSTILE = ["=HYPERLINK(1)", "+45 1234", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "M 31", "-12.5"]
SAFE = ["'" + text for text in HOSTILE[:5]] + HOSTILE[5:]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz"])
def test_text_that_would_be_run_is_marked(tmp_path, name):
    table = Table({"name": HOSTILE, "=u": np.arange(-3.0, 4.0)})
    write(table, tmp_path / name)
    after = read(tmp_path / name)
    assert after.colnames == ["name", "'=u"]
    assert list(after["name"]) == SAFE
    assert list(after["'=u"]) == list(np.arange(-3.0, 4.0))
    assert list(table["name"]) == HOSTILE


def test_plain_text_is_written_as_it_is(tmp_path):
    write({"name": ["=1"], "u": [-1.0]}, tmp_path / "a.csv", plain=True)
    assert (tmp_path / "a.csv").read_text() == "name,u\n=1,-1.0\n"


def test_masks_and_other_formats_are_left_alone(tmp_path):
    names = MaskedColumn(["=1", "=2"], mask=[False, True])
    write(Table({"name": names}), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == 'name\n\'=1\n""\n'
    for name in ("a.fits", "a.ecsv", "a.parquet"):
        write(Table({"name": ["=1"]}), tmp_path / name)
        assert read(tmp_path / name)["name"][0] == "=1"


def test_the_ranked_list(peculiar, catalogue, model, tmp_path):
    hostile = tmp_path / "in.csv"
    lines = catalogue.read_text().splitlines()
    hostile.write_text("\n".join([lines[0], *("=" + line for line in lines[1:])]) + "\n")
    for more, first in (([], "'="), (["--plain"], "=")):
        out = tmp_path / f"out{len(more)}.csv"
        assert peculiar("score", model, hostile, "--out", out, *more, "-q").code == 0
        assert all(str(name).startswith(first) for name in read(out)["name"])
