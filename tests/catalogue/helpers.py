"""Small catalogues for the tests."""

import numpy as np
from astropy.table import MaskedColumn, Table

from peculiar.catalogue import write

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


PIXELS = [(1, 0), (0, 1), (2, 33), (1, 9), (0, 3)]
"""HEALPix pixels in the order in which they follow each other; sorted by name they would not."""


def write_hats(folder, columns, suffix=".parquet", pixels=PIXELS):
    """Rows as a HATS catalogue, cut into pixels in their order; with all the files beside that are not rows."""
    n = len(next(iter(columns.values())))
    cuts = np.linspace(0, n, len(pixels) + 1).astype(int)
    for (order, number), first, last in zip(pixels, cuts[:-1], cuts[1:]):
        path = folder / "dataset" / f"Norder={order}" / "Dir=0" / f"Npix={number}{suffix}"
        rows = {name: cells[first:last] for name, cells in columns.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        if suffix == "/":
            path.mkdir()
            middle = (last - first) // 2
            write({name: cells[:middle] for name, cells in rows.items()}, path / "a.parquet")
            write({name: cells[middle:] for name, cells in rows.items()}, path / "b.parquet")
        else:
            write(rows, path)
    other = {name: cells[:2] for name, cells in columns.items()}
    for name in ("data_thumbnail", "_metadata", "_common_metadata"):
        write(other, folder / "dataset" / f"{name}.parquet")
    lines = "\n".join(f"{order},{number}" for order, number in sorted(pixels))
    (folder / "partition_info.csv").write_text(f"Norder,Npix\n{lines}\n")
    said = {"obs_collection": "sky", "dataproduct_type": "object", "hats_npix_suffix": suffix}
    text = "".join(f"{key}={value}\n" for key, value in said.items())
    (folder / "hats.properties").write_text("#HATS catalog\n" + text)
    return folder
