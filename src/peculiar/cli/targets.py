"""Files to write: whether that will be possible is asked before the work."""

from __future__ import annotations

import contextlib
from pathlib import Path

from peculiar.errors import CatalogueError


def check_target(
    path: Path | None, *, overwrite: bool, is_table: bool, source: Path | None
) -> None:
    """CatalogueError if a file cannot be written in the end: better now than after the work."""
    if path is None:
        return
    if is_table:
        from peculiar.catalogue.formats.choose import choose_format

        choose_format(path, None)
    if path.is_dir():
        raise CatalogueError(f"{path} is a folder; give the name of a file in it")
    if not path.parent.is_dir():
        raise CatalogueError(f"there is no folder {path.parent} to write {path.name} into")
    if not path.exists():
        return
    with contextlib.suppress(OSError):
        if source is not None and path.samefile(source):
            raise CatalogueError(f"{path} is the input itself; write to another file")
    if not overwrite:
        raise CatalogueError(f"{path} is there already; say --overwrite to replace it")
