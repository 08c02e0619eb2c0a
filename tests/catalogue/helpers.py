"""Small catalogues for the tests."""

import numpy as np
from astropy.table import MaskedColumn, Table

FORMATS = ("fits", "votable", "ecsv", "csv", "parquet", "hdf5")
EXTENSIONS = (
    "fits", "fit", "fits.gz", "vot", "votable", "xml", "vot.gz", "ecsv", "ecsv.gz", "csv", "csv.gz", "tsv", "tsv.gz",
    "parquet", "pq", "h5", "hdf5",
)  # fmt: skip
KEEPS_META = {"fits", "ecsv", "parquet", "hdf5"}
KEEPS_UNITS = KEEPS_META | {"votable"}


def sample():
    """Every kind of column, masked and not; with units, a description and metadata."""
    mask = [False, True, False, False]
    table = Table(
        {
            "name": ["000123", "000123.45+001234.5", "café", "a,b"],
            "u_mag": MaskedColumn([19.1, 0.0, 1e-7, -2.5], mask=mask, unit="mag", description="brightness"),
            "flux": np.array([0.1, 2.0, 3.5, 1e30]),
            "single": np.array([0.1, 0.2, 0.3, 1e-20], dtype=np.float32),
            "count": MaskedColumn([1, 2, 999999, -5], mask=mask),
            "source_id": [4295806720, 34361129088, 9223372036854775807, -1],
            "remark": MaskedColumn(["x", "behind", "z", "w"], mask=mask),
            "good": MaskedColumn([True, False, False, True], mask=mask),
        },
        meta={"AUTHOR": "me", "EPOCH": 2015.5},
    )  # fmt: skip
    table["flux"].unit = "Jy"
    return table


def mask_of(column):
    return np.broadcast_to(np.asarray(getattr(column, "mask", False)), len(column))
