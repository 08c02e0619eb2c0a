"""Catalogues: tables of objects in which values have errors, from files or from memory.

:func:`read` and :func:`write` know FITS, VOTable, ECSV, CSV, Parquet and HDF5; :func:`read` also the tables of text of
CDS, the AAS, IPAC, VizieR and SExtractor. :func:`measure` makes features of
columns, such as ``"u - r, log10(flux)"``, with their full error covariance; :func:`pair_errors` finds which column is
the error of which. :func:`scan` is for files larger than memory.
"""

from peculiar.catalogue.columns.matching import pair_errors
from peculiar.catalogue.columns.pairing import ErrorColumns, Pairing
from peculiar.catalogue.features import measure, needed_columns, pair_features
from peculiar.catalogue.formats import ColumnInfo, TableInfo
from peculiar.catalogue.measurements import Measurements
from peculiar.catalogue.reading import count_rows, list_columns, list_tables, read
from peculiar.catalogue.scanning import Scan
from peculiar.catalogue.tables import as_table
from peculiar.catalogue.to_scan import scan
from peculiar.catalogue.writing import write

__all__ = [
    "ColumnInfo",
    "ErrorColumns",
    "Measurements",
    "Pairing",
    "Scan",
    "TableInfo",
    "as_table",
    "count_rows",
    "list_columns",
    "list_tables",
    "measure",
    "needed_columns",
    "pair_errors",
    "pair_features",
    "read",
    "scan",
    "write",
]
