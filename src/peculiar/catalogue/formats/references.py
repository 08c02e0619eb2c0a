"""References from one file into another: refused. Only the file that was named is opened, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.parsers import expat

from peculiar.catalogue.columns.names import cut
from peculiar.errors import CatalogueError

_BLOCK = 1 << 20
_TO_FILES = {"FITS": "a FITS file", "PARQUET": "a Parquet file"}
"""Elements of a VOTable that stand for a file elsewhere."""


def refuse_in_votable(read: Callable[[int], bytes], path: Path) -> None:
    """CatalogueError for a VOTable whose rows are elsewhere, or that defines entities.

    astropy would open what ``<STREAM href="...">`` names, be it ``file:`` or ``http:``. Entities within entities make
    a text of terabytes out of a few lines.

    Parameters
    ----------
    read : function
        Gives so many bytes of the file, from its beginning.
    path : Path
        For the message.
    """
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        target = next((a for key, a in attributes.items() if _local(key).lower() == "href"), None)
        if name in _TO_FILES:
            raise CatalogueError(
                f"{path}, line {parser.CurrentLineNumber}: <{cut(tag)}> keeps the rows in {_TO_FILES[name]} elsewhere, "
                "which is not opened; give that file itself"
            )
        if name == "STREAM" and target is not None:
            raise CatalogueError(
                f"{path}, line {parser.CurrentLineNumber}: <{cut(tag)} href> says that the rows are elsewhere "
                f"({cut(target)!r}), which is not opened; give that file itself"
            )

    def entity(name: str, *_: Any) -> None:
        raise CatalogueError(
            f"{path}, line {parser.CurrentLineNumber}: <!ENTITY {cut(name)}> defines text that stands for other text, "
            "which no VOTable needs; remove it"
        )

    parser.StartElementHandler = start
    parser.EntityDeclHandler = entity
    while block := read(_BLOCK):
        parser.Parse(block, False)
    parser.Parse(b"", True)


def _local(name: str) -> str:
    """A name without its namespace, as astropy sees it."""
    return name.rpartition(":")[2]


def refuse_in_hdf5(file: Any, path: Path) -> None:
    """CatalogueError for links into other files, and for data that are kept in other files.

    Parameters
    ----------
    file : h5py.File
    path : Path
        For the message.
    """
    import h5py

    def find(name: str, link: Any) -> str | None:
        if isinstance(link, h5py.ExternalLink):
            return f"{cut(name)!r} is an external link into another file ({cut(link.filename)!r})"
        if isinstance(link, h5py.HardLink) and isinstance(item := file[name], h5py.Dataset):
            return _find_in_data(item, name)
        return None

    found = file.visititems_links(find)  # an error within it would be lost in h5py
    if found is not None:
        raise CatalogueError(
            f"{path}: {found}, which is not opened; copy the data into one file, or give that file itself"
        )


def _find_in_data(item: Any, name: str) -> str | None:
    if item.is_virtual:
        sources = [cut(source.file_name) for source in item.virtual_sources()[:1]]
        named = f" ({sources[0]!r})" if sources else ", none of which it names"
        return f"{cut(name)!r} is a virtual data set, made of other files{named}"
    if item.external:
        return f"{cut(name)!r} has external storage ({cut(item.external[0][0])!r})"
    return None
