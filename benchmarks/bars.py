"""The bars we set ourselves, and what was measured.

All ratios are CPU time of one EM iteration against the batched-NumPy reference in the same run, one thread, K = 5,
errors different for every object. In a quick run the problems are smaller, so a verdict there is a hint.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.cliffs import CLIFF, cliffs
from benchmarks.components import (
    SEARCH_PASSES,
    SMALL_SEARCH_PASSES,
    search_passes,
    small_search_passes,
)
from benchmarks.contenders import REFERENCE
from benchmarks.costs import ratio
from benchmarks.launch import NO_SETTINGS, Bench, Settings, describe
from benchmarks.problems import Spec
from benchmarks.tails import (
    GROWTH,
    LIST_COSTS,
    TAIL_COST,
    WILD_COST,
    list_cost,
    load_rows,
    p_value_cost,
    p_value_growth,
    wild_cost,
)
from benchmarks.warm import FIRST_SECONDS, WARM_COST, first_seconds, warm_cost

STRUCTURED, EXACT, XD, PLAIN_T = (
    "peculiar_structured",
    "peculiar_exact",
    "peculiar_xd",
    "peculiar_t",
)
DIAG = {"scatter": "diag"}

D2, D4, D4_FULL, D10 = (
    Spec(200_000, 2),
    Spec(200_000, 4),
    Spec(200_000, 4, noise="full"),
    Spec(20_000, 10),
)
RATIOS: list[tuple[Spec, str, Settings, float]] = [
    (D2, STRUCTURED, NO_SETTINGS, 0.12),
    (D2, EXACT, NO_SETTINGS, 0.28),
    (D4, STRUCTURED, NO_SETTINGS, 0.14),
    (D4, EXACT, NO_SETTINGS, 0.34),
    (D4_FULL, STRUCTURED, NO_SETTINGS, 0.16),
    (D4_FULL, EXACT, NO_SETTINGS, 0.36),
    (D10, STRUCTURED, NO_SETTINGS, 0.26),
    (D10, EXACT, NO_SETTINGS, 0.46),
    (D10, STRUCTURED, DIAG, 0.06),
    (D10, EXACT, DIAG, 0.20),
    (D4, XD, NO_SETTINGS, 0.08),
    (D4, PLAIN_T, NO_SETTINGS, 0.05),
]
SPEEDUP = 1.8
SCORING = 1.1
MEMORY = Spec(2_000_000, 4)
MEMORY_MB = 400.0
SLOPE = 1.05
COMPILE_SECONDS = 15.0
LOAD_SECONDS = 1.0


@dataclass(frozen=True)
class Bar:
    """One line of the table: what was asked, what was found."""

    name: str
    limit: float
    measured: float
    unit: str = ""
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Pass, short, or not measured."""
        if math.isnan(self.measured):
            return "not measured"
        holds = operator.ge if self.at_least else operator.le
        return "pass" if holds(self.measured, self.limit) else "short"

    def row(self) -> dict[str, Any]:
        """For the results file."""
        sign = ">=" if self.at_least else "<="
        limit = f"{sign} {self.limit:g} {self.unit}".strip()
        return {
            "bar": self.name,
            "limit": limit,
            "measured": self.measured,
            "verdict": self.verdict,
        }


LABELS = {
    STRUCTURED: "structured",
    EXACT: "exact",
    XD: "dof=inf (plain XD)",
    PLAIN_T: "errors ignored (plain t-mixture)",
}


def run(bench: Bench) -> list[dict[str, Any]]:
    """Measure everything that is neither a slope nor compilation."""
    found = [*_ratios(bench), *_threads(bench), _memory(bench)]
    if not bench.quick:  # more to compile
        found += [*_scoring(bench), *_outliers(), *_ranking(), *_components()]
    return [bar.row() for bar in found]


def sized(bench: Bench, spec: Spec) -> Spec:
    """The problem itself, or a small one like it."""
    return Spec(4_000, spec.d, spec.k, spec.noise) if bench.quick else spec


def _ratios(bench: Bench) -> Iterator[Bar]:
    for wanted, name, settings, limit in RATIOS:
        if bench.quick and (wanted.noise == "full" or settings):
            continue  # more kinds of noise and scatter to compile
        spec = sized(bench, wanted)
        reference = bench.measure(REFERENCE, spec).get("cpu")
        cost = bench.measure(name, spec, settings).get("cpu")
        scatter = ", diagonal scatter" if settings else ""
        label = f"{LABELS[name]}{scatter}: {describe(spec)}"
        yield Bar(f"CPU ratio, {label}", limit, ratio(cost, reference))


def _threads(bench: Bench) -> Iterator[Bar]:
    spec = Spec(36_000, 4) if bench.quick else D4  # too few rows leave a thread nothing to do
    for name in (EXACT,) if bench.quick else (STRUCTURED, EXACT):
        one = bench.measure(name, spec).get("wall")
        two = bench.measure(name, spec, {"n_jobs": 2}).get("wall")
        label = f"two threads against one, {LABELS[name]}: {describe(spec)}"
        yield Bar(label, SPEEDUP, ratio(one, two), "x", at_least=True)


def _scoring(bench: Bench) -> Iterator[Bar]:
    spec = D4
    for name in (STRUCTURED, EXACT):
        score = bench.measure(name.replace("peculiar", "peculiar_score"), spec).get("cpu")
        step = bench.measure(name, spec).get("cpu")
        label = f"scoring against an iteration, {LABELS[name]}: {describe(spec)}"
        yield Bar(label, SCORING, ratio(score, step))


def _outliers() -> Iterator[Bar]:
    rows = load_rows()
    wild, tail = (math.nan, math.nan) if rows is None else (wild_cost(rows), p_value_cost(rows))
    what = "DR3 quasars, K=3 d=4 full errors"
    yield Bar(f"an iteration with a wild tail against one without: {what}", WILD_COST, wild)
    yield Bar(f"p-values against scores: {what}", TAIL_COST, tail)
    growth = math.nan if rows is None else p_value_growth(rows)
    yield Bar("p-values: power of K, from 8 to 32 components: DR3 quasars", GROWTH, growth)
    for name, cost in [] if rows is None else cliffs(rows):
        yield Bar(f"an iteration with {name}, against one without: quasars, K=8", CLIFF, cost)
    for k, most in LIST_COSTS.items():
        label = f"everything after the fit in `peculiar rank` against scores: DR3 quasars, K={k}"
        yield Bar(label, most, math.nan if rows is None else list_cost(rows, k))


def _ranking() -> Iterator[Bar]:
    what = "`peculiar rank` of 300 objects, K=2"
    yield Bar(f"{what}, kernels compiled, against importing scikit-learn", WARM_COST, warm_cost())
    yield Bar(f"the first {what}: compilation, CPU", FIRST_SECONDS, first_seconds(), "s")


def _memory(bench: Bench) -> Bar:
    spec = Spec(100_000, 4) if bench.quick else MEMORY
    result = bench.run(EXACT, [spec], "memory")[0]
    beyond = result.get("peak_mb", math.nan) - result.get("input_mb", math.nan)
    label = f"peak memory of a process that fits, beyond its input: {describe(spec)}"
    return Bar(label, MEMORY_MB, beyond, "MB")


def _components() -> Iterator[Bar]:
    rows = load_rows()
    found = math.nan if rows is None else search_passes(rows)
    label = "the number of components, in passes of batched NumPy"
    yield Bar(f"{label}: all DR3 quasars, from 20", SEARCH_PASSES, found)
    yield Bar(f"{label}: 1,500 x 2, detector", SMALL_SEARCH_PASSES, small_search_passes())
