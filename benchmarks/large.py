"""Memory and time of the command line on a catalogue that is larger than memory may be.

`python -m benchmarks.large DATA.parquet --rows 5000000 [--make] -- rank {} --features "u, g, r, z" ... --memory 1GB`
makes the catalogue if it is asked to, runs the command with it in the place of {}, and prints the largest resident
memory of that process, its time, and the time per row. Objects: three populations of four features with independent
errors, and one in a thousand anywhere.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

BANDS = "ugrz"
CENTRES = np.array([[18.0, 17.0, 16.5, 16.2], [20.0, 19.5, 19.3, 19.2], [21.0, 20.7, 19.8, 19.0]])
WIDTHS = np.array([[0.5, 0.4, 0.3, 0.3], [0.8, 0.8, 0.7, 0.7], [0.3, 0.3, 0.3, 0.4]])
ROW_GROUP = 250_000


def objects(n: int, seed: int) -> dict[str, Any]:
    """Measured magnitudes, their errors, and a name for each object."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    clean = CENTRES[kind] + WIDTHS[kind] * rng.standard_t(8, (n, 4))
    strange = rng.random(n) < 1e-3
    clean[strange] += rng.normal(0.0, 6.0, (int(strange.sum()), 4))
    errors = rng.uniform(0.02, 0.2, (n, 4))
    measured = clean + errors * rng.normal(size=(n, 4))
    columns: dict[str, Any] = {"id": np.arange(n) + seed * n}
    for j, band in enumerate(BANDS):
        columns[band], columns[f"{band}_err"] = measured[:, j], errors[:, j]
    return columns


def make(path: Path, n: int) -> None:
    """Write a catalogue, one row group at a time."""
    import pyarrow as pa
    from pyarrow import parquet

    writer = None
    for seed in range(-(-n // ROW_GROUP)):
        table = pa.table(objects(min(ROW_GROUP, n - seed * ROW_GROUP), seed))
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def main() -> None:
    """Read the options, make, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--make", action="store_true")
    options = sys.argv[1:]
    end = options.index("--") if "--" in options else len(options)
    given, command = parser.parse_args(options[:end]), options[end + 1 :]
    if given.make:
        make(given.data, given.rows)
    if not command:
        return
    words = [word.replace("{}", str(given.data)) for word in command]
    started = time.monotonic()
    code = subprocess.call([sys.executable, "-m", "peculiar.cli", *words], env=os.environ)
    wall = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    kilobytes = used.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    print(
        f"{words[0]}, {given.rows:,} rows: exit code {code}; at most {kilobytes / 1e6:.2f} GB resident; {wall:.0f} s, "
        f"CPU {cpu:.0f} s ({1e6 * cpu / given.rows:.1f} us per row)"
    )
    sys.exit(code)


if __name__ == "__main__":
    main()
