"""A simulated sky as a catalogue of LSDB. Where LSDB is not installed, tests with these marks say so."""

import contextlib
import warnings

import numpy as np
import pandas as pd
import pytest

lsdb = None
with warnings.catch_warnings(), contextlib.suppress(ImportError):
    warnings.simplefilter("ignore")  # LSDB 0.11 uses what pandas 3 deprecates
    import lsdb

MARKS = [
    pytest.mark.skipif(
        lsdb is None,
        reason="lsdb is not installed, so that peculiar.lsdb is not tested: pip install '.[lsdb]'",
    )
]
if lsdb is not None:
    MARKS.append(pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning"))

FEATURES = "u - r, g - r"


def stars(n=1500, seed=0):
    """Bands with errors; what is odd stands in one corner of the sky only."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"objid": np.arange(n)})
    table["ra"], table["dec"] = rng.uniform(0, 90, n), rng.uniform(-30, 30, n)
    clean = rng.normal(size=(n, 3)) * [0.5, 0.4, 1.0] + [19.5, 18.6, 18.0]
    clean[: n // 3] += [1.5, 0.4, 0.0]
    for j, band in enumerate("ugr"):
        table[f"{band}_err"] = rng.uniform(0.02, 0.2, n)
        table[band] = clean[:, j] + table[f"{band}_err"] * rng.normal(size=n)
    corner = np.argsort(np.hypot(table["ra"], table["dec"] + 30)).to_numpy()
    table.loc[corner[:3], "g"] = np.nan
    table.loc[corner[3:6], "r_err"] = 0.0  # unlike all others: not known
    table.loc[corner[6:9], "u"] = -9999.0
    table["l_u"] = ""
    table.loc[corner[9:12], "l_u"] = "<"
    table.loc[corner[12:15], "u"] = [30.0, 10.0, 28.0]  # strange
    return table


def make_catalog(table=None, rows=300, **options):
    """The same as a catalogue in several partitions; making a margin, or a map of the sky, would take ten seconds."""
    table = stars() if table is None else table
    settings = {"margin_threshold": None, "should_generate_moc": False, "highest_order": 3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lsdb.from_dataframe(
            table, catalog_name="sky", partition_rows=rows, **{**settings, **options}
        )


def computed(catalog):
    return catalog.compute(progress_bar=False)


def cells(frame, name):
    """A column as an array of NumPy."""
    column = frame[name]
    return column.to_numpy(dtype=object if column.dtype == "string[pyarrow]" else None)
