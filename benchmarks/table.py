"""Tables: as text for the screen, as Markdown for the page; files written whole or not at all."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A heading, and how a row is shown below it."""

    heading: str
    show: Callable[[Row], str]
    is_number: bool = True


@dataclass(frozen=True)
class Table:
    """Cells as text."""

    title: str
    headings: tuple[str, ...]
    is_number: tuple[bool, ...]
    cells: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, title: str, columns: Sequence[Column], rows: Sequence[Row]) -> Table:
        """Show every row in every column."""
        cells = tuple(tuple(column.show(row) for column in columns) for row in rows)
        headings = tuple(column.heading for column in columns)
        return cls(title, headings, tuple(column.is_number for column in columns), cells)

    def text(self) -> str:
        """Aligned columns."""
        lines = [self.headings, *self.cells]
        widths = [max(len(line[j]) for line in lines) for j in range(len(self.headings))]
        shown = ["  ".join(self._align(line, widths)).rstrip() for line in lines]
        rule = "-" * max(len(line) for line in shown)
        return "\n".join([self.title, "", shown[0], rule, *shown[1:]]) + "\n"

    def _align(self, line: Sequence[str], widths: Sequence[int]) -> list[str]:
        columns = zip(line, widths, self.is_number, strict=True)
        return [cell.rjust(w) if number else cell.ljust(w) for cell, w, number in columns]

    def markdown(self) -> str:
        """A pipe table, without the title."""
        rule = ["---:" if number else "---" for number in self.is_number]
        lines = [self.headings, rule, *self.cells]
        escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        return "\n".join("| " + " | ".join(line) + " |" for line in escaped) + "\n"


def text_column(heading: str, key: str) -> Column:
    """Words."""
    return Column(heading, lambda row: str(row.get(key, "")), is_number=False)


def number_column(heading: str, key: str, form: str = ".3g") -> Column:
    """A number, or a dash where there is none."""
    return Column(heading, lambda row: show_number(row.get(key), form))


def show_number(value: float | None, form: str = ".3g") -> str:
    """Three digits, without exponents where they can be avoided."""
    if value is None or math.isnan(value):
        return "-"
    if form == ".3g" and 999.5 <= abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:{form}}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader finds the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=path.name, delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def write_json(path: Path, value: Any) -> None:
    """The same for JSON."""
    write_whole(path, json.dumps(value, indent=1) + "\n")
