"""Messages quote at most 200 characters of a file, and astropy's own warnings are not heard."""

import json
import warnings

import numpy as np
import pytest
from astropy.io import fits
from astropy.table import Table

from peculiar import RobustMixture
from peculiar.catalogue import list_columns, measure, read, write
from peculiar.errors import PeculiarError
from tests.persistence.helpers import ready_model, rewrite

SECRET = "s3cret"
LONG = SECRET * 2000

FILES = {
    "row.csv": f"a,b\n1,2\n{LONG}\n",
    "numbers.csv": ",".join(["1" * 5000] * 5) + "\n",
    "bad.ecsv": f"# %ECSV 1.0\n# ---\n# datatype:\n# - {{name: {LONG}, datatype: what}}\n{LONG}\n1\n",
    "yaml.ecsv": f"# %ECSV 1.0\n# ---\n# datatype: {{{LONG}\nu\n1\n",
    "a.vot": f"<VOTABLE><RESOURCE><TABLE><{LONG}>",
    "b.vot": '<VOTABLE version="1.3"><RESOURCE><TABLE><FIELD name="u" datatype="int"/><DATA><TABLEDATA><TR><TD>'
    f"{LONG}</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>",
    "words.csv": f"u,u_err\n{LONG},0.1\n",
    "error.csv": f"u,{LONG}\n1,0.1\n",
}


@pytest.mark.parametrize("name", FILES)
def test_little_of_a_file_is_quoted(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    with pytest.raises(PeculiarError) as caught:
        measure(path, "u")
    text = str(caught.value).replace(str(path), "")
    assert text.count(SECRET) * len(SECRET) <= 200
    assert text.count("1") <= 200
    assert len(text) < 800


def test_little_of_a_model_file_is_quoted(tmp_path):
    path = tmp_path / "a.peculiar"
    for document in (
        {"format": "peculiar model", "format_version": 99, "written_by": LONG, "content": {}},
        {"format": "peculiar model", "format_version": LONG, "content": {}},
        {"format": LONG},
        LONG,
    ):
        path.write_text(json.dumps(document))
        with pytest.raises(PeculiarError) as caught:
            RobustMixture.load(path)
        assert str(caught.value).count(SECRET) * len(SECRET) <= 200


def test_little_is_quoted_of_a_model_with_a_right_checksum(tmp_path):
    path = tmp_path / "a.peculiar"
    for key in ("feature_names", "estimator"):
        ready_model().save(path)
        rewrite(path, lambda document, key=key: document["content"].update({key: LONG}))
        with pytest.raises(PeculiarError) as caught:
            RobustMixture.load(path)
        assert 0 < str(caught.value).count(SECRET) * len(SECRET) <= 200


def test_astropy_is_not_heard(tmp_path):
    unit = fits.BinTableHDU(Table({"u": [1.0], "u_err": [0.1]}))
    unit.header["TUNIT1"] = "furlong per fortnight"
    unit.header["DATE-OBS"] = "yesterday"
    unit.writeto(tmp_path / "a.fits")
    content = (tmp_path / "a.fits").read_bytes()
    (tmp_path / "a.fits").write_bytes(content.replace(b"TFIELDS =", b"TFIELDS= ", 1))
    write(Table({"u": [1.0]}, units={"u": "furlong"}, meta={"lower case": 1}), tmp_path / "b.fits")
    for form in ("votable", "ecsv", "parquet", "hdf5"):
        table = Table({"u": np.ones(2)})
        table["u"].unit = "Angstrom"
        write(table, tmp_path / f"b.{form}", format=form)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for path in tmp_path.iterdir():
            form = path.suffix[1:]
            list_columns(path, format=form)
            read(path, format=form)
    assert [str(warning.message) for warning in caught] == []
