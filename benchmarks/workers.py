"""What a pass over the rows costs in memory, from files, and with one and two workers of Dask.

`python -m benchmarks dask [--rows 5000000] [--partitions 10000]` makes a Parquet file of so many objects and runs the
sums of an EM step (three components, four features, independent errors, a wild tail) at each place; then as many
partitions without any rows, which leaves what Dask itself costs. Best of three passes; CPU is that of all processes.
"""

from __future__ import annotations

import argparse
import contextlib
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.large import BANDS, CENTRES, WIDTHS, make
from peculiar import Partitions, RobustMixture, scan
from peculiar.backends import Backend, MemoryBackend
from peculiar.backends.dask.cluster import compute, persist
from peculiar.backends.dask.tasks import in_tree, mapped, once
from peculiar.estimators.scans import ScanRows
from peculiar.fitting.start import robust_scaling
from peculiar.model.stats import SufficientStats, empty_sums
from peculiar.observations import Observations
from peculiar.population import Population

PASSES = 3
FEATURES = ", ".join(BANDS)


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


def main(arguments: list[str] | None = None) -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks dask", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--partitions", type=int, default=10_000)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="peculiar-workers-") as folder:
        path = Path(folder) / "objects.parquet"
        make(path, given.rows)
        memory = _said("memory", in_memory(path), given.rows)
        files = _said("files", from_files(path), given.rows)
        one = _said("one worker", on_workers(path, 1), given.rows)
        two = _said("two workers", on_workers(path, 2), given.rows)
    print(
        f"files / memory: {files.wall / memory.wall:.2f} (at most 1.3 wanted; CPU {files.cpu / memory.cpu:.2f})\n"
        f"one worker / memory: {one.wall / memory.wall:.2f} (at most 1.15; CPU {one.cpu / memory.cpu:.2f})\n"
        f"one worker / two: {one.wall / two.wall:.2f} (at least 1.6; CPU {one.cpu / two.cpu:.2f})"
    )
    if given.partitions:
        empty, size = empty_passes(given.partitions)
        print(
            f"{given.partitions:,} partitions of nothing: {empty.wall:.2f} s for a pass; client and scheduler take "
            f"{1e6 * empty.cpu / given.partitions:.0f} us of CPU for each; a sum has {size:,} bytes"
        )


def _said(place: str, found: Pass, n_rows: int) -> Pass:
    per_row = 1e6 * found.cpu / n_rows
    print(
        f"{place:12} {found.wall:7.2f} s  CPU {found.cpu:7.2f} s  {per_row:5.2f} us per row",
        flush=True,
    )
    return found


if __name__ == "__main__":
    main()
