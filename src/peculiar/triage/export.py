"""Marks as a table, for other programs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from peculiar.triage.marks import Mark

_COLUMNS = {
    "key": ("row and name of the object", "meta.id"),
    "mark": ("what a person thinks of the object", "meta.code"),
    "note": ("why", "meta.note"),
    "marked_at": ("when, in UTC", "time"),
}


def export(
    marks: Mapping[str, Mark],
    path: str | os.PathLike[str],
    *,
    table: Any = None,
    keys: Sequence[str] = (),
    overwrite: bool = False,
    plain: bool = False,
) -> None:
    r"""Write marks as CSV, VOTable or any other format that :func:`peculiar.catalogue.write` knows.

    Parameters
    ----------
    marks : dict
        From key to :class:`Mark`, as :meth:`Marks.load` gives it.
    path : path-like
        Its extension says the format.
    table : astropy.table.Table, optional
        The ranked list. If given, the columns of the marked objects are written too, in the order of the list.
    keys : sequence of str, optional
        Of the objects in ``table`` (:func:`object_keys`).
    overwrite : bool, default=False
        Whether a file of that name may be replaced.
    plain : bool, default=False
        Whether text is written to CSV as it is. Otherwise a spreadsheet takes no note for a formula.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "marks.csv"
    >>> export({"1:Mira": Mark("unsure", "=SUM(A1)", "2026-01-01T00:00:00+00:00")}, path)
    >>> path.read_text()
    "key,mark,note,marked_at\n1:Mira,unsure,'=SUM(A1),2026-01-01T00:00:00+00:00\n"
    """
    from peculiar.catalogue import as_table, write
    from peculiar.catalogue.as_columns import column_of_results

    at = [i for i, key in enumerate(keys) if key in marks]
    chosen = list(marks) if table is None else [keys[i] for i in at]
    cells = {
        name: [key if name == "key" else _cell(marks[key], name) for key in chosen]
        for name in _COLUMNS
    }
    made = as_table(
        {name: column_of_results(_texts(column), *_COLUMNS[name]) for name, column in cells.items()}
    )
    if table is not None:
        taken = {name.lower() for name in made.colnames}
        for name in table.colnames:
            made[f"list_{name}" if name.lower() in taken else name] = table[name][at]
    write(made, path, overwrite=overwrite, plain=plain)


def _cell(mark: Mark, name: str) -> str:
    return mark.time if name == "marked_at" else str(getattr(mark, name))


def _texts(cells: list[str]) -> Any:
    import numpy as np

    return np.array(cells, dtype=np.str_) if cells else np.array([], dtype="U1")
