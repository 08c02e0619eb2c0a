"""Catalogues: tables of objects in which values have errors, from files or from memory.

:func:`read` and :func:`write` know FITS, VOTable, ECSV, CSV, Parquet and HDF5. :func:`measure` makes features of the
columns, with their full error covariance.
"""

from peculiar.catalogue.formats import ColumnInfo
from peculiar.catalogue.read import list_columns, read
from peculiar.catalogue.tables import as_table
from peculiar.catalogue.write import write

__all__ = ["ColumnInfo", "as_table", "list_columns", "read", "write"]
