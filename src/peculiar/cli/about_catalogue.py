"""What is in a catalogue: its tables, and the columns of one of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from peculiar.cli.console import Screen
from peculiar.cli.near_misses import show_near_misses
from peculiar.cli.sources import source

if TYPE_CHECKING:
    from peculiar.catalogue import ColumnInfo, TableInfo


def about_catalogue(screen: Screen, path: Path, table: str | None, format_: str | None) -> None:
    """Show the tables of a catalogue, and the columns of the one that is meant; no column is read for that."""
    with source(path, format_) as (file, form):
        _about(screen, path, file, table, form)


def _about(screen: Screen, given: Path, path: Path, table: str | None, format_: str | None) -> None:
    from peculiar.catalogue import count_rows, list_columns, list_tables
    from peculiar.catalogue.formats.choose import find_format
    from peculiar.catalogue.formats.several import choose_table, place_of
    from peculiar.catalogue.many import find_places

    which: dict[str, Any] = {"table": table, "format": format_}
    place = place_of(path, table)
    with screen.working(f"reading {path.name}"):
        tables = list_tables(place.path, format=format_)
        columns = list_columns(path, **which)
        n_rows = count_rows(path, **which)
    chosen = choose_table(place, tables) if tables else None
    places = find_places(path, table)
    form = find_format((places or (place,))[0].path, format_).name
    errors = find_errors(columns)
    _show_tables(screen, tables, chosen)
    files = "" if places is None else f"{len(places):,} files, "
    shown_as = given if given != path else place
    screen.lines(f"{shown_as}: {form}, {files}{n_rows:,} rows, {len(columns)} columns")
    flags = find_limit_flags(columns, errors)
    about = _rows(columns, errors, flags)
    shown = [name for name in about[0] if any(row[name] for row in about)] if about else []
    screen.table({name: [row[name] for row in about] for name in shown}, to_the_left=shown)
    screen.say(which_features(columns, errors))
    misses = show_near_misses(screen, columns, errors)
    screen.json(
        {
            "file": str(given),
            "kind": "catalogue",
            "files": None if places is None else [str(each) for each in places],
            "format": form,
            "tables": [asdict(each) for each in tables],
            "table": None if chosen is None else chosen.number,
            "n_rows": n_rows,
            "columns": about,
            "near_misses": misses,
            "limit_flags": flags,
        }
    )


def _show_tables(screen: Screen, tables: Sequence[TableInfo], chosen: TableInfo | None) -> None:
    """All tables of a file, if there are several."""
    if len(tables) < 2 or chosen is None:
        return
    screen.say(f"{len(tables)} tables; FILE[TABLE] (or --hdu TABLE) names one, by number or name:")
    columns = {
        "table": [str(each.number) for each in tables],
        "name": [each.name for each in tables],
        "rows": [f"{each.n_rows:,}" for each in tables],
        "columns": [f"{each.n_columns:,}" for each in tables],
        "": ["shown below" if each == chosen else "" for each in tables],
    }
    screen.table(columns, to_the_left=["name", ""])
    screen.say()


def which_features(columns: Sequence[ColumnInfo], errors: Mapping[str, tuple[str, ...]]) -> str:
    """Which columns have errors, and how a command is told to use them."""
    from peculiar.catalogue.columns.names import listed

    values = [name for name in errors if errors[name]]
    if not values:
        return "Naming conventions find no errors in this catalogue; say where they are with --error X=COLUMN"
    about = {info.name: info for info in columns}
    example = _example([about[name] for name in values[:2]])
    return f"With errors: {listed(values, 40)}. For instance: --features {example}"


def ask_for_features(path: Path, table: str | None, format_: str | None) -> NoReturn:
    """UsageError that says which columns of the catalogue could be features."""
    from peculiar.catalogue import list_columns

    with source(path, format_) as (file, form):
        columns = list_columns(file, table=table, format=form)
    raise click.UsageError(
        "Missing option '--features': the columns, or expressions of columns, by which objects are compared. "
        + which_features(columns, find_errors(columns))
    )


def _example(columns: Sequence[ColumnInfo]) -> str:
    """Columns as features, for the command line. In double quotes, a shell would run what is between back-quotes."""
    from peculiar.catalogue.expressions.nodes import is_plain

    are_plain = all(is_plain(info.name) for info in columns)
    text = ", ".join(map(_as_feature, columns))
    return f'"{text}"' if are_plain else shlex.quote(text)


def _as_feature(info: ColumnInfo) -> str:
    """Of several values in a row the first."""
    from peculiar.catalogue.expressions.nodes import is_plain

    name = info.name if is_plain(info.name) else f"`{info.name}`"
    return f"{name}[{','.join('0' for _ in info.shape)}]" if info.shape else name


def find_errors(columns: Sequence[ColumnInfo]) -> dict[str, tuple[str, ...]]:
    """The errors of every column of numbers, where conventions find them without doubt."""
    from peculiar.catalogue.columns.matching import pair_all

    ucds = {info.name: info.ucd for info in columns}
    found = pair_all(list(ucds), _numbers(columns), ucds)
    return {name: pair.names for name, pair in found.items()}


def _numbers(columns: Sequence[ColumnInfo]) -> list[str]:
    return [info.name for info in columns if info.dtype.startswith(("float", "int", "uint"))]


def find_limit_flags(
    columns: Sequence[ColumnInfo], errors: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """For columns of numbers, the column whose name says that it flags limits; what is in it is not looked at."""
    from peculiar.catalogue.columns.conventions import Lookup
    from peculiar.catalogue.columns.limits import find_flags

    are_errors = {name for names in errors.values() for name in names}
    used = are_errors | {name for name, found in errors.items() if found}
    wanted = [name for name in _numbers(columns) if name not in are_errors]
    flags = find_flags(wanted, Lookup([info.name for info in columns]), {}, used)
    return {name: flag.column for name, flag in flags.items()}


def _rows(
    columns: Sequence[ColumnInfo],
    errors: Mapping[str, tuple[str, ...]],
    flags: Mapping[str, str],
) -> list[dict[str, str]]:
    """Each column in words."""
    limits = {flag: name for name, flag in flags.items()}
    of: dict[str, list[str]] = {}
    for name, names in errors.items():
        for error in names:
            of.setdefault(error, []).append(name)
    return [
        {
            "column": info.name,
            "type": info.dtype,
            "shape": "x".join(map(str, info.shape)),
            "unit": info.unit,
            "UCD": info.ucd,
            "error": ", ".join(errors.get(info.name, ())) or _role(of.get(info.name, [])),
            "limits": flags.get(info.name, "") or _flag_role(info, limits),
        }
        for info in columns
    ]


def _role(of: Sequence[str]) -> str:
    return f"error of {', '.join(of)}" if of else ""


def _flag_role(info: ColumnInfo, limits: Mapping[str, str]) -> str:
    """Numbers of such a name may be a flux or a depth; whoever reads them finds out."""
    if info.name not in limits:
        return ""
    is_sure = info.dtype in {"str", "bool"}
    return f"{'flags' if is_sure else 'may flag'} limits of {limits[info.name]}"
