"""Run the benchmark: `python -m benchmarks [--quick] [--only PART] [--out DIR] [--page FILE]`.

Parts: compile (first fit in an empty cache), peers (cost of an iteration), scaling (against N, K, d), bars (what we
ask of ourselves), solution (time to come near the best), places (a pass in memory, from files, on workers). Progress
goes to stderr, tables to stdout, results to DIR.
`python -m benchmarks detection` asks how good the list is instead (`benchmarks.detection`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import bars, compile_time, peers, places, scaling, solution
from benchmarks.detection.__main__ import main as detection
from benchmarks.launch import Bench
from benchmarks.machine import describe_machine
from benchmarks.page import FIGURE, write_page
from benchmarks.peers_venv import ROOT, ensure_peers, say
from benchmarks.table import write_json, write_whole
from benchmarks.views import (
    bar_table,
    peer_tables,
    place_table,
    scaling_table,
    solution_tables,
)

# In this order: later parts use what earlier ones measured.
PARTS: dict[str, Callable[[Bench], list[dict[str, Any]]]] = {
    "compile": compile_time.run,
    "peers": peers.run,
    "scaling": scaling.run,
    "bars": bars.run,
    "solution": solution.run,
    "places": places.run,
}
WITHOUT_PEERS = {"compile", "bars", "places"}


def main() -> None:
    """Read the options, run, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small problems: under 3 minutes")
    parser.add_argument("--only", choices=PARTS, action="append", help="some parts (repeatable)")
    parser.add_argument("--out", type=Path, help="folder for results and figures")
    parser.add_argument("--page", type=Path, help="the Markdown page to write, with its figure")
    options = parser.parse_args()
    out = options.out or ROOT / "benchmarks" / "results" / ("quick" if options.quick else "full")
    wanted = [part for part in PARTS if not options.only or part in options.only]

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="peculiar-bench-") as folder:
        results = run(Path(folder), wanted, quick=options.quick)
    figure = out / FIGURE
    report = "\n".join(table.text() for table in tables(results))
    print(report)
    write_json(out / "results.json", results)
    write_whole(out / "tables.txt", report)
    if "scaling" in results:
        _plot(results["scaling"], figure)
    if options.page:
        write_page(options.page, results, figure)
    say(f"Done in {time.monotonic() - began:.0f} s; results in {out}.")


def run(folder: Path, wanted: list[str], *, quick: bool) -> dict[str, Any]:
    """All rows of the wanted parts."""
    # An empty cache if compilation is to be timed; the other parts then use what was compiled there.
    cache = folder / "numba" if "compile" in wanted else None
    results: dict[str, Any] = {"quick": quick}
    python = None
    with ThreadPoolExecutor(1) as pool:
        installing = pool.submit(ensure_peers) if set(wanted) - WITHOUT_PEERS else None
        if installing and not quick:
            python = installing.result()  # a quick run compiles meanwhile
        if "compile" in wanted:
            results["compile"] = _part("compile", Bench(folder / "first", None, cache, quick))
        if installing:
            python = installing.result()
    bench = Bench(folder / "others", python, cache, quick)
    for part in wanted:
        if part != "compile":
            results[part] = _part(part, bench)
    slopes = scaling.slope_bars(results["scaling"]) if "scaling" in results else []
    where = places.place_bars(results["places"]) if "places" in results else []
    results["bars"] = [*results.get("bars", []), *slopes, *where, *results.get("compile", [])]
    results["machine"] = describe_machine(python)
    return results


def _part(name: str, bench: Bench) -> list[dict[str, Any]]:
    say(f"{name} ...")
    began = time.monotonic()
    rows = PARTS[name](bench)
    say(f"{name}: {time.monotonic() - began:.0f} s")
    return rows


def tables(results: Mapping[str, Any]) -> list[Any]:
    """Every table of a run."""
    shown = [bar_table(results["bars"])] if results.get("bars") else []
    shown += peer_tables(results.get("peers", []))
    shown += solution_tables(results.get("solution", []))
    if results.get("scaling"):
        shown.append(scaling_table(results["scaling"]))
    if results.get("places"):
        shown.append(place_table(results["places"]))
    return shown


def _plot(rows: scaling.Rows, path: Path) -> None:
    try:
        from benchmarks.plots import plot_costs

        plot_costs(rows, path)
    except ImportError:
        say("No figure: matplotlib is not installed.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["detection"]:
        detection(sys.argv[2:])
    else:
        main()
