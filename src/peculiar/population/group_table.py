"""The table of components as a user keeps it: an array that a notebook shows as a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.notebook import html_table


class GroupTable(np.ndarray[Any, Any]):
    """A structured array with a line for each component. Its columns, lines and numbers are those of NumPy.

    Examples
    --------
    >>> table = np.array([("A", 2.5)], dtype=[("group", "U1"), ("z", float)]).view(GroupTable)
    >>> table
    GroupTable with 1 component, 1 of them a strange group: A
    >>> type(table["z"]), table["z"].mean()
    (<class 'numpy.ndarray'>, np.float64(2.5))
    """

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        is_column = isinstance(part, GroupTable) and part.dtype.names is None
        return part.view(np.ndarray) if is_column else part

    def __repr__(self) -> str:
        letters = [str(letter) for letter in self["group"].ravel() if letter]
        n, some = self.size, len(letters)
        components = "1 component" if n == 1 else f"{n} components"
        if not some:
            return f"GroupTable with {components}, all of them ordinary"
        groups = "a strange group" if some == 1 else "strange groups"
        return f"GroupTable with {components}, {some} of them {groups}: {', '.join(letters)}"

    def _repr_html_(self) -> str:
        lines = self.ravel()
        return html_table({name: lines[name] for name in self.dtype.names or ()})
