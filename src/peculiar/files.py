"""Files are written whole or not at all, and nothing but files is ever replaced."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from peculiar.errors import OutputError

PART = ".part-peculiar-"
"""How the names of our temporary files begin: nobody else's file is taken for one of them."""

DAY = 86_400.0

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}

_PART_NAME = re.compile(re.escape(PART) + r"[a-z0-9_]{8}(\.[^.]*){0,2}")
_KINDS = {
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe (FIFO)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file so that nobody ever sees half of it: temporary file, then rename.

    Parameters
    ----------
    path : path-like
    text : str
    """
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file that replaces ``path`` when the block ends without an error.

    What killed runs have left behind in that folder is removed.

    Parameters
    ----------
    path : path-like
        A regular file, a link to one, or nothing yet; OutputError for a device, a pipe, a socket or a folder.

    Yields
    ------
    Path
        The temporary file. It has the extensions of ``path``, because some libraries choose the format by them.
    """
    target = regular_target(path)
    remove_leftovers(target.parent)
    temporary = _temporary(target)
    try:
        with naming_full_disk(path, target.parent):
            yield temporary
            _sync(temporary)
            temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            regular_target(target)  # what came to be there meanwhile
            temporary.replace(target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def naming_full_disk(path: str | os.PathLike[str], folder: Path) -> Iterator[None]:
    """OutputError with the name of what was to be written, if the disk is full."""
    try:
        yield
    except OSError as error:
        if not _is_full(error):
            raise
        raise OutputError(
            f"{path} cannot be written: no space is left on the disk ({folder}); make room, or write to another folder"
        ) from error


def _is_full(error: OSError) -> bool:
    """Whether the disk is full: astropy and Arrow say it in words of their own."""
    said = str(error).lower()
    return error.errno in _FULL or "no space left" in said or "not enough space on disk" in said


def regular_target(path: str | os.PathLike[str]) -> Path:
    """The file that is replaced by writing to a path: what a link points to, not the link itself.

    OutputError if it is no regular file: a rename would put a file in the place of a device, for everybody.
    """
    target = Path(os.path.realpath(path))
    try:
        kind = stat.S_IFMT(target.stat().st_mode)
    except FileNotFoundError:
        return target
    except NotADirectoryError:
        raise OutputError(
            f"{path} cannot be written: {target.parent} is a file, not a folder"
        ) from None
    if kind != stat.S_IFREG:
        what = _KINDS.get(kind, "no regular file")
        hint = (
            "give the name of a file in it" if kind == stat.S_IFDIR else "only files are replaced"
        )
        raise OutputError(f"{path} is {what}; {hint}")
    return target


def check_writable(path: str | os.PathLike[str]) -> None:
    """OutputError if a file cannot be written in the end: better now than after the work.

    Parameters
    ----------
    path : path-like
    """
    target = regular_target(path)
    if not target.parent.is_dir():
        raise OutputError(f"there is no folder {target.parent} to write {target.name} into")
    try:
        _temporary(target).unlink()
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written: {error.strerror} ({target.parent}); write to another folder"
        ) from None


def remove_leftovers(folder: Path) -> None:
    """Remove our temporary files that are older than a day: whoever made them was killed.

    Parameters
    ----------
    folder : Path
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PART_NAME.fullmatch(entry.name) and _is_old_and_ours(entry):
                Path(entry.path).unlink(missing_ok=True)


def _is_old_and_ours(entry: os.DirEntry[str]) -> bool:
    about = entry.stat(follow_symlinks=False)
    is_ours = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    return stat.S_ISREG(about.st_mode) and is_ours and time.time() - about.st_mtime > DAY


def _temporary(target: Path) -> Path:
    """An empty file beside the target."""
    handle, name = tempfile.mkstemp(
        dir=target.parent, prefix=PART, suffix="".join(target.suffixes[-2:])
    )
    os.close(handle)
    return Path(name)


def _sync(path: Path) -> None:
    """On the disk, before the name points to it: a crash leaves the old file or the new one."""
    with os.fdopen(os.open(path, os.O_RDWR), "rb") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    """The permissions new files do not get."""
    current = os.umask(0)
    os.umask(current)
    return current
