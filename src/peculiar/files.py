"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


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

    Parameters
    ----------
    path : path-like

    Yields
    ------
    Path
        The temporary file. It has the extensions of ``path``, because some libraries choose the format by them.
    """
    target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
    handle, name = tempfile.mkstemp(
        dir=target.parent, prefix=".part-", suffix="".join(target.suffixes[-2:])
    )
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _sync(temporary)
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _sync(path: Path) -> None:
    """On the disk, before the name points to it: a crash leaves the old file or the new one."""
    with os.fdopen(os.open(path, os.O_RDWR), "rb") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    """The permissions new files do not get."""
    current = os.umask(0)
    os.umask(current)
    return current
