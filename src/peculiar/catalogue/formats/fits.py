"""FITS binary tables: the first table of a file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from peculiar.catalogue.formats.base import ColumnInfo, dtype_name
from peculiar.catalogue.formats.masks import mask_empty_text
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


class Fits:
    """FITS. Columns are mapped, not loaded: those that are not asked for are never touched."""

    name: ClassVar[str] = "fits"
    extensions: ClassVar[tuple[str, ...]] = (".fits", ".fit", ".fts")
    may_be_zipped: ClassVar[bool] = True
    reads_whole: ClassVar[bool] = False

    def list_columns(self, path: Path) -> list[ColumnInfo]:
        """From the header of the first table."""
        from astropy.io import fits

        with fits.open(path, memmap=True) as units:
            table = _first_table(units, path)
            header = table.header
            return [
                ColumnInfo(
                    name=column.name,
                    dtype=dtype_name(column.dtype.base),
                    unit=str(column.unit or ""),
                    ucd=str(header.get(f"TUCD{number}", "")),
                    description=header.comments[f"TTYPE{number}"],
                )
                for number, column in enumerate(table.columns, 1)
            ]

    def read(self, path: Path, columns: Sequence[str] | None) -> Table:
        """Only the columns asked for are copied from the file."""
        from astropy.io import fits
        from astropy.table import Table

        with warnings.catch_warnings(), fits.open(path, memmap=True) as units:
            # Remarks about headers that are not quite as they should be; but rows that are not there are no remark.
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", message=".*truncated")
            found = _first_table(units, path)
            ucds = {info.name: info.ucd for info in self.list_columns(path) if info.ucd}
            if columns is not None:
                chosen = [found.columns[name] for name in columns]
                found = fits.BinTableHDU.from_columns(chosen, header=found.header)
            table = Table.read(found, format="fits")
        table.convert_bytestring_to_unicode()
        for name in set(ucds) & set(table.colnames):
            table[name].info.meta = {**(table[name].info.meta or {}), "ucd": ucds[name]}
        return mask_empty_text(table)

    def write(self, table: Table, path: Path) -> None:
        """Masked values as FITS has them: TNULL in integers, NaN, empty text."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about keywords that need the HIERARCH convention
            _with_room_for_masks(table).write(path, format="fits", overwrite=True)


def _first_table(units: Any, path: Path) -> Any:
    from astropy.io import fits

    for unit in units:
        if isinstance(unit, fits.BinTableHDU | fits.TableHDU):
            return unit
    kinds = ", ".join(type(unit).__name__ for unit in units)
    raise CatalogueError(f"{path} is FITS, but has no table in it (only {kinds})")


def _with_room_for_masks(table: Table) -> Table:
    """Masked integers with a stand-in (TNULL) that is none of their values, and masked truths as integers.

    FITS knows T and F only, and a masked truth would come back as T. astropy's own stand-in, 999999, may be somebody's
    number.
    """
    from astropy.table import MaskedColumn, Table

    changed = Table(table, copy=False)
    for name in table.colnames:
        column = table[name]
        kind = getattr(getattr(column, "dtype", None), "kind", "")
        if kind not in "biu" or not np.any(getattr(column, "mask", False)):
            continue
        wide = column.astype(np.int16) if kind == "b" else column
        changed[name] = MaskedColumn(wide, fill_value=_unused(wide))
    return changed


def _unused(column: Any) -> int:
    limits = np.iinfo(column.dtype)
    used = set(np.asarray(column)[~np.asarray(column.mask)].tolist())
    ends = (limits.min, limits.max) if limits.min < 0 else (limits.max, limits.min)
    free = [
        number for number in (*ends, *range(limits.max - 300, limits.max)) if number not in used
    ]
    return int(free[0])
