"""Rows in buckets that fit into memory: when all are sorted, those of the first come before those of the second."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Ints
from peculiar.catalogue.sorting.part_files import arrays_of
from peculiar.files import naming_full_disk


@dataclass(frozen=True)
class Buckets:
    """Files with rows that were told apart.

    Attributes
    ----------
    files : tuple of Path
        In the order of the rows.
    sizes : tuple of int
        Number of rows in each; none is empty.
    """

    files: tuple[Path, ...]
    sizes: tuple[int, ...]

    def read(self, number: int) -> Any:
        """All rows of a bucket, as a table of Arrow."""
        return _read(self.files[number])

    def columns(self, number: int, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Some columns of a bucket as arrays; the others are not touched."""
        return arrays_of(self.read(number), names)

    def gather(self, places: Sequence[tuple[int, Ints]], order: Ints) -> Any:
        """Rows of several buckets as a table of Arrow.

        Parameters
        ----------
        places : sequence of (int, ndarray)
            Buckets, and which of their rows.
        order : ndarray of int
            In which all these rows are wanted.
        """
        import pyarrow as pa

        found = [self.read(number).take(rows) for number, rows in places]
        return found[0].take(order) if len(found) == 1 else pa.concat_tables(found).take(order)


class _Filling:
    """Buckets that are being filled. Their files are open as long as that lasts."""

    def __init__(self, folder: Path, n_buckets: int, files: contextlib.ExitStack) -> None:
        self.folder, self.files = folder, files
        self.writers: dict[int, Any] = {}
        self.sizes = np.zeros(n_buckets, dtype=np.int64)

    def add(self, table: Any, bucket: Ints) -> None:
        """Put each row of a table of Arrow into its bucket."""
        order = np.argsort(bucket, kind="stable")
        ordered, counts = table.take(order), np.bincount(bucket, minlength=len(self.sizes))
        first = 0
        for number in np.flatnonzero(counts):
            with naming_full_disk(self.folder, self.folder):
                self._writer(int(number), table.schema).write_table(
                    ordered.slice(first, counts[number])
                )
            first += counts[number]
        self.sizes += counts

    def buckets(self) -> Buckets:
        """Those with any rows."""
        numbers = np.flatnonzero(self.sizes).tolist()
        files = tuple(_file(self.folder, number) for number in numbers)
        return Buckets(files, tuple(self.sizes[numbers].tolist()))

    def _writer(self, number: int, schema: Any) -> Any:
        if number not in self.writers:
            import pyarrow as pa

            sink = self.files.enter_context(pa.OSFile(str(_file(self.folder, number)), "wb"))
            self.writers[number] = self.files.enter_context(pa.ipc.new_stream(sink, schema))
        return self.writers[number]


@contextlib.contextmanager
def filling(folder: Path, n_buckets: int) -> Iterator[_Filling]:
    """Buckets to put rows into; they can be read when the block has ended.

    Parameters
    ----------
    folder : Path
    n_buckets : int
    """
    with contextlib.ExitStack() as files:
        yield _Filling(folder, n_buckets, files)


def _file(folder: Path, number: int) -> Path:
    return folder / f"bucket-{number:05d}.arrow"


def _read(path: Path) -> Any:
    import pyarrow as pa

    with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as stream:
        return stream.read_all()
