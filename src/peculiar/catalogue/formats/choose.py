"""Which format a file is in: by what the user says, else by its extension; never against its content."""

from __future__ import annotations

import zlib
from pathlib import Path

from peculiar.catalogue.columns.names import close
from peculiar.catalogue.formats import FORMATS, Format
from peculiar.catalogue.formats.installed import require
from peculiar.catalogue.formats.text import ZIPPED, open_bytes
from peculiar.errors import CatalogueError

_FIRST_BYTES = {
    b"SIMPLE  =": "fits",
    b"PAR1": "parquet",
    b"\x89HDF\r\n\x1a\n": "hdf5",
    b"# %ECSV": "ecsv",
}


def choose_format(path: Path, given: str | None) -> Format:
    """The format of a file that is there, or of one to be written.

    Parameters
    ----------
    path : Path
    given : str or None
        One of ``FORMATS``; None goes by the extension.

    Returns
    -------
    Format
    """
    if given is not None:
        if given.lower() in FORMATS:
            return _usable(FORMATS[given.lower()])
        similar = close(given, list(FORMATS)) or list(FORMATS)
        raise CatalogueError(f"there is no format {given!r}; did you mean {' or '.join(similar)}?")
    name = path.name.lower().removesuffix(".gz")
    for form in FORMATS.values():
        if name.endswith(form.extensions):
            return _usable(form)
    known = "  ".join(f"{form.name}: {' '.join(form.extensions)}" for form in FORMATS.values())
    ending = f"the extension {path.suffix!r} is not known" if path.suffix else "it has no extension"
    raise CatalogueError(
        f"which format is {path}? {ending}; say format= (--format), one of {', '.join(FORMATS)}, or use an extension "
        f"of\n  {known}"
    )


def _usable(form: Format) -> Format:
    require("astropy", "pyarrow", *(["h5py"] if form.name == "hdf5" else []))
    return form


def check_content(path: Path, form: Format) -> None:
    """CatalogueError if there is nothing in a file, or something else than the format says."""
    start = _read_start(path)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CatalogueError(f"{path} is UTF-16 text; save it as UTF-8 (iconv -f utf16 -t utf8)")
    if not start.strip():
        raise CatalogueError(f"{path} is empty; there is no catalogue to read")
    if is_zipped(path) and not form.may_be_zipped:
        raise CatalogueError(
            f"{path} is compressed, which {form.name} does not need; decompress it first"
        )
    found = sniff(start)
    if found != form.name and not (form.name == "csv" and found == "ecsv"):
        what = (
            ""
            if found is None
            else f", it looks like {found}: say format={found!r} (--format {found})"
        )
        raise CatalogueError(
            f"{path} is not {form.name}{what or f' (it begins with {start[:16]!r})'}"
        )


def sniff(start: bytes) -> str | None:
    r"""The format that a file with these first bytes is in; None if in none we know.

    Examples
    --------
    >>> sniff(b"SIMPLE  =                    T"), sniff(b"name,ra,dec"), sniff(b"\x00\x01")
    ('fits', 'csv', None)
    """
    for mark, name in _FIRST_BYTES.items():
        if start.startswith(mark):
            return name
    if start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return "votable"
    return None if b"\0" in start else "csv"


def is_zipped(path: Path) -> bool:
    """Whether the file begins as gzip does, whatever its name."""
    with path.open("rb") as file:
        return file.read(2) == ZIPPED


def check_exists(path: Path) -> None:
    """CatalogueError if there is no such file."""
    if path.is_dir():
        raise CatalogueError(f"{path} is a folder; give a file")
    if not path.exists():
        there = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        similar = close(path.name, there)
        hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
        raise CatalogueError(f"there is no file {path}{hint}")


def _read_start(path: Path) -> bytes:
    try:
        with open_bytes(path) as file:
            return file.read(4096)
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, PermissionError):
            raise
        raise CatalogueError(f"{path} is damaged: it cannot be decompressed ({error})") from None
