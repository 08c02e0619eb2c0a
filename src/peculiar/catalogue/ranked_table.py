"""A ranked list as a user keeps it: an astropy table that a notebook shows with its strangest objects."""

from __future__ import annotations

from typing import Any

from astropy.table import Table

from peculiar.notebook import MOST_ROWS, html_table


class RankedTable(Table):  # type: ignore[misc]  # astropy has no types here
    """A table of astropy, strangest object first."""

    def _repr_html_(self) -> str:
        top: Any = self[:MOST_ROWS]
        caption = f"{len(self):,} objects, strangest first. {self.meta.get('FDR', '')}"
        return html_table({name: top[name] for name in self.colnames}, caption.strip(), len(self))
