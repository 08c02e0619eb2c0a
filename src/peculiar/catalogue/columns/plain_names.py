"""Names of columns that every program can type: letters, digits and underscores."""

from __future__ import annotations

import re
from collections.abc import Sequence


def plain_name(text: str) -> str:
    """A name made of the words in a text.

    Examples
    --------
    >>> plain_name("u - r"), plain_name("log10(flux / 2)"), plain_name("`B-V`"), plain_name("+")
    ('u_r', 'log10_flux_2', 'B_V', 'feature')
    """
    return re.sub(r"[^0-9A-Za-z_]+", "_", text).strip("_") or "feature"


def plain_names(texts: Sequence[str]) -> tuple[str, ...]:
    """A name for each text, all of them different, also to those who do not tell U from u.

    Examples
    --------
    >>> plain_names(["u - r", "u + r", "U - R"])
    ('u_r', 'u_r_2', 'U_R_3')
    """
    names: list[str] = []
    taken: set[str] = set()
    for text in texts:
        name, number = plain_name(text), 2
        while name.lower() in taken:
            name, number = f"{plain_name(text)}_{number}", number + 1
        taken.add(name.lower())
        names.append(name)
    return tuple(names)
