"""What a file looks like, from its first bytes."""

from __future__ import annotations

import re

from peculiar.catalogue.formats.astropy_text import is_dashes

ENOUGH = 1 << 16
"""Bytes to look at: descriptions of columns above the rows are long."""

TEXT = frozenset({"csv", "mrt", "ipac", "sextractor", "vizier", "text"})
"""Formats of text that looks alike: one may be taken for another, and a user may know better."""

_FIRST_BYTES = {
    b"SIMPLE  =": "fits",
    b"PAR1": "parquet",
    b"\x89HDF\r\n\x1a\n": "hdf5",
    b"# %ECSV": "ecsv",
}


def sniff(start: bytes) -> str | None:
    r"""The format that a file with these first bytes is in; None if in none we know.

    Examples
    --------
    >>> sniff(b"SIMPLE  =                    T"), sniff(b"name,ra,dec"), sniff(b"\x00\x01")
    ('fits', 'csv', None)
    >>> sniff(b"|  ra  |  dec |\n| double | double |\n"), sniff(b"# ra dec\n1.5 2.5\n")
    ('ipac', 'text')
    """
    for mark, name in _FIRST_BYTES.items():
        if start.startswith(mark):
            return name
    if start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return "votable"
    return None if b"\0" in start else _look(start.decode("utf-8", "replace"))


def _look(text: str) -> str:
    """Which table of text; CSV if nothing speaks for another."""
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    body = [line for line in lines if not line.startswith("#")]
    if lines and lines[0].startswith(("\\", "|")) and any(line.startswith("|") for line in lines):
        return "ipac"
    if "Byte-by-byte Description" in text:
        return "mrt"
    if lines and re.match(r"#\s*1\s+[A-Za-z_]\w*(\s|$)", lines[0]):
        return "sextractor"
    if any(is_dashes(line) for line in body[2:3]) and "\t" in body[0]:
        return "vizier"
    head = body[0] if body else ""
    is_csv = any(mark in head for mark in ",;\t") or not lines or len(head.split()) < 2
    return "csv" if is_csv else "text"
