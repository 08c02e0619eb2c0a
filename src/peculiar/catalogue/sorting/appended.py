"""A table that is written some rows at a time, whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from peculiar.catalogue.formats.meta import yaml_of
from peculiar.catalogue.formats.parquet import META_KEY
from peculiar.catalogue.formats.writable import writable
from peculiar.files import replacing

if TYPE_CHECKING:
    from astropy.table import Table


class Appended:
    """A Parquet file, as far as it is written.

    Parameters
    ----------
    like : astropy.table.Table
        Some rows as they are to be written: names, units, descriptions and metadata of the whole.
    sources : dict of str
        For each of its columns, the name of the same in the tables that are added.
    """

    def __init__(self, path: Path, like: Table, sources: Mapping[str, str]) -> None:
        self.path, self.sources = path, sources
        self.names, self.about = like.colnames, yaml_of(writable(like, "parquet"))
        self.writer: Any = None

    def add(self, table: Any, more: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Write a table of Arrow, with more columns, by the names of their sources."""
        import pyarrow as pa

        arrays = [
            pa.array(more[source]) if source in more else table[source]
            for source in (self.sources[name] for name in self.names)
        ]
        made = pa.table(arrays, names=self.names)
        if self.writer is None:
            self.writer = self._open(made.schema)
        self.writer.write_table(made)

    def _open(self, schema: Any) -> Any:
        from pyarrow import parquet

        return parquet.ParquetWriter(self.path, schema.with_metadata({META_KEY: self.about}))

    def close(self) -> None:
        """Write what ends the file."""
        if self.writer is not None:
            self.writer.close()


@contextlib.contextmanager
def appending(target: Path, like: Table, sources: Mapping[str, str]) -> Iterator[Appended]:
    """A Parquet file to append rows to; it has its name when the block ends without an error.

    Parameters
    ----------
    target : Path
    like, sources
        As for :class:`Appended`.
    """
    with replacing(target) as temporary:
        appended = Appended(temporary, like, sources)
        try:
            yield appended
        finally:
            appended.close()
