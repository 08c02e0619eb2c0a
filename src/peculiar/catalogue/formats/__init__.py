"""File formats: one small class each. ``FORMATS`` is all of them, in the order in which they are listed."""

from peculiar.catalogue.formats.astropy_text import Blanks, Ipac, Mrt, SExtractor, Vizier
from peculiar.catalogue.formats.base import ColumnInfo, Format, InParts, Place, TableInfo
from peculiar.catalogue.formats.delimited import Csv
from peculiar.catalogue.formats.ecsv import Ecsv
from peculiar.catalogue.formats.fits import Fits
from peculiar.catalogue.formats.hdf5 import Hdf5
from peculiar.catalogue.formats.parquet import Parquet
from peculiar.catalogue.formats.votable import VOTable

_ALL: tuple[Format, ...] = (
    *(Fits(), VOTable(), Ecsv(), Csv(), Parquet(), Hdf5()),
    *(Mrt(), Ipac(), SExtractor(), Vizier(), Blanks()),
)

FORMATS: dict[str, Format] = {form.name: form for form in _ALL}

WRITTEN = tuple(name for name, form in FORMATS.items() if form.is_written)
"""Names of the formats that can be written."""

__all__ = ["FORMATS", "WRITTEN", "ColumnInfo", "Format", "InParts", "Place", "TableInfo"]
