"""What comment lines tell of columns, as the NASA Exoplanet Archive writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COLUMN = re.compile(rb"#\s*COLUMN\s+([^:\s]+)\s*:\s*(.*?)\s*(?:\[([^\[\]]*)\])?\s*")

WORDS = {
    "days": "day",
    "hrs": "hour",
    "hours": "hour",
    "years": "year",
    "earth radii": "earthRad",
    "earth radius": "earthRad",
    "earth mass": "earthMass",
    "jupiter radii": "jupiterRad",
    "jupiter radius": "jupiterRad",
    "jupiter mass": "jupiterMass",
    "solar radii": "solRad",
    "solar radius": "solRad",
    "solar mass": "solMass",
    "decimal degrees": "deg",
    "degrees": "deg",
    "au": "AU",
    "ppm": "1e-6",
    "%": "%",
}
"""Units in words, and as astropy has them."""


@dataclass
class Told:
    """Units and descriptions of columns, by name."""

    units: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)

    def hear(self, line: bytes) -> None:
        """Take what a comment line tells; most tell nothing."""
        found = _COLUMN.fullmatch(line.strip())
        if found is None:
            return
        name, said, unit = (
            (part or b"").decode("utf-8", "replace").strip() for part in found.groups()
        )
        self.descriptions[name] = said
        if known := unit_in_words(unit):
            self.units[name] = known
        elif unit:
            self.descriptions[name] = f"{said} [{unit}]"


def unit_in_words(text: str) -> str:
    """A unit that astropy knows; empty if it knows none of that name.

    Examples
    --------
    >>> [unit_in_words(text) for text in ("days", "Earth radii", "K", "BJD - 2454833")]
    ['d', 'earthRad', 'K', '']
    """
    from astropy.units import Unit

    word = WORDS.get(text.lower(), text)
    try:
        return Unit(word).to_string() if word else ""
    except (ValueError, TypeError):
        return ""
