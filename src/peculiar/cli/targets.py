"""Files to write: whether that will be possible is asked before the work, for all of them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.errors import OutputError
from peculiar.files import check_writable, regular_target

if TYPE_CHECKING:
    from peculiar.cli.plan import Plan


def check_targets(
    tables: Mapping[str, Path | None],
    others: Mapping[str, Path | None],
    *,
    overwrite: bool,
    sources: Sequence[Path],
) -> None:
    """OutputError if one of the files cannot be written in the end: better now than after the work.

    Parameters
    ----------
    tables, others : dict
        Paths by the options that name them; None where the option was not given. The format of a table is checked, too.
    overwrite : bool
        Whether files that are there may be replaced.
    sources : sequence of Path
        What is read, which is never replaced.
    """
    for path in tables.values():
        if path is not None:
            _check_format(path)
    given = {option: path for option, path in {**tables, **others}.items() if path is not None}
    for path in given.values():
        _check_file(path, overwrite=overwrite, sources=sources)
    _refuse_the_same(given)


def check_columns(table: Any, path: Path | None) -> None:
    """CatalogueError if a column of the catalogue cannot be written to the file of ``--out``.

    Parameters
    ----------
    table : astropy.table.Table
    path : Path or None
        None if nothing is to be written.
    """
    from peculiar.catalogue.writing import check_table

    if path is not None:
        check_table(table, path)


def check_parts(plan: Plan, path: Path | None) -> None:
    """OutputError if a list that is made in parts cannot be written to the file of ``--out``.

    Parameters
    ----------
    plan : Plan
    path : Path or None
    """
    from peculiar.catalogue.writing import format_to_write

    if path is None or not plan.is_in_parts:
        return
    form = format_to_write(path, None)
    if form.name != "parquet":
        raise OutputError(
            f"{plan.in_words()}, and such a list can only be written as Parquet, not as {form.name}; let --out end in "
            f".parquet, and convert it afterwards (stilts tpipe in=... out={path.name}). With enough memory (--memory) "
            "the catalogue is read whole"
        )


def _check_format(path: Path) -> None:
    from peculiar.catalogue.writing import format_to_write

    format_to_write(path, None)


def _check_file(path: Path, *, overwrite: bool, sources: Sequence[Path]) -> None:
    from peculiar.catalogue.formats.several import place_of
    from peculiar.catalogue.many import find_places

    check_writable(path)
    if not path.exists():
        return
    for source in sources:
        with contextlib.suppress(OSError):
            if any(
                path.samefile(place.path) for place in find_places(source) or (place_of(source),)
            ):
                raise OutputError(f"{path} is the input itself; write to another file")
    if not overwrite:
        raise OutputError(f"{path} is there already; say --overwrite to replace it")


def _refuse_the_same(given: Mapping[str, Path]) -> None:
    """Two results in one file: the second would replace the first."""
    options = list(given)
    for number, option in enumerate(options):
        for other in options[:number]:
            if _is_same(given[option], given[other]):
                raise OutputError(
                    f"{other} {given[other]} and {option} {given[option]} are the same file; give two names"
                )


def _is_same(one: Path, other: Path) -> bool:
    if regular_target(one) == regular_target(other):
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False
