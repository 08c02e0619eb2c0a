"""Sentences on where we lose, taken from the tables so that they cannot be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.views import Rows, grouped

MARGIN = 1.1  # less is noise


def sentences(bars: Rows, peers: Rows, solution: Rows) -> list[str]:
    """One sentence for every bar missed and every contender who beats us at the same model."""
    short = [
        f"{row['bar']}: {row['measured']:.3g}, asked {row['limit']}." for row in bars if _short(row)
    ]
    return [
        *short,
        *_slower(peers, "problem", "an iteration"),
        *_slower(solution, "", "the solution"),
    ]


def _short(row: dict[str, Any]) -> bool:
    return bool(row["verdict"] == "short")


def _slower(rows: Rows, key: str, what: str) -> Iterator[str]:
    for place, together in grouped(rows, key) if key else [("", rows)]:
        for model, same in grouped([row for row in together if _counts(row)], "model"):
            ours = [row["cpu"] for row in same if _is_ours(row)]
            for row in same:
                if ours and not _is_ours(row) and min(ours) > MARGIN * row["cpu"]:
                    where = f", {place}" if place else ""
                    factor = min(ours) / row["cpu"]
                    yield f"{row['label']} takes {factor:.1f} times less CPU for {what} ({model}{where})."


def _counts(row: dict[str, Any]) -> bool:
    return bool(row["status"] == "ok" and row.get("reached", True) and row["cpu"] > 0)


def _is_ours(row: dict[str, Any]) -> bool:
    return str(row["contender"]).startswith("peculiar")
