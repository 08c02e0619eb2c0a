"""An HDF5 file that is opened so that a damaged one cannot make the HDF5 library loop for ever.

Text of any length is kept in "global heap collections": the word GCOL, the size, then entries of an index and a size
each. HDF5 walks through the entries of a collection, and one that says that it takes no bytes is met again and again.
h5py lets HDF5 read through an object of ours, so that each collection is looked at before HDF5 gets it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from peculiar.errors import CatalogueError

_COLLECTION = re.compile(rb"GCOL\x01")
_HEADER = 16  # bytes of a collection before its entries, and of an entry before its content
_WRAPS = 1 << 64  # sizes of HDF5 begin again at 0 here


@contextlib.contextmanager
def open_hdf5(path: Path) -> Iterator[Any]:
    """The file, as h5py.File, for reading.

    Raises
    ------
    CatalogueError
        When a heap is met that HDF5 would never leave. This may be as late as a column is read.
    """
    import h5py

    with CheckedFile(path) as checked:
        try:
            with h5py.File(checked, "r") as file:
                checked.size_of_lengths = file.id.get_create_plist().get_sizes()[1]
                yield file
        finally:
            if (
                checked.refused is not None
            ):  # on its way through HDF5 it may have become another error
                raise checked.refused


class CheckedFile:
    """A file for h5py that looks at each heap collection that HDF5 reads.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size_of_lengths = 8
        self._file = path.open("rb")
        self._checked: set[int] = set()
        self.refused: CatalogueError | None = None
        self.seek, self.tell = self._file.seek, self._file.tell

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int = -1) -> bytes:
        """h5py asks whether a file has this; it calls `readinto`."""
        return self._file.read(size)

    def readinto(self, buffer: memoryview) -> int:
        """Fill the buffer, with zeros beyond the end of the file, as HDF5 itself would."""
        start = self.tell()
        count = self._file.readinto(buffer)
        buffer[count:] = bytes(len(buffer) - count)
        self._check_collections(start, buffer)
        return len(buffer)

    def _check_collections(self, start: int, block: memoryview) -> None:
        """HDF5 may read the first bytes of a collection with what is before it, and the others later."""
        before = max(0, start - 4)
        edge = self._bytes(before, 8)
        found = {before + match.start() for match in _COLLECTION.finditer(edge)}
        found |= {start + match.start() for match in _COLLECTION.finditer(block)}
        for place in found - self._checked:
            self._check_collection(place)
            self._checked.add(place)

    def _check_collection(self, place: int) -> None:
        """CatalogueError if the entries have no end; one that is beyond the collection is refused by HDF5."""
        at, end = place + _HEADER, place + self._entry(place)[1]
        while at + _HEADER <= end:
            index, size = self._entry(at)
            # The size of what is free (index 0) has the header of 16 bytes in it; that of a text has not.
            taken = size if index == 0 else _HEADER + (size + 7) // 8 * 8
            if taken % _WRAPS < _HEADER:
                self.refused = _endless(self.path, at, taken % _WRAPS)
                raise self.refused
            at += taken

    def _entry(self, at: int) -> tuple[int, int]:
        """Index and size; beyond the end of the file, one that ends the walk."""
        header = self._bytes(at, _HEADER)
        if len(header) < _HEADER:
            return 0, _WRAPS - _HEADER
        return int.from_bytes(header[:2], "little"), int.from_bytes(
            header[8 : 8 + self.size_of_lengths], "little"
        )

    def _bytes(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size)


def _endless(path: Path, at: int, taken: int) -> CatalogueError:
    return CatalogueError(
        f"{path} is damaged: the entry at byte {at}, in its heap of text, takes {taken} bytes, so that HDF5 would read "
        "it for ever; get the file anew"
    )
