"""The first table: what an iteration costs, and what comes out of it."""

from __future__ import annotations

from typing import Any

from benchmarks.bars import D4, D10
from benchmarks.contenders import CONTENDERS, REFERENCE
from benchmarks.costs import per_million_pairs, ratio
from benchmarks.launch import Bench, describe
from benchmarks.problems import Spec

FITS = [name for name in CONTENDERS if "score" not in name]


def run(bench: Bench) -> list[dict[str, Any]]:
    """Every contender on the same rows, from the same start, for the same number of iterations."""
    specs = [Spec(4_000, 4)] if bench.quick else [Spec(20_000, 4), D4, D10]
    return [_row(bench, name, spec) for spec in specs for name in FITS]


def _row(bench: Bench, name: str, spec: Spec) -> dict[str, Any]:
    result = bench.measure(name, spec)
    reference = bench.measure(REFERENCE, spec)
    row = {
        "problem": describe(spec),
        "contender": name,
        "label": CONTENDERS[name].label,
        "model": CONTENDERS[name].model,
        "status": result["status"],
    }
    if result["status"] != "ok":
        return row
    return {
        **row,
        "cpu": per_million_pairs(result["cpu"], spec.pairs),
        "wall": per_million_pairs(result["wall"], spec.pairs),
        "ratio": ratio(result["cpu"], reference.get("cpu")),
        **{key: result[key] for key in ("peak_mb", "fit_mb", "loglik")},
    }
