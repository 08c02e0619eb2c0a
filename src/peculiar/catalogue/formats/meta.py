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
    """What :func:`yaml_of` has written; an empty header for None. ``by_name`` has the columns once more."""
    header = {"datatype": []} if text is None else load_header(text.decode("utf-8"))
    header.setdefault("meta", {})
    header["by_name"] = {column["name"]: column for column in header["datatype"]}
    return header


def load_header(text: str) -> dict[str, Any]:
    r"""The header of an ECSV, as astropy reads it; in a tenth of the time where it has nothing but text and numbers.

    Examples
    --------
    >>> load_header("datatype:\n- {name: u, unit: mag}\nmeta: !!omap\n- {EPOCH: 2015.5}")
    {'datatype': [{'name': 'u', 'unit': 'mag'}], 'meta': {'EPOCH': 2015.5}}
    """
    import yaml  # type: ignore[import-untyped]
    from astropy.table.meta import get_header_from_yaml

    base = getattr(yaml, "CSafeLoader", None)
    if base is None or "!" in text.replace("!!omap", ""):  # objects of astropy's
        return dict(get_header_from_yaml(text.split("\n")))

    class Loader(base):  # type: ignore[misc, valid-type]
        """One of its own, as constructors belong to a class."""

    Loader.add_constructor("tag:yaml.org,2002:omap", _ordered)
    return dict(yaml.load(text, Loader=Loader))  # noqa: S506 (it is the safe one, in C)


def _ordered(loader: Any, node: Any) -> dict[str, Any]:
    """One mapping of many with one item each."""
    items = loader.construct_sequence(node, deep=True)
    return {key: value for item in items for key, value in item.items()}


def mixins_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Columns that astropy took apart, by name."""
    return dict(header["meta"].get(_SERIALIZED, {}))


def describe(header: Mapping[str, Any], name: str) -> dict[str, str]:
    """Unit, UCD and description of a column, as far as there are any."""
    column = header["by_name"].get(name, {})
    about = {
        "unit": column.get("unit"),
        "ucd": dict(column.get("meta", {})).get("ucd"),
        "description": column.get("description"),
    }
    return {key: str(value) for key, value in about.items() if value}
