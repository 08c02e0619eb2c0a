"""File formats: one small class each. ``FORMATS`` is all of them, in the order in which they are listed."""

from peculiar.catalogue.formats.base import ColumnInfo, Format, Place, TableInfo
from peculiar.catalogue.formats.delimited import Csv
from peculiar.catalogue.formats.ecsv import Ecsv
from peculiar.catalogue.formats.fits import Fits
from peculiar.catalogue.formats.hdf5 import Hdf5
from peculiar.catalogue.formats.parquet import Parquet
from peculiar.catalogue.formats.votable import VOTable

FORMATS: dict[str, Format] = {
    form.name: form for form in (Fits(), VOTable(), Ecsv(), Csv(), Parquet(), Hdf5())
}

__all__ = ["FORMATS", "ColumnInfo", "Format", "Place", "TableInfo"]
