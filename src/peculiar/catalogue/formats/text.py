"""Text files: opened whether zipped or not, and the header of a CSV."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import itertools
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from peculiar.catalogue.columns.names import cut
from peculiar.errors import CatalogueError

ZIPPED = b"\x1f\x8b"

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
    """

    names: tuple[str, ...]
    delimiter: str
    n_lines: int
    n_bytes: int
    is_all: bool


def open_bytes(path: Path) -> BinaryIO:
    """A file for reading, unzipped if its first bytes say that it is zipped."""
    with path.open("rb") as file:
        zipped = file.read(2) == ZIPPED
    return cast("BinaryIO", gzip.open(path, "rb") if zipped else path.open("rb"))


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
    longest, number = 0, 0
    with contextlib.closing(lines_of(path)) as lines:
        for number, line in enumerate(lines, 1):  # noqa: B007 (the number is wanted after the loop)
            longest = max(longest, len(line))
            if line.strip() and not line.removeprefix(codecs.BOM_UTF8).startswith(b"#"):
                break
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
    return Header(names, delimiter, number, longest, is_all=not line.endswith(b"\n"))


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
