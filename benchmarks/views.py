"""From what was measured to the tables that show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.costs import MILLION
from benchmarks.table import Column, Row, Table, number_column, show_number, text_column

Rows = Sequence[dict[str, Any]]


def _loglik(row: Row) -> str:
    return show_number(row.get("loglik"), ".6f") if row["status"] == "ok" else row["status"]


def _at_least(row: Row, key: str) -> str:
    number = show_number(row.get(key))
    return number if row.get("reached", True) or number == "-" else f"> {number}"


def _below(row: Row) -> str:
    if row["status"] != "ok":
        return str(row["status"])
    return "within 1e-4" if row["reached"] else show_number(row["below_best"], ".2g")


def _per_million(row: Row) -> float | None:
    cpu = row.get("cpu")
    return None if cpu is None else cpu * MILLION / (row["N"] * row["K"])


PEERS = [
    text_column("", "label"),
    text_column("fits", "model"),
    number_column("CPU", "cpu"),
    number_column("wall", "wall"),
    number_column("ratio", "ratio"),
    number_column("peak MB", "peak_mb", ".0f"),
    number_column("fit MB", "fit_mb", ".0f"),
    Column("log-likelihood", _loglik),
]
SOLUTION = [
    text_column("", "label"),
    number_column("iterations", "iterations", ",d"),
    Column("CPU s", lambda row: _at_least(row, "cpu")),
    Column("wall s", lambda row: _at_least(row, "wall")),
    Column("below the best", _below),
]
BARS = [
    text_column("bar", "bar"),
    text_column("asked", "limit"),
    number_column("measured", "measured"),
    text_column("", "verdict"),
]
SCALING = [
    text_column("", "label"),
    text_column("against", "axis"),
    *(number_column(axis, axis, ",d") for axis in ("N", "K", "d")),
    Column("CPU", lambda row: show_number(_per_million(row))),
]
PLACES = [
    text_column("", "place"),
    number_column("rows", "n", ",d"),
    number_column("wall s", "wall"),
    number_column("CPU s", "cpu"),
    number_column("CPU per row, us", "per_row", ".2f"),
    number_column("peak MB", "peak_mb", ".0f"),
]


def peer_tables(rows: Rows) -> list[Table]:
    """One table per problem."""
    return [Table.of(name, PEERS, chosen) for name, chosen in grouped(rows, "problem")]


def solution_tables(rows: Rows) -> list[Table]:
    """One table per model."""
    return [Table.of(name, SOLUTION, chosen) for name, chosen in grouped(rows, "model")]


def bar_table(rows: Rows) -> Table:
    """All bars."""
    return Table.of("Bars", BARS, rows)


def scaling_table(rows: Rows) -> Table:
    """All points, in CPU seconds per million (object x component)."""
    return Table.of("Cost against size", SCALING, rows)


def place_table(rows: Rows) -> Table:
    """A pass over the rows, wherever they are."""
    return Table.of("A pass over the rows", PLACES, rows)


def grouped(rows: Rows, key: str) -> list[tuple[str, Rows]]:
    """Rows with the same value of a key, in order of appearance."""
    values = dict.fromkeys(row[key] for row in rows)
    return [(value, [row for row in rows if row[key] == value]) for value in values]
