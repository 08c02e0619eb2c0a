"""Names of columns in messages: long lists are cut, and close ones suggested."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from peculiar.errors import CatalogueError

SHOWN = 12
"""Names a message lists before it says how many more there are."""

QUOTED = 200
"""Characters of a file's content that a message quotes at most."""

_LONGEST = 60
_COMPARED = 20_000


def listed(names: Collection[str], shown: int = SHOWN) -> str:
    """Names separated by commas; the rest of a long list as a number.

    Examples
    --------
    >>> listed(["a", "b", "c", "d"], shown=2)
    'a, b ... and 2 more'
    """
    head = ", ".join(cut(name) for name, _ in zip(names, range(shown), strict=False))
    rest = len(names) - shown
    return f"{head} ... and {rest:,} more" if rest > 0 else head


def cut(text: str, longest: int = _LONGEST) -> str:
    """A text on one line, its end cut off if it is long."""
    line = " ".join(str(text).split()) if str(text).strip() else repr(text)
    return line if len(line) <= longest else line[: longest - 3] + "..."


def counted(n: int, what: str = "value") -> str:
    """A number of things, and the verb that goes with it.

    Examples
    --------
    >>> counted(1), counted(1200, "row")
    ('1 value is', '1,200 rows are')
    """
    return f"1 {what} is" if n == 1 else f"{n:,} {what}s are"


def close(name: str, names: Collection[str]) -> list[str]:
    """Up to three names that look like the given one, the closest first.

    Examples
    --------
    >>> close("u_mga", ["u_mag", "g_mag", "ra"])
    ['u_mag', 'g_mag']
    """
    folded: dict[str, str] = {}
    for other, _ in zip(names, range(_COMPARED), strict=False):  # a million would take minutes
        folded.setdefault(other.lower(), other)
    found = difflib.get_close_matches(name.lower(), folded, n=3, cutoff=0.6)
    return [folded[match] for match in found]


def refuse_unknown(wanted: Iterable[str], names: Sequence[str], where: str) -> None:
    """CatalogueError for the first wanted name that is not among those there are."""
    known = set(names)
    for name in wanted:
        if name not in known:
            similar = close(name, names)
            hint = f"did you mean {' or '.join(similar)}?" if similar else f"it has {listed(names)}"
            raise CatalogueError(f"{where} has no column {cut(name)!r}; {hint}")


def refuse_duplicates(names: Iterable[str], where: str) -> None:
    """CatalogueError if two columns have the same name."""
    twice = {name: n for name, n in Counter(names).items() if n > 1}
    if twice:
        counted = listed([f"{cut(name)!r} ({n} times)" for name, n in twice.items()], 6)
        raise CatalogueError(
            f"{where} has several columns of the same name: {counted}; rename them, as it is not clear which is meant"
        )
