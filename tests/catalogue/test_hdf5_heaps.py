"""A damaged heap of text in HDF5 is refused: HDF5 itself would walk through it for ever."""

import h5py
import numpy as np
import pytest

from peculiar.catalogue import count_rows, list_columns, read
from peculiar.errors import CatalogueError

NAMES = ["a", "bcd", "", "\u00e9" * 40]
FREE = bytes(8)  # how the entry begins of what is free: index 0
NOTHING = bytes(16)
WRAPPED = b"\x07" + bytes(7) + (2**64 - 16).to_bytes(8, "little")  # with its header: 2**64 bytes


def text_file(path, names=NAMES, **settings):
    """A column of text and one of numbers; an attribute is text in a heap, too."""
    with h5py.File(path, "w", **settings) as file:
        file["name"] = names
        file["u"] = np.arange(float(len(names)))
        file["u"].attrs["unit"] = "mag"
    return path


def damage(path, entry, where=FREE):
    """Put an entry where another is, in the heap of the names."""
    content = bytearray(path.read_bytes())
    heap = content.index(b"GCOL")
    place = content.index(where, heap + 40)
    place += -place % 8
    content[place : place + 16] = entry
    path.write_bytes(content)
    return place


@pytest.mark.parametrize("entry", [NOTHING, WRAPPED], ids=["nothing", "wrapped"])
def test_an_entry_without_bytes_is_refused(tmp_path, entry):
    path = text_file(tmp_path / "a.h5")
    place = damage(path, entry)
    message = f"a.h5 is damaged: the entry at byte {place}, in its heap of text, takes 0 bytes"
    with pytest.raises(CatalogueError, match=message):
        read(path)


@pytest.mark.parametrize("n", [0, 2000])
def test_whole_files_are_read(tmp_path, n):
    """Heaps of one collection and of many, and texts that fill a collection of their own."""
    names = [str(i) * (i % 97) for i in range(n)] + ["x" * 10_000, "y" * 4063, "z" * 4064]
    for settings in ({}, {"libver": "latest"}):
        path = text_file(tmp_path / "a.h5", names, **settings)
        assert list(read(path)["name"]) == names
        assert [info.unit for info in list_columns(path)] == ["", "mag"]
        assert count_rows(path) == len(names)


def test_lengths_of_four_bytes(tmp_path):
    settings = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    settings.set_sizes(8, 4)
    h5py.h5f.create(str(tmp_path / "a.h5").encode(), h5py.h5f.ACC_TRUNC, settings).close()
    with h5py.File(tmp_path / "a.h5", "a") as file:
        file["name"] = NAMES
    assert list(read(tmp_path / "a.h5")["name"]) == NAMES


def test_text_that_looks_like_a_heap_is_text(tmp_path):
    names = ["GCOL\x01", "GCOL\x01" + "x" * 60, "GCOL"]
    assert list(read(text_file(tmp_path / "a.h5", names))["name"]) == names
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["name"] = np.array([name.encode() for name in names])
        file["u"] = np.frombuffer(b"GCOL\x01\x00\x00\x00" * 3)
    assert list(read(tmp_path / "b.h5")["name"]) == names


def test_what_is_beyond_the_end_is_zero(tmp_path):
    """As for HDF5's own files; h5py would leave there what was in memory before."""
    from peculiar.catalogue.formats.hdf5_heaps import CheckedFile

    (tmp_path / "a").write_bytes(b"abc")
    buffer = bytearray(b"xxxxxxxx")
    with CheckedFile(tmp_path / "a") as file:
        file.seek(1)
        file.readinto(memoryview(buffer))
    assert buffer == b"bc\0\0\0\0\0\0"
