"""How much memory there is, and numbers of bytes in words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    Kind = click.ParamType  # takes no types at run time before click 8.2

_UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_LEAST = 1e6


class Size(Kind):
    """A number of bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Of 2GB, 500 MB, ...: with a unit, as a number of bytes is easily mistaken."""
        if isinstance(value, int):
            return value
        text = str(value).upper().replace(" ", "").replace("IB", "B")
        number, unit = text[:-2], text[-2:]
        try:
            size = float(number) * _UNITS[unit]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is no size; say it as 500MB, 2GB or 1.5GB", param, ctx)
        if not _LEAST <= size < 1e18:
            self.fail(f"{value!r}: at least 1MB is needed", param, ctx)
        return int(size)


def size_in_words(n_bytes: float) -> str:
    """A number of bytes for people.

    Examples
    --------
    >>> (
    ...     size_in_words(14_300_000_000),
    ...     size_in_words(1.5e9),
    ...     size_in_words(512_000_000),
    ...     size_in_words(9),
    ... )
    ('14 GB', '1.5 GB', '512 MB', '1 MB')
    """
    for unit in ("TB", "GB", "MB"):
        number = n_bytes / _UNITS[unit]
        if number >= 1:
            return (
                f"{number:.0f} {unit}" if number >= 10 or unit == "MB" else f"{number:.2g} {unit}"
            )
    return "1 MB"


def free_memory() -> float:
    """Bytes that this process could still take without others being moved to disk; infinite if nobody says.

    What a container may use counts, if that is less than what the machine has.
    """
    return min(_of_machine(), _of_container())


def _of_machine() -> float:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            name, _, amount = line.partition(":")
            if name == "MemAvailable":
                return 1024.0 * float(amount.split()[0])
    except (OSError, ValueError, IndexError):
        pass
    try:  # half of what there is: what others use is not known
        return 0.5 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _of_container() -> float:
    """What a control group (version 2) still permits."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = float((folder / "memory.max").read_text(encoding="ascii"))
        used = float((folder / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):  # no such thing, or no limit ("max")
        return float("inf")
    return max(most - used, 0.0)


def resident_memory() -> float:
    """Bytes of memory that this process has now; NaN if nobody says."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, IndexError, AttributeError):
        return float("nan")
