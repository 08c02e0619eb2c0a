"""Units, descriptions and metadata as astropy writes them into formats that have no place of their own for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astropy.table import Table

_SERIALIZED = "__serialized_columns__"


def yaml_of(table: Table) -> str:
    """Types, units, descriptions and metadata of a table, as in the header of ECSV."""
    from astropy.table.meta import get_yaml_from_table

    return "\n".join(get_yaml_from_table(table))


def header_of(text: bytes | None) -> dict[str, Any]:
    """What :func:`yaml_of` has written; an empty header for None."""
    from astropy.table.meta import get_header_from_yaml

    if text is None:
        return {"datatype": [], "meta": {}}
    header = dict(get_header_from_yaml(text.decode("utf-8").split("\n")))
    header.setdefault("meta", {})
    return header


def mixins_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Columns that astropy took apart, by name."""
    return dict(header["meta"].get(_SERIALIZED, {}))


def describe(header: Mapping[str, Any], name: str) -> dict[str, str]:
    """Unit, UCD and description of a column, as far as there are any."""
    for column in header["datatype"]:
        if column["name"] == name:
            meta = dict(column.get("meta", {}))
            about = {
                "unit": column.get("unit"),
                "ucd": meta.get("ucd"),
                "description": column.get("description"),
            }
            return {key: str(value) for key, value in about.items() if value}
    return {}
