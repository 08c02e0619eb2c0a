"""HATS: a folder in which each file of Parquet has the objects of one HEALPix pixel.

::

    catalogue/hats.properties               (or only `properties`, in older ones)
              partition_info.csv            which pixels there are
              dataset/_metadata ...         not rows
              dataset/Norder=1/Dir=0/Npix=7.parquet

A collection has a file ``collection.properties``, which names the folder of its catalogue; the folders of margins and
indexes beside it repeat rows of the catalogue.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from peculiar.catalogue.columns.names import cut, listed
from peculiar.errors import CatalogueError

COLLECTION = "collection.properties"
PROPERTIES = ("hats.properties", "properties")
DATASET = "dataset"

_PRIMARY, _SUFFIX = "hats_primary_table_url", "hats_npix_suffix"
_PIXELS_IN_FOLDER = 10_000
_HIGHEST_ORDER = 29
_PARTITION = re.compile(r"Norder=(\d+)[\\/]Dir=\d+[\\/]Npix=(\d+)")


class Pixel(NamedTuple):
    """A HEALPix pixel in the nested scheme.

    Attributes
    ----------
    order, number : int
    """

    order: int
    number: int

    @property
    def place(self) -> int:
        """Where it begins among the smallest pixels: pixels of any order follow each other by that."""
        return self.number << 2 * (_HIGHEST_ORDER - self.order)

    def __str__(self) -> str:
        return f"Norder={self.order}, Npix={self.number}"


def partition_files(folder: Path) -> list[Path] | None:
    """The files with the rows of a HATS catalogue, in the order of their pixels; None if the folder is no such.

    Parameters
    ----------
    folder : Path
        Of a catalogue, or of a collection: then those of its catalogue, not of its margins.

    Returns
    -------
    list of Path, or None
    """
    if (folder / COLLECTION).is_file():
        return partition_files(_primary(folder)) or []
    properties = next((folder / name for name in PROPERTIES if (folder / name).is_file()), None)
    if properties is None or not (folder / DATASET).is_dir():
        return None
    suffix = read_properties(properties).get(_SUFFIX, ".parquet")
    pixels = _listed_pixels(folder / "partition_info.csv")
    if pixels is None:
        pixels = _found_pixels(folder / DATASET)
    files = [file for pixel in _in_order(pixels) for file in _files_of(folder, pixel, suffix)]
    if not files:
        raise CatalogueError(f"{folder} is a HATS catalogue without partitions: it has no rows")
    return files


def refuse_unfinished(folder: Path, files: Sequence[Path]) -> None:
    """CatalogueError if files of a folder that is no HATS catalogue are partitions of some.

    Together these may be a catalogue and its margin, which repeats rows, or what an interrupted program has left.

    Parameters
    ----------
    folder : Path
    files : sequence of Path
        Below it.
    """
    owners = dict.fromkeys(owner for file in files if (owner := _owner(folder, file)) is not None)
    if not owners:
        return
    finished = [
        str(each.relative_to(folder))
        for each in owners
        if any((each / name).is_file() for name in PROPERTIES)
    ]
    if finished:
        raise CatalogueError(
            f"{folder} holds HATS catalogues, but is neither one of them nor a collection (it has no {COLLECTION}); "
            f"give the folder of one of them: {listed(finished, 4)}"
        )
    raise CatalogueError(
        f"{next(iter(owners))} is an unfinished HATS catalogue: it has partitions, but no {PROPERTIES[0]}, which is "
        "written last. Finish it with write_catalog(..., resume=True)"
    )


def _owner(folder: Path, file: Path) -> Path | None:
    """The folder of the HATS catalogue that a file would be a partition of."""
    parts = file.relative_to(folder).parts
    orders = [number for number, part in enumerate(parts) if part.startswith("Norder=")]
    if not orders or orders[0] == 0 or parts[orders[0] - 1] != DATASET:
        return None
    return folder.joinpath(*parts[: orders[0] - 1])


def read_properties(path: Path) -> dict[str, str]:
    """Keys and values of a file of properties, as Java writes them: one pair in each line.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict of str
    """
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    pairs = (re.split(r"\s*[=:]\s*", line.strip(), maxsplit=1) for line in lines)
    return {
        pair[0]: re.sub(r"\\([:=#!\\])", r"\1", pair[1].strip())
        for pair in pairs
        if len(pair) == 2 and pair[0][:1] not in "#!"
    }


def _primary(folder: Path) -> Path:
    """The catalogue of a collection."""
    name = read_properties(folder / COLLECTION).get(_PRIMARY, "")
    if not name or "://" in name:
        where = f"is elsewhere ({cut(name)})" if name else "is not named"
        raise CatalogueError(
            f"{folder / COLLECTION}: the catalogue of the collection {where}; give the folder of the catalogue itself"
        )
    primary = folder / name  # an absolute path stays what it is
    if not any((primary / each).is_file() for each in PROPERTIES):
        raise CatalogueError(
            f"{folder / COLLECTION} names {primary} as its catalogue, but there is no {PROPERTIES[0]} in it; was "
            "the collection copied without it?"
        )
    return primary


def _listed_pixels(path: Path) -> list[Pixel] | None:
    """Those that the catalogue says it has; None if it does not say."""
    if not path.is_file():
        return None
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return [Pixel(int(row["Norder"]), int(row["Npix"])) for row in csv.DictReader(file)]
    except (KeyError, TypeError, ValueError):
        raise CatalogueError(
            f"{path} should have columns Norder and Npix of whole numbers; delete the file, and the partitions that "
            "are there are read"
        ) from None


def _found_pixels(dataset: Path) -> list[Pixel]:
    """Those of which there are files."""
    found = (_PARTITION.search(str(path)) for path in dataset.glob("Norder=*/Dir=*/Npix=*"))
    return [Pixel(int(match[1]), int(match[2])) for match in found if match]


def _in_order(pixels: Sequence[Pixel]) -> list[Pixel]:
    """By their place on the sky, as LSDB has them."""
    for pixel in pixels:
        if not 0 <= pixel.order <= _HIGHEST_ORDER or pixel.number < 0:
            raise CatalogueError(f"there is no HEALPix pixel {pixel}")
    return sorted(set(pixels), key=lambda pixel: (pixel.place, pixel.order))


def _files_of(folder: Path, pixel: Pixel, suffix: str) -> Iterator[Path]:
    """Of one pixel: a file; or all in a folder, if that is what the suffix says."""
    first = pixel.number // _PIXELS_IN_FOLDER * _PIXELS_IN_FOLDER
    ending = suffix if suffix not in {"/", "\\"} else ""
    path = (
        folder / DATASET / f"Norder={pixel.order}" / f"Dir={first}" / f"Npix={pixel.number}{ending}"
    )
    if not path.exists():
        raise CatalogueError(
            f"{path} is not there, but {folder} has a partition {pixel}; is the copy of the catalogue complete?"
        )
    if not path.is_dir():
        yield path
        return
    files = [each for each in sorted(path.iterdir()) if not each.name.startswith((".", "_"))]
    yield from files
