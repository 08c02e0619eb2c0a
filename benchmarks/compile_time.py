"""How long the first fit waits for the compiler, and later processes for the cache."""

from __future__ import annotations

from typing import Any

from benchmarks.bars import COMPILE_SECONDS, EXACT, LABELS, LOAD_SECONDS, PLAIN_T, STRUCTURED, Bar
from benchmarks.launch import Bench
from benchmarks.problems import Spec

CASES = [
    (EXACT, "diag"),
    (STRUCTURED, "diag"),
    (PLAIN_T, "none"),
    (EXACT, "full"),
    (STRUCTURED, "full"),
]
KINDS = {"none": "no errors", "diag": "diagonal errors", "full": "full errors"}


def run(bench: Bench) -> list[dict[str, Any]]:
    """The first fit in an empty cache, then in a new process that finds it filled.

    Everything after this finds its kernels compiled.
    """
    bars = []
    for name, noise in CASES:
        if bench.quick and noise == "full":
            continue
        spec = Spec(300, 4, 2, noise)
        label = f"first fit, {LABELS[name]}, {KINDS[noise]}"
        empty = bench.run(name, [spec], "first_fit")[0].get("wall", float("nan"))
        bars.append(Bar(f"{label}: compilation, wall", COMPILE_SECONDS, empty, "s"))
        if bench.quick and name != EXACT:
            continue
        filled = bench.run(name, [spec], "first_fit")[0].get("wall", float("nan"))
        bars.append(Bar(f"{label}: from the cache, wall", LOAD_SECONDS, filled, "s"))
    return [bar.row() for bar in bars]
