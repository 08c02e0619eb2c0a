"""Small files of every format, for the fuzzer to damage."""

import bz2
import gzip
import io
import tempfile
from pathlib import Path

import h5py
import numpy as np
from astropy.table import MaskedColumn, Table

from peculiar.catalogue import write
from peculiar.catalogue.formats import WRITTEN
from tests.persistence.helpers import ready_model


def sample():
    """Every kind of column; small, as every byte is a place to damage."""
    return Table(
        {
            "name": ["a", "b\u00e9", "-1"],
            "u": MaskedColumn([1.5, 2.5, np.inf], mask=[False, True, False], unit="mag"),
            "u_err": [0.1, 0.2, 0.3],
            "n": np.array([1, 2, 3], dtype=np.int16),
        },
        meta={"AUTHOR": "me"},
    )


def written(form):
    """The sample in a format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.any"
        write(sample(), path, format=form)
        return path.read_bytes()


def hdf5_group():
    """A data set for each column, with links."""
    file = io.BytesIO()
    with h5py.File(file, "w") as made:
        made["t/u"] = np.arange(3.0)
        made["t/name"] = ["a", "b", "c"]
        made["soft"] = h5py.SoftLink("/t")
    return file.getvalue()


def votable_text():
    """Rows as elements, not as bytes."""
    file = io.BytesIO()
    sample()["u", "n"].write(file, format="votable", tabledata_format="tabledata")
    return file.getvalue()


def mrt():
    file = io.StringIO()
    sample()["name", "u_err", "n"][:1].write(file, format="ascii.mrt")
    return file.getvalue().encode()


def model():
    with tempfile.TemporaryDirectory() as folder:
        ready_model().save(Path(folder) / "m.peculiar")
        return (Path(folder) / "m.peculiar").read_bytes()


def seeds():
    """For each target, some files that are whole."""
    found = {form: [written(form)] for form in WRITTEN}
    found["hdf5"].append(hdf5_group())
    found["votable"].append(votable_text())
    found["csv"] += [gzip.compress(found["csv"][0], mtime=0), bz2.compress(found["csv"][0])]
    found["mrt"] = [mrt()]
    found["ipac"] = [b"\\x = 1\n| a | b |\n| double | char |\n| mag | |\n  1.5  x \n  2.5  y \n"]
    found["sextractor"] = [b"#   1 N  number\n#   2 MAG  magnitude [mag]\n 1 18.5\n 2 19.5\n"]
    found["vizier"] = [b"#Column\tA\t(I6)\tx\t[ucd=meta.id]\nA\tB\n\tmag\n--\t---\n1\t2.5\n2\t\n"]
    found["text"] = [b"# c\n# u u_err\n1.5 0.1\n2.5 0.2\n", b"u v\n1 x\n2 y\n"]
    found["model"] = [model()]
    return found
