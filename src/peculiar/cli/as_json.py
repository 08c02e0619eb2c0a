"""The ranked list for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.cli.options import ListWanted
    from peculiar.report import Candidates


def list_as_json(
    candidates: Candidates,
    beside: Mapping[str, Any],
    names: Sequence[str],
    wanted: ListWanted,
) -> dict[str, Any]:
    """The top of the list for machines."""
    totals = candidates.totals
    top = min(wanted.top, totals.n)
    return {
        "n_objects": totals.n,
        "n_discoveries": totals.n_discoveries,
        "fdr": wanted.fdr,
        "method": wanted.method,
        "order": wanted.order,
        "groups": _lines(candidates.groups),
        "calibration": _lines(totals.calibration),
        "candidates": [_entry(candidates, beside, names, i) for i in range(top)],
    }


def _lines(table: Any) -> list[dict[str, Any]] | None:
    """A table, line by line."""
    if table is None:
        return None
    names = table.dtype.names or ()
    return [{name: line[name] for name in names} for line in table]


def _entry(
    candidates: Candidates, beside: Mapping[str, Any], names: Sequence[str], i: int
) -> dict[str, Any]:
    ends = {"value": "", "error": "_err", "surprise": "_surprise"}
    ends |= {"clean": "_clean", "clean_error": "_clean_err"}
    return {
        **{name: column[i] for name, column in candidates.verdict.items()},
        "columns": {name: _cell(column[i]) for name, column in beside.items()},
        "features": {
            name: {what: candidates.features[name][end][i] for what, end in ends.items()}
            for name in names
        },
    }


def _cell(cell: Any) -> Any:
    import numpy as np

    return None if np.ma.is_masked(cell) else cell
