"""Which format a file is in: by what the user says, else by its extension; never against its content."""

from __future__ import annotations

import zlib
from pathlib import Path

from peculiar.catalogue.columns.names import close
from peculiar.catalogue.formats import FORMATS, Format
from peculiar.catalogue.formats.installed import require
from peculiar.catalogue.formats.looks import ENOUGH, TEXT, sniff
from peculiar.catalogue.formats.text import is_packed, open_bytes, unpacked_name
from peculiar.errors import CatalogueError


def choose_format(path: Path, given: str | None, *, to_write: bool = False) -> Format:
    """The format of a file that is there, or of one to be written.

    Parameters
    ----------
    path : Path
    given : str or None
        One of ``FORMATS``; None goes by the extension.
    to_write : bool, default=False
        Whether the file is to be written; a message then names no format that is only read.

    Returns
    -------
    Format
    """
    if given is not None:
        if given.lower() in FORMATS:
            return _usable(FORMATS[given.lower()])
        similar = close(given, list(FORMATS)) or list(FORMATS)
        raise CatalogueError(f"there is no format {given!r}; did you mean {' or '.join(similar)}?")
    form = _by_extension(path)
    if form is not None:
        return _usable(form)
    raise _unknown(path, to_write=to_write)


def _unknown(path: Path, *, to_write: bool) -> CatalogueError:
    usable = [form for form in FORMATS.values() if form.is_written or not to_write]
    known = "  ".join(
        f"{form.name}: {' '.join(form.extensions)}" for form in usable if form.extensions
    )
    ending = f"the extension {path.suffix!r} is not known" if path.suffix else "it has no extension"
    if to_write:
        return CatalogueError(
            f"which format is {path} to be written in? {ending}; use one of\n  {known}"
        )
    return CatalogueError(
        f"which format is {path}? {ending}; say format= (--format), one of {', '.join(FORMATS)}, or use an extension "
        f"of\n  {known}"
    )


def find_format(path: Path, given: str | None) -> Format:
    """The format of a file that is there: as the user says, else by its extension, else by its look.

    Tables of text share extensions: what is in a .txt, a .tsv or a .cat is seen from its first lines.

    Parameters
    ----------
    path : Path
    given : str or None

    Returns
    -------
    Format
    """
    if given is not None:
        return choose_format(path, given)
    form = _by_extension(path)
    found = sniff(_read_start(path))
    if form is None and found not in {None, "csv", "text"}:
        return _usable(FORMATS[str(found)])
    if form is not None and form.name in TEXT and found in TEXT and not _is_csv(path):
        return _usable(FORMATS[str(found)])
    return choose_format(path, None)


def look_of(path: Path) -> str | None:
    """The format that a file looks like; None if like none, or if there is nothing in it."""
    return sniff(_read_start(path))


def _by_extension(path: Path) -> Format | None:
    name = unpacked_name(path)
    fitting = [
        form for form in FORMATS.values() if form.extensions and name.endswith(form.extensions)
    ]
    return fitting[0] if fitting else None


def _is_csv(path: Path) -> bool:
    return unpacked_name(path).endswith(".csv")


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
    if is_packed(path) and not form.may_be_zipped:
        raise CatalogueError(
            f"{path} is compressed, which {form.name} does not need; decompress it first"
        )
    found = sniff(start)
    is_text = form.name in TEXT and found in TEXT
    if found != form.name and not is_text and not (form.name == "csv" and found == "ecsv"):
        what = (
            ""
            if found is None
            else f", it looks like {found}: say format={found!r} (--format {found})"
        )
        raise CatalogueError(
            f"{path} is not {form.name}{what or f' (it begins with {start[:16]!r})'}"
        )


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
            return file.read(ENOUGH)
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, PermissionError):
            raise
        raise CatalogueError(f"{path} is damaged: it cannot be decompressed ({error})") from None
