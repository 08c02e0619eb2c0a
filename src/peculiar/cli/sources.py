"""Where a command reads its catalogue: a file, several, or standard input."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

STANDARD_INPUT = Path("-")


@contextlib.contextmanager
def source(path: Path, format_: str | None) -> Iterator[tuple[Path, str | None]]:
    """What to read in the place of a path, and its format: of standard input (-) a private copy, as long as the block.

    Readers go back and forth in a file, which a pipe does not permit; without ``--format``, its look decides. Messages
    about the copy speak of standard input.

    Parameters
    ----------
    path : Path
    format_ : str or None
    """
    if path != STANDARD_INPUT:
        yield path, format_
        return
    from peculiar.catalogue.formats.choose import look_of
    from peculiar.errors import CatalogueError

    if sys.stdin is None:
        raise CatalogueError("standard input is closed: there is no catalogue to read")
    with tempfile.TemporaryDirectory(prefix="peculiar-") as folder:
        copy = Path(folder) / "standard-input"
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            if format_ is None:
                format_ = look_of(copy)
            yield copy, format_
        except CatalogueError as error:
            error.args = (str(error).replace(str(copy), "standard input"),)
            raise
