"""Text files: opened whether zipped or not, and the header of a CSV."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import gzip
import itertools
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.formats.told import Told
from peculiar.errors import CatalogueError

PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open}
"""First bytes of compressed files, and what opens them."""

PACKED_ENDINGS = (".gz", ".bz2")

LONGEST_LINE = 1 << 26
"""Bytes: more than a million columns have."""


@dataclass(frozen=True)
class Header:
    """The top of a CSV file.

    Attributes
    ----------
    names : tuple of str
    delimiter : str
    n_lines : int
        Lines before the first row, comments included.
    n_bytes : int
        Length of the longest of them.
    is_all : bool
        Whether nothing comes after it, not even the end of a line.
    units, descriptions : dict of str
        Of the columns that a comment line tells of: ``# COLUMN koi_period: Orbital Period [days]``.
    """

    names: tuple[str, ...]
    delimiter: str
    n_lines: int
    n_bytes: int
    is_all: bool
    units: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)


def open_bytes(path: Path) -> BinaryIO:
    """A file for reading, decompressed if its first bytes say that it is compressed."""
    with path.open("rb") as file:
        start = file.read(4)
    for mark, opener in PACKED.items():
        if start.startswith(mark):
            return cast("BinaryIO", opener(path, "rb"))
    return cast("BinaryIO", path.open("rb"))


def is_packed(path: Path) -> bool:
    """Whether a file begins as a compressed one does, whatever its name."""
    with path.open("rb") as file:
        return file.read(4).startswith(tuple(PACKED))


def unpacked_name(path: Path) -> str:
    """The name of a file in lower case, without the ending of a compressed one."""
    name = path.name.lower()
    for ending in PACKED_ENDINGS:
        name = name.removesuffix(ending)
    return name


def lines_of(path: Path) -> Generator[bytes, None, None]:
    """The lines of a file; CatalogueError for one that is too long: a gigabyte without an end would fill the memory."""
    with open_bytes(path) as file:
        for number in itertools.count(1):
            line = file.readline(LONGEST_LINE + 1)
            if not line:
                return
            if len(line) > LONGEST_LINE:
                raise CatalogueError(
                    f"{path}, line {number} is longer than {LONGEST_LINE >> 20} MB; this is no table of text. Is it "
                    "another format, or are the ends of its lines lost?"
                )
            yield line


def refuse_long_lines(path: Path) -> None:
    """CatalogueError for a file with a line that no table has."""
    for _ in lines_of(path):
        pass


def read_header(path: Path) -> Header:
    """Names of the columns and what stands between them: a comma, semicolon or tab.

    Lines before it that begin with # are comments, as the NASA archives write them.
    """
    longest, number, told = 0, 0, Told()
    with contextlib.closing(lines_of(path)) as lines:
        for number, line in enumerate(lines, 1):  # noqa: B007 (the number is wanted after the loop)
            longest = max(longest, len(line))
            if line.strip() and not line.removeprefix(codecs.BOM_UTF8).startswith(b"#"):
                break
            told.hear(line)
        else:
            raise CatalogueError(
                f"{path} has no line with column names (only {number:,} empty or comment lines)"
            )
    text = _decode(line, path, number).rstrip("\r\n")
    marks = "\t,;" if ".tsv" in path.suffixes else ",;\t"  # names in a .tsv may have commas
    delimiter = next((mark for mark in marks if mark in text), ",")
    names = tuple(
        name.strip()
        for name in next(csv.reader([text], delimiter=delimiter, skipinitialspace=True))
    )
    _refuse_numbers(names, path, number)
    is_all = not line.endswith(b"\n")
    return Header(names, delimiter, number, longest, is_all, told.units, told.descriptions)


def _decode(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogueError(
            f"{path}, line {number}: byte {error.start} is 0x{line[error.start]:02x}, which is not UTF-8 text; "
            "save the file as UTF-8, or give its format if it is no CSV"
        ) from None


def _refuse_numbers(names: tuple[str, ...], path: Path, number: int) -> None:
    """A file that begins with its first row would lose it."""

    def is_number(name: str) -> bool:
        try:
            float(name)
        except ValueError:
            return False
        return True

    if all(is_number(name) for name in names):
        raise CatalogueError(
            f"{path}, line {number} has only numbers where the names of the columns should be "
            f"({cut(', '.join(names[:4]))}...); write a line with names above it"
        )
