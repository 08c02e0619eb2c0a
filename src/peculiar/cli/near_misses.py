"""Columns of a catalogue that look like errors, though no naming convention says whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from peculiar.cli.console import Screen

if TYPE_CHECKING:
    from peculiar.catalogue import ColumnInfo

_COMPARED = 300
_SHOWN = 8


def show_near_misses(
    screen: Screen, columns: Sequence[ColumnInfo], errors: Mapping[str, tuple[str, ...]]
) -> dict[str, list[str]]:
    """Say which option would use them.

    Parameters
    ----------
    screen : Screen
    columns : sequence of ColumnInfo
    errors : dict
        Those that conventions have found.

    Returns
    -------
    dict
        For a column, the names that may be its error.
    """
    from peculiar.catalogue.columns.matching import looks_like_error, near_misses

    used = {name for names in errors.values() for name in names}
    numbers = [c.name for c in columns if c.dtype.startswith(("float", "int", "uint"))]
    free = [name for name in numbers if name not in used and name not in errors]
    likely = [name for name in free if looks_like_error(name)]  # once, not for each of thousands
    found = {name: near_misses(name, likely) for name in free[:_COMPARED]}
    found = {name: others for name, others in found.items() if others and not _is_miss(name, found)}
    for name, others in list(found.items())[:_SHOWN]:
        screen.say(f"Is {others[0]} the error of {name}? Then say --error {name}={others[0]}")
    return found


def _is_miss(name: str, found: Mapping[str, list[str]]) -> bool:
    """Whether a column is itself what looks like the error of another."""
    return any(name in others for other, others in found.items() if other != name)
