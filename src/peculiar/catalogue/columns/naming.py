"""The column that names the objects of a catalogue."""

from __future__ import annotations

from collections.abc import Iterable

NAMING = ("name", "id", "designation", "object", "objid", "source_id", "main_id", "source", "star")
"""Columns that name an object, where nobody says which to show."""


def find_names(columns: Iterable[str]) -> list[str]:
    """The column that names objects: the first of the usual names; none if there is none of them.

    Examples
    --------
    >>> find_names(["ra", "dec", "Source_ID", "id"])
    ['id']
    """
    by_lower = {name.lower(): name for name in reversed(list(columns))}
    return [by_lower[name] for name in NAMING if name in by_lower][:1]
