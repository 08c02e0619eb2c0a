"""How the cost of an iteration grows with rows, components and features."""

from __future__ import annotations

from typing import Any

from benchmarks.bars import EXACT, LABELS, SLOPE, STRUCTURED, XD, Bar
from benchmarks.contenders import CONTENDERS, REFERENCE
from benchmarks.costs import log_log_slope
from benchmarks.launch import Bench
from benchmarks.problems import Spec

SWEPT = [EXACT, STRUCTURED, XD, REFERENCE, "pygmmis", "astroml"]
SWEPT_QUICKLY = [EXACT, STRUCTURED, REFERENCE]
TOO_SLOW_FOR = {REFERENCE: 1_000_000, "pygmmis": 500_000, "astroml": 50_000}
"""Pairs beyond which a point of these is not worth its minutes."""

Rows = list[dict[str, Any]]


def sweeps(quick: bool) -> dict[str, list[Spec]]:
    """Problems along each axis."""
    n = 4_000 if quick else 10_000
    rows = (4_000, 12_000, 36_000) if quick else (10_000, 30_000, 100_000, 300_000, 1_000_000)
    features = (2, 4, 10) if quick else (2, 3, 4, 6, 8, 10)
    return {
        "N": [Spec(size, 4) for size in rows],
        "K": [Spec(n, 4, k) for k in ((2, 5, 16) if quick else (2, 4, 8, 16, 32))],
        "d": [Spec(n, d) for d in features],
    }


def run(bench: Bench) -> Rows:
    """Cost of every point, one process per contender."""
    axes = sweeps(bench.quick)
    rows: Rows = []
    for name in SWEPT_QUICKLY if bench.quick else SWEPT:
        most = TOO_SLOW_FOR.get(name, 10**9)
        points = [(axis, s) for axis, specs in axes.items() for s in specs if s.pairs <= most]
        unique = list(dict.fromkeys(spec for _, spec in points))
        results = dict(zip(unique, bench.measure_all(name, unique), strict=True))
        for axis, spec in points:
            found = {key: results[spec].get(key) for key in ("status", "cpu", "wall")}
            label = CONTENDERS[name].label
            sizes = {"N": spec.n, "K": spec.k, "d": spec.d}
            rows.append({"contender": name, "label": label, "axis": axis, **sizes, **found})
    return rows


def slope_bars(rows: Rows) -> list[dict[str, Any]]:
    """The bars on growth, from the points of a run."""
    bars = []
    for axis in ("N", "K"):
        for name in (STRUCTURED, EXACT):
            points = points_of(rows, name, axis)
            sizes, costs = [row[axis] for row in points], [row["cpu"] for row in points]
            extent = f"{sizes[0]:,} to {sizes[-1]:,}" if sizes else "nowhere"
            label = f"log-log slope of cost in {axis}, {extent}, {LABELS[name]}"
            bars.append(Bar(label, SLOPE, log_log_slope(sizes, costs)).row())
    return bars


def points_of(rows: Rows, name: str, axis: str) -> Rows:
    """What one contender cost along one axis, from small to large."""
    chosen = [row for row in rows if row["contender"] == name and row["axis"] == axis]
    return sorted((row for row in chosen if row.get("cpu")), key=lambda row: row[axis])
