"""Columns that are text in one file of a catalogue and numbers in another: they cannot be one column of a list."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.formats import Place
from peculiar.catalogue.many import find_places
from peculiar.catalogue.parts import Stretch
from peculiar.catalogue.reading import list_columns_of
from peculiar.catalogue.scanning import Scan
from peculiar.errors import CatalogueError

_ROWS = 65_536


def refuse_mixed(scan: Scan, columns: Collection[str]) -> None:
    """CatalogueError for such a column, before any work; one without any value may be either.

    Parameters
    ----------
    scan : Scan
    columns : collection of str
        Those that the list will have.
    """
    found = dict[str, dict[str, list[Place]]]()
    for place in find_places(scan.path, scan.table) or ():
        for info in list_columns_of(place, scan.format):
            if info.name in columns and (kind := _kind(info.dtype)):
                found.setdefault(info.name, {}).setdefault(kind, []).append(place)
    for name, kinds in found.items():
        if len(kinds) > 1:
            _refuse(name, kinds, scan.format)


def _refuse(name: str, kinds: dict[str, list[Place]], form: str | None) -> None:
    said = [
        f"{kind} in {first}"
        for kind, places in kinds.items()
        if (first := next((place for place in places if _has_values(place, name, form)), None))
    ]
    if len(said) > 1:
        raise CatalogueError(
            f"column {cut(name)!r} has {' and '.join(said)}, which cannot be one column of a list; give it one type in "
            "all files, or leave it out of them"
        )


def _kind(dtype: str) -> str:
    """Of the values, in words; empty for those that may turn out to be anything."""
    if dtype == "str":
        return "text"
    if dtype == "object":
        return ""
    return "truth values" if np.dtype(dtype).kind == "b" else "numbers"


def _has_values(place: Place, name: str, form: str | None) -> bool:
    return any(_any_value(part.table[name]) for part in Stretch(place).parts([name], _ROWS, form))


def _any_value(column: Any) -> bool:
    return not np.all(getattr(column, "mask", False))
