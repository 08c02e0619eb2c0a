"""What a pass over the rows costs wherever they are: in memory, in files, with one and two workers of Dask.

A pass makes the sums of an EM step: three components, four features, independent errors, a wild tail. Each place is a
process of its own, `python -m benchmarks.places PLACE FILE|NUMBER`, which prints the best of three passes; CPU is that
of all processes, workers included. ``nothing`` has as many partitions without rows, and leaves what Dask itself costs.
"""

from __future__ import annotations

import contextlib
import json
import math
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.bars import Bar
from benchmarks.costs import ratio
from benchmarks.large import BANDS, CENTRES, WIDTHS, make
from benchmarks.launch import Bench
from benchmarks.meter import peak_mb
from benchmarks.peers_venv import ROOT, say
from peculiar import Partitions, RobustMixture, scan
from peculiar.backends import Backend, MemoryBackend
from peculiar.backends.dask.cluster import compute, persist
from peculiar.backends.dask.tasks import in_tree, mapped, once
from peculiar.estimators.scans import ScanRows
from peculiar.fitting.start import robust_scaling
from peculiar.model.stats import SufficientStats, empty_sums
from peculiar.observations import Observations
from peculiar.population import Population

FILES, ONE, TWO, FLAT = 1.3, 1.15, 1.6, 1.25
FULL = 5_000_000, (100_000, 1_000_000, 50_000_000), 10_000
QUICK = 400_000, (100_000,), 1_000
"""Rows for all places, for files alone, and partitions without rows."""

PASSES = 3
FEATURES = ", ".join(BANDS)

Rows = list[dict[str, Any]]


class Pass(NamedTuple):
    """Seconds that a pass takes."""

    wall: float
    cpu: float


def population() -> Population:
    """The mixture that the objects are from."""
    scatters = np.array([np.diag(np.square(widths)) for widths in WIDTHS])
    model = RobustMixture.from_parameters(
        [0.5, 0.3, 0.2], CENTRES, scatters, 8.0, wild_fraction=0.001
    )
    return model.population_


def best_pass(backend: Backend, cpu: Callable[[], float]) -> Pass:
    """The cheapest of some passes, after one that is not counted."""
    asked = population()
    params = asked.params_in(backend.sample.scaling)
    passes = []
    for _ in range(PASSES + 1):
        wall, before = time.perf_counter(), cpu()
        backend.summarise(asked.model.engine, params)
        passes.append(Pass(time.perf_counter() - wall, cpu() - before))
    return Pass(*(min(each) for each in zip(*passes[1:], strict=True)))


def in_memory(path: Path) -> Pass:
    """All rows in this process, with one thread."""
    rows = ScanRows(scan(path, FEATURES)).whole()
    obs = Observations.of(*rows, robust_scaling(*rows))
    return best_pass(MemoryBackend(obs), time.process_time)


def from_files(path: Path) -> Pass:
    """Rows that are read for every pass, ahead of one thread that computes."""
    rows = ScanRows(scan(path, FEATURES))
    summary = rows.summary()
    scaling = robust_scaling(summary.sample.values, summary.sample.noise)
    return best_pass(rows.backend(scaling, summary, 1), time.process_time)


@contextlib.contextmanager
def workers(n: int) -> Iterator[Any]:
    """A client of so many processes of one thread."""
    from dask.distributed import Client, LocalCluster

    alone = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    unseen = {"scheduler_kwargs": {"dashboard": False}}
    with (
        LocalCluster(n_workers=n, threads_per_worker=1, **alone, **unseen) as cluster,
        Client(cluster) as client,
    ):
        yield client


def on_workers(path: Path, n: int) -> Pass:
    """Rows in the memory of so many workers."""
    with workers(n) as client:
        rows = Partitions.of(scan(path, FEATURES), keep=True)
        summary = rows.summary()
        scaling = robust_scaling(summary.sample.values, summary.sample.noise)
        backend = rows.backend(scaling, summary, 1)

        def cpu() -> float:
            return time.process_time() + sum(client.run(time.process_time).values())

        return best_pass(backend, cpu)


def empty_passes(n_partitions: int) -> tuple[Pass, int]:
    """What Dask costs by itself, client and scheduler together; bytes of a sum."""
    sums = SufficientStats.of(empty_sums(3, 4))
    with workers(2):
        parts = persist(mapped(_number, "part", range(n_partitions)))
        passes = []
        for _ in range(PASSES + 1):
            wall, before = time.perf_counter(), time.process_time()
            wanted = [once(sums, "parameters")] * n_partitions
            compute(in_tree(mapped(_nothing, "sums", parts, wanted)))
            passes.append(Pass(time.perf_counter() - wall, time.process_time() - before))
    return Pass(*(min(each) for each in zip(*passes[1:], strict=True))), len(pickle.dumps(sums))


def _number(i: int) -> int:
    return i


def _nothing(_part: int, sums: SufficientStats) -> SufficientStats:
    return sums


def measure(place: str, given: str) -> dict[str, Any]:
    """What one place costs."""
    if place == "nothing":
        found, size = empty_passes(int(given))
        return {**found._asdict(), "sum_bytes": size}
    found = PLACES[place](Path(given))
    return {**found._asdict(), "peak_mb": peak_mb()}


PLACES: dict[str, Callable[[Path], Pass]] = {
    "memory": in_memory,
    "files": from_files,
    "one worker": lambda path: on_workers(path, 1),
    "two workers": lambda path: on_workers(path, 2),
}


def run(bench: Bench) -> list[dict[str, Any]]:
    """Every place with the same rows, files of other sizes, and partitions without rows."""
    n, others, n_empty = QUICK if bench.quick else FULL
    measured = []
    for n_rows in (n, *others):
        path = bench.folder / "objects.parquet"
        make(path, n_rows)
        for place in PLACES if n_rows == n else ("files",):
            found = _alone(place, str(path))
            per_row = 1e6 * found.get("cpu", math.nan) / n_rows
            measured.append({"place": place, "n": n_rows, "per_row": per_row, **found})
        path.unlink()
    name = f"{n_empty:,} partitions of nothing, two workers"
    return [*measured, {"place": name, "n": 0, **_alone("nothing", str(n_empty))}]


def _alone(place: str, given: str) -> dict[str, Any]:
    """Measured in a process of its own; nothing if that failed."""
    say(f"  {place}: {given}")
    command = [sys.executable, "-m", "benchmarks.places", place, given]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}


def place_bars(rows: Rows) -> list[dict[str, Any]]:
    """The bars on places, from what was measured."""
    n = next((row["n"] for row in rows), 0)
    wall = {row["place"]: row.get("wall") for row in rows if row["n"] == n}
    costs = {row["n"]: row["per_row"] for row in rows if row["place"] == "files"}
    flat = max(costs.values()) / min(costs.values()) if costs else math.nan
    what = f"a pass over {n:,} x 4, K=3, wall"
    extent = f"{min(costs, default=0):,} to {max(costs, default=0):,} rows"
    one, two = wall.get("one worker"), wall.get("two workers")
    bars = (
        Bar(f"files against memory: {what}", FILES, ratio(wall.get("files"), wall.get("memory"))),
        Bar(f"one worker against memory: {what}", ONE, ratio(one, wall.get("memory"))),
        Bar(f"two workers against one: {what}", TWO, ratio(one, two), "x", at_least=True),
        Bar(f"CPU per row from files, dearest against cheapest: {extent}", FLAT, flat),
    )
    return [bar.row() for bar in bars]


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
