"""Keywords of FITS that speak of one column by its number: TLMIN3, TDISP3, 1CTYP3, TPC3_4 ...

They are kept with the column, with ``#`` in the place of its number, and written with the number it has then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astropy.table import Table

KEPT = "fits"
"""Where the metadata of a column have them."""

# What astropy writes itself, from the column: these are not kept.
_WRITTEN = re.compile(r"T(TYPE|FORM|UNIT|NULL|SCAL|ZERO|BCOL|DIM|UCD|COMM)\d+")
_WCS = "CTYP|CUNI|CRPX|CRVL|CDLT|CROT|CTY|CUN|CRP|CRV|CDE|CRO|CNA|CRD|CSY"
_OF_ONE = re.compile(
    rf"(T(?:DISP|LMIN|LMAX|DMIN|DMAX|DBIN|BUCD|UTYP|XTYP|DESC|INDX|CNAM|RPOS|WCS|{_WCS})"
    rf"|\d\d?(?:{_WCS}|PC|CD)|WCAX|WCSN|WCST|LONP|LATP|EQUI|RADE|MJDOB|DOBS)(\d+)([A-Z]?)"
)
_OF_ONE_AND_A_NUMBER = re.compile(r"((?:T|\d\d?)(?:PV|PS|V|S))(\d+)(_\d+[A-Z]?)")
_OF_TWO = re.compile(r"(T(?:PC|CD|P|C))(\d+)_(\d+)([A-Z]?)")


def speaks_of_column(keyword: str) -> bool:
    """Whether a keyword belongs to a column, and not to the table as a whole.

    Examples
    --------
    >>> [key for key in ("TLMIN3", "TUCD1", "TELESCOP", "EPOCH", "TPC1_2") if speaks_of_column(key)]
    ['TLMIN3', 'TUCD1', 'TPC1_2']
    """
    patterns = (_WRITTEN, _OF_ONE, _OF_ONE_AND_A_NUMBER, _OF_TWO)
    return any(pattern.fullmatch(keyword) for pattern in patterns)


def keywords_of_columns(
    header: Mapping[str, Any], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """For each column the keywords that speak of it, with # for its number.

    Parameters
    ----------
    header : mapping
    names : sequence of str
        Of the columns, in the order of the file.

    Examples
    --------
    >>> keywords_of_columns({"TLMIN2": 0.5, "TPC2_1": 1.0, "EPOCH": 2000.0}, ["ra", "dec"])
    {'dec': {'TLMIN#': 0.5, 'TPC#_<ra>': 1.0}}
    """
    found: dict[str, dict[str, Any]] = {}
    for key, value in header.items():
        place = _place(key, names)
        if place is not None:
            found.setdefault(place[0], {})[place[1]] = value
    return found


def _place(key: str, names: Sequence[str]) -> tuple[str, str] | None:
    """The column a keyword speaks of, and the keyword with # for its number."""
    if pair := _OF_TWO.fullmatch(key):
        numbers = int(pair[2]), int(pair[3])
        if all(1 <= number <= len(names) for number in numbers):
            own, other = (names[number - 1] for number in numbers)
            return own, f"{pair[1]}#_<{other}>{pair[4]}"
        return None
    single = _OF_ONE.fullmatch(key) or _OF_ONE_AND_A_NUMBER.fullmatch(key)
    if single and 1 <= int(single[2]) <= len(names):
        return names[int(single[2]) - 1], f"{single[1]}#{single[3]}"
    return None


def numbered_keywords(table: Table) -> Iterator[tuple[str, Any]]:
    """The keywords that columns have kept, with the numbers they have now.

    A keyword that also speaks of a column that is gone is left out.
    """
    numbers = {name: number for number, name in enumerate(table.colnames, 1)}
    for name, number in numbers.items():
        kept = (table[name].info.meta or {}).get(KEPT, {})
        for template, value in dict(kept).items():
            other = re.search(r"<(.*)>", template)
            if other is None:
                yield template.replace("#", str(number), 1), value
            elif other[1] in numbers:
                head, tail = template[: other.start()], template[other.end() :]
                yield f"{head.replace('#', str(number), 1)}{numbers[other[1]]}{tail}", value
