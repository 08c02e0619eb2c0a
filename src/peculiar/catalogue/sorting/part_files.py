"""Parts of a table in files of a folder, which a later run can use: each is there whole, or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.formats.arrow import to_arrow
from peculiar.catalogue.formats.installed import require
from peculiar.catalogue.formats.writable import writable
from peculiar.errors import CatalogueError
from peculiar.files import replacing, write_whole

if TYPE_CHECKING:
    from astropy.table import Table

_ROWS = 65_536


@dataclass(frozen=True)
class PartFiles:
    """The parts, by number: a Parquet file for each, and a file that says that it is done, with its digest.

    Attributes
    ----------
    folder : Path
        It is there.
    """

    folder: Path

    def done(self, number: int) -> dict[str, Any] | None:
        """What was found out about a part when it was written; None if it is not there, or was damaged since."""
        try:
            said = json.loads(self._note(number).read_text(encoding="utf-8"))
            facts, digest = said["facts"], said["sha256"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        is_whole = isinstance(facts, dict) and digest == _digest(self._file(number))
        return facts if is_whole else None

    def write(self, number: int, tables: Iterable[Table], facts: dict[str, Any]) -> None:
        """Write a part, table by table; ``facts`` may be filled meanwhile.

        Parameters
        ----------
        number : int
        tables : iterable of astropy.table.Table
            With the same columns.
        facts : dict
            Plain values that are asked for later.
        """
        self._note(number).unlink(missing_ok=True)
        if not _write_parquet(self._file(number), tables):
            self._file(number).unlink(missing_ok=True)  # of an earlier time
        said = {"facts": facts, "sha256": _digest(self._file(number))}
        write_whole(self._note(number), json.dumps(said))

    def read(self, number: int, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The rows of a part as tables of Arrow, some at a time; none if the part has no rows.

        CatalogueError if it is not there, although it was not said to have no rows.
        """
        from pyarrow import Table, parquet

        if self._has_file(number):
            with parquet.ParquetFile(self._file(number), pre_buffer=False) as file:
                for batch in file.iter_batches(_ROWS, columns=columns and list(columns)):
                    yield Table.from_batches([batch])

    def types(self, number: int) -> dict[str, Any]:
        """The Arrow types of the columns of a part; none if the part has no rows."""
        from pyarrow import parquet

        if not self._has_file(number):
            return {}
        return {field.name: field.type for field in parquet.read_schema(self._file(number))}

    def has_values(self, number: int, name: str) -> bool:
        """Whether any cell of a column of a part is not missing."""
        return any(table[name].null_count < table.num_rows for table in self.read(number, [name]))

    def columns(self, number: int, names: Sequence[str]) -> Iterator[dict[str, NDArray[Any]]]:
        """The same as arrays."""
        for table in self.read(number, names):
            yield arrays_of(table, names)

    def _has_file(self, number: int) -> bool:
        """Whether a part has rows. The file is asked first: whoever writes it anew takes its note away meanwhile."""
        if self._file(number).exists():
            return True
        if self.done(number) is None:
            raise CatalogueError(
                f"{self._file(number)} is not there, though its rows were worked on: it was removed meanwhile, or "
                "workers on other computers do not see this folder. The same command makes again what is missing"
            )
        return False

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06d}.parquet"

    def _note(self, number: int) -> Path:
        return self.folder / f"{number:06d}.json"


def arrays_of(table: Any, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Columns of an Arrow table that has no missing values in them."""
    from peculiar.catalogue.formats.arrow import column_from

    return {name: np.asarray(column_from(table[name])) for name in names}


def _write_parquet(path: Path, tables: Iterable[Table]) -> bool:
    """Whether there was a table; without one, nothing is written."""
    require("pyarrow")
    from pyarrow import parquet

    given = iter(tables)
    first = next(given, None)
    if first is None:
        return False
    arrow = _arrow(first)
    with replacing(path) as temporary:
        settings: dict[str, Any] = {"use_dictionary": False, "write_statistics": False}
        with parquet.ParquetWriter(temporary, arrow.schema, **settings) as writer:
            writer.write_table(arrow)
            for table in given:
                writer.write_table(_of_the_same_types(_arrow(table), arrow.schema))
    return True


def _arrow(table: Table) -> Any:
    """As an Arrow table; a column of text is one also where all of it is missing, for which Arrow has no type."""
    import pyarrow as pa

    given = writable(table, "parquet")
    made = to_arrow(given)
    for place, field in enumerate(made.schema):
        if pa.types.is_null(field.type) and given[field.name].dtype.kind in "SU":
            words = pa.nulls(len(given), pa.string())
            made = made.set_column(place, field.with_type(pa.string()), words)
    return made


def _of_the_same_types(table: Any, schema: Any) -> Any:
    """CatalogueError for a column that is of one type here, and of another there."""
    import pyarrow as pa

    for field in schema:
        if table.schema.field(field.name).type == field.type:
            continue
        try:
            place = table.column_names.index(field.name)
            table = table.set_column(place, field, table[field.name].cast(field.type))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            here = table.schema.field(field.name).type
            raise CatalogueError(
                f"column {cut(field.name)!r} has cells of several types ({field.type}, and {here} further down), which "
                "cannot be written in parts; leave it out, or give it one type"
            ) from None
    return table


def _digest(path: Path) -> str:
    """Of the content of a file; of nothing if there is none."""
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
