"""Marks in files for other programs."""

import numpy as np
import pytest
from astropy.table import Table

from peculiar.catalogue import read
from peculiar.errors import CatalogueError
from peculiar.triage import Mark, export, object_keys

NASTY = "<script>alert(1)</script>"
RANKED = Table({"row": [5, 2, 9], "name": ["=1+1", NASTY, "M 33"], "mark": [1.0, 2.0, 3.0]})
KEYS = object_keys(RANKED)
MARKS = {
    KEYS[2]: Mark("unsure", "", "2026-01-02T00:00:00+00:00"),
    KEYS[0]: Mark("artefact", '=HYPERLINK("x")', "2026-01-01T00:00:00+00:00"),
}


def test_csv_is_safe_in_a_spreadsheet(tmp_path):
    export(MARKS, tmp_path / "marks.csv", table=RANKED, keys=KEYS)
    lines = (tmp_path / "marks.csv").read_text().splitlines()
    assert lines[0] == "key,mark,note,marked_at,row,name,list_mark"
    assert lines[1].startswith('5:=1+1,artefact,"\'=HYPERLINK(""x"")"')
    assert lines[1].endswith(",5,'=1+1,1.0")
    assert len(lines) == 3


@pytest.mark.parametrize("ending", ["vot", "ecsv", "fits"])
def test_other_formats_keep_text_as_it_is(tmp_path, ending):
    path = tmp_path / f"marks.{ending}"
    export({KEYS[1]: Mark("interesting", "=1", "now"), **MARKS}, path)
    back = read(path)
    assert list(np.asarray(back["key"], dtype=str)) == [KEYS[1], KEYS[2], KEYS[0]]
    assert list(np.ma.filled(np.ma.asarray(back["note"], dtype=str), "")) == [
        "=1",
        "",
        '=HYPERLINK("x")',
    ]


def test_no_marks_are_an_empty_table(tmp_path):
    export({}, tmp_path / "marks.csv")
    assert (tmp_path / "marks.csv").read_text() == "key,mark,note,marked_at\n"


def test_nothing_is_replaced_unasked(tmp_path):
    export(MARKS, tmp_path / "marks.csv")
    with pytest.raises(CatalogueError, match="overwrite=True"):
        export(MARKS, tmp_path / "marks.csv")
