"""Elements of columns with several values in a row: ``Flux[3]``, counted from 0 as in Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.light import in_full
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table

_ELEMENT = re.compile(r"(.+)\[([0-9]+(?:,[0-9]+)*)\]", re.DOTALL)


def base_of(name: str, known: Collection[str]) -> str:
    """The column that an element is of; a column of that very name is itself.

    Examples
    --------
    >>> (
    ...     base_of("Flux[3]", {"Flux"}),
    ...     base_of("Flux[3]", {"Flux[3]", "Flux"}),
    ...     base_of("u", {"Flux"}),
    ... )
    ('Flux', 'Flux[3]', 'u')
    """
    found = None if name in known else _ELEMENT.fullmatch(name)
    return found[1] if found is not None and found[1] in known else name


def index_of(name: str) -> str:
    """What is in the brackets of an element, with them; empty if it has none."""
    found = _ELEMENT.fullmatch(name)
    return f"[{found[2]}]" if found else ""


def bases_of(names: Iterable[str], known: Collection[str]) -> list[str]:
    """The columns that have to be read for some columns and elements, each once."""
    return list(dict.fromkeys(base_of(name, known) for name in names))


def with_elements(table: Table, names: Iterable[str], of_values: Collection[str] = ()) -> Table:
    """The table with a column for each element among the names.

    Parameters
    ----------
    table : astropy.table.Table
        Not changed.
    names : iterable of str
    of_values : collection of str
        Those of them that are values: a column with one value in a row has no elements. (An error may be the same for
        all elements of a row.)

    Returns
    -------
    astropy.table.Table
    """
    wanted = [name for name in names if name not in table.colnames]
    if not wanted:
        return table
    changed = in_full(table)
    for name in wanted:
        base = base_of(name, table.colnames)
        if base != name:
            if table[base].ndim == 1 and name in of_values:
                raise CatalogueError(
                    f"there is no {cut(name)!r}: {cut(base)!r} has one value in a row; leave out the brackets"
                )
            changed[name] = _element(table[base], name, base)
    return changed


def _element(column: Any, name: str, base: str) -> Any:
    """One value of each row. An error that is the same for all elements of a row is that of each."""
    if column.ndim == 1:
        return column
    numbers = tuple(int(number) for number in index_of(name)[1:-1].split(","))
    shape = column.shape[1:]
    if len(numbers) != len(shape) or any(
        n >= size for n, size in zip(numbers, shape, strict=False)
    ):
        last = ",".join(str(size - 1) for size in shape)
        raise CatalogueError(
            f"there is no {cut(name)!r}: a row of {cut(base)!r} has the shape {shape}, from {base}"
            f"[{','.join('0' * len(shape))}] to {base}[{last}]"
        )
    return column[(slice(None), *numbers)]
