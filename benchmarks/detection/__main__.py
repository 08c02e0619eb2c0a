"""`python -m benchmarks.detection [--out DIR] [--page FILE] [--only NAME]`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.detection.page import bars, tables, write_page
from benchmarks.detection.run import run
from benchmarks.detection.tasks import tasks
from benchmarks.peers_venv import ROOT, ensure_peers
from benchmarks.table import write_json


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, run, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks detection", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "detection")
    parser.add_argument("--page", type=Path, help="the Markdown page to write, with its picture")
    parser.add_argument(
        "--only",
        action="append",
        help="run some tables only (repeatable); the rest is as it was found before",
    )
    options = parser.parse_args(arguments)
    python = ensure_peers()
    store, everything = options.out / "detection.json", []
    known = json.loads(store.read_text()) if options.only and store.exists() else []
    for task in tasks():
        if options.only and task.name not in options.only:
            everything += [row for row in known if row["task"].rpartition(": ")[0] == task.name]
            continue
        rows = list(run(task, python))
        for table in tables(rows):
            print(table.text())
        everything += rows
    write_json(store, everything)
    print(bars(everything).text())
    if options.page:
        write_page(options.page, everything)


if __name__ == "__main__":
    main()
